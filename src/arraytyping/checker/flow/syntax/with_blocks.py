"""`with`: context managers of the program, those of libraries that have a rule, and others as unknown."""

from __future__ import annotations

import ast
import math
import re
from contextlib import AbstractContextManager, ExitStack, suppress
from typing import Any, Final

from arraytyping.checker.flow.python.generator_contexts import GeneratorContext
from arraytyping.checker.flow.state.branching import branch
from arraytyping.checker.flow.state.interpreter import Interpreter, Raised
from arraytyping.checker.flow.state.journal import Path
from arraytyping.checker.flow.state.library_work import TooMuchWork, put_right
from arraytyping.checker.flow.state.stateful import is_stateful_class
from arraytyping.checker.flow.syntax.exceptions import finish_exits
from arraytyping.checker.flow.syntax.intercepted_methods import enter_intercepted
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    NumPyValue,
    UnionValue,
    Unknown,
    Value,
    awaited,
)
from arraytyping.checker.flow.values.frames import Frame
from arraytyping.checker.swallowed import swallow, swallowing

__all__ = ["ContextValue", "execute_with"]


class ContextValue(HandlerValue):
    """A context manager whose behaviour is written here: calling it gives what `as` binds.

    `manager`, if given, is a context manager of Python that is in force while the block is interpreted; with
    `may_raise` the block is one of which an exception is expected or suppressed.  `leaves_by` names a method of the
    value that is called when the block is left.
    """

    __slots__ = ("leaves_by", "manager", "may_raise", "value")

    def __init__(
        self, name: str, value: Value = None, manager: Value = None, may_raise: bool = False, leaves_by: str = ""
    ) -> None:
        super().__init__(name, lambda it, call: value)
        self.value: Any = value
        self.leaves_by: str = leaves_by
        self.manager: Any = manager
        self.may_raise: bool = may_raise


def execute_with(it: Interpreter, node: ast.With | ast.AsyncWith, frame: Frame) -> bool:
    """Execute `with`."""
    entered = _Entered()
    has_left = False
    around: tuple[GeneratorContext, list[ast.withitem]] | None = None
    with ExitStack() as stack:
        for i, item in enumerate(node.items):
            manager = _that_enters(it.evaluate(item.context_expr, frame))
            if isinstance(manager, GeneratorContext):
                around = manager, node.items[i:]
                break
            value = _enter_item(it, manager, item.context_expr, node, stack, entered)
            if item.optional_vars is not None:
                it.assign(item.optional_vars, value, frame)
        mark, first = it.journal.mark, len(frame.exits)
        attempt = stack.enter_context(it.attempting())
        dangers = it.dangers
        it.path_uncertain += entered.path_uncertain
        stack.callback(_sure_again, it, entered.path_uncertain)
        try:
            goes_on = it.execute(node.body, frame) if around is None else _execute_inside(it, *around, node, frame)
        except TooMuchWork:
            with put_right(it):
                _exit_regularly(it, entered.left, node)
            raise
        except Raised:
            finish_exits(it, frame, first, mark, lambda: _exit_regularly(it, entered.left, node))
            if not entered.may_raise:
                _exit_by_exception(it, entered.left, node)
                raise
            it.journal.blur(mark, attempt.held)
            suppresses = _exit_by_exception(it, entered.left, node)
            has_left = True
            if suppresses is False and not entered.is_expected:
                raise
            it.may_raise += suppresses is None
            goes_on = True
        else:
            finish_exits(it, frame, first, mark, lambda: _exit_regularly(it, entered.left, node))
            if entered.may_raise and it.dangers > dangers:
                it.journal.blur(mark, attempt.held)
                goes_on = True
    if has_left:
        return goes_on
    if entered.left and (entered.may_raise or it.dangers > dangers):  # an exception may have come, not said here
        return _exit_either_way(it, entered.left, node, frame, goes_on)
    return goes_on and _exit_regularly(it, entered.left, node)


class _Entered:
    """What the managers of a block that have been entered do at its end."""

    def __init__(self) -> None:
        self.left: list[Value] = []
        """Those that are told of the end, the first first."""
        self.may_raise: bool = False
        """Whether what the block raises may not get out of it."""
        self.is_expected: bool = False
        """Whether the block is there to raise, as under `pytest.raises`."""
        self.path_uncertain: int = 0
        """How many do to what is executed in the block what is not known."""


def _that_enters(value: Value) -> Value:
    """One of several values, if the others are arrays, which manage no context: the block is begun with no other."""
    if not isinstance(value, UnionValue):
        return value
    others = [each for each in value.values if not isinstance(each, ArrayValue | NumPyValue)]
    return others[0] if len(others) == 1 else value


def _enter_item(
    it: Interpreter, manager: Any, expression: ast.expr, node: ast.With | ast.AsyncWith, stack: ExitStack,
    entered: _Entered,
) -> Value:  # fmt: skip
    """Enter a context manager; what `as` binds."""
    value: Value = Unknown("what a context manager gives that is not understood")
    if isinstance(manager, ContextValue):
        value = it.call(manager, [], {}, node)
        if manager.leaves_by:
            entered.left.append(manager)
        if manager.manager is not None:
            stack.enter_context(manager.manager())
        if manager.may_raise:
            entered.may_raise = entered.is_expected = True
            stack.enter_context(it.quietly())
    elif isinstance(manager, InstanceValue) and manager.cls.find(_method(node, "enter")) is not MISSING:
        value = awaited(it.call(it.get_attribute(manager, _method(node, "enter"), expression), [], {}, expression))
        entered.left.append(manager)
        if _may_suppress(manager.cls.find(_method(node, "exit"))):
            entered.may_raise = True
            stack.enter_context(it.quietly())
    elif isinstance(manager, IteratorValue):  # a generator under contextlib.contextmanager
        items, element = it.iterate(manager, expression)
        value = items[0] if items else element
    elif _may_expect(expression, node.body):
        entered.may_raise = entered.is_expected = True
        stack.enter_context(it.quietly())
    elif not isinstance(manager, Unknown):
        found = it.get_attribute(manager, "__enter__", None) if hasattr(manager, "__enter__") else MISSING
        if found is not MISSING:
            module = getattr(type(manager), "__module__", "")
            value = manager if module.startswith(_ITSELF) else value
            is_done = _enter(it, manager, stack)
            entered.path_uncertain += not is_done and not module.startswith("_io")
            # Those of Flax change what functions and modules do, and what they leave behind.
            it.path_uncertain += str(getattr(getattr(manager, "func", None), "__module__", "")).startswith("flax.")
    it.obscure += isinstance(manager, Unknown)
    enter_intercepted(it, manager, stack)
    if isinstance(manager, Unknown) and it.engines.has_jax:  # which may be a mesh
        stack.enter_context(it.engines.jax.in_doubt_of_mesh(manager))
    return value


def _exit_regularly(it: Interpreter, managers: list[Value], node: ast.With | ast.AsyncWith) -> bool:
    """Leave the block as its end does, or a `return` in it."""
    for manager in reversed(managers):
        _exit(it, manager, [None, None, None], node)
    return True


def _exit(it: Interpreter, manager: Value, given: list[Value], node: ast.AST) -> Value:
    """What `__exit__` of a manager returns."""
    if isinstance(manager, ContextValue):
        it.call(it.get_attribute(manager.value, manager.leaves_by, node), [], {}, node)
        return None
    return awaited(it.call(it.get_attribute(manager, _method(node, "exit"), node), given, {}, node))


def _method(node: ast.AST, what: str) -> str:
    """The name of the method that enters or leaves."""
    return f"__a{what}__" if isinstance(node, ast.AsyncWith) else f"__{what}__"


def _exit_either_way(
    it: Interpreter, managers: list[Value], node: ast.With | ast.AsyncWith, frame: Frame, goes_on: bool
) -> bool:
    """Leave the block by its end, or as an exception does that perhaps came; whether the program goes on behind it."""

    def by_exception() -> bool:
        if _exit_by_exception(it, managers, node) is False:
            with it.quietly():
                raise it.raised("perhaps raises", node, None)
        return True

    def by_its_end() -> bool:
        return goes_on and _exit_regularly(it, managers, node)

    may_raise = it.may_raise
    goes_on = branch(it, frame, [by_exception, by_its_end], True, may_leave=False)
    it.obscure += it.may_raise - may_raise
    it.may_raise = may_raise
    return goes_on


def _exit_by_exception(it: Interpreter, managers: list[Any], node: ast.AST) -> bool | None:
    """Leave the block as an exception does, perhaps: which one is not known.

    Whether a manager suppresses it; None if that is not known.
    """
    suppresses: bool | None = False
    for manager in reversed(managers):
        with it.quietly(), suppress(Raised):
            given: list[Value] = [it.unknown("perhaps an exception")] * 3
            said = it.truth(_exit(it, manager, given, node), None)
            suppresses = True if said else None if said is None else suppresses
    return suppresses


def _sure_again(it: Interpreter, path_uncertain: int) -> None:
    it.path_uncertain -= path_uncertain


def _enter(it: Interpreter, manager: Any, stack: ExitStack) -> bool:
    """Enter a context manager of Optax: all that they do is to set options of jax.  Whether it is understood.

    Classes of Flax have set options when they were made, and what these do is not followed, but they are unset again.
    """
    if it.engines.has_jax and isinstance(manager, it.engines.jax.jax.sharding.Mesh):
        stack.enter_context(it.engines.jax.resources(manager))
        return True
    if type(manager).__module__.startswith("flax."):
        with swallowing():
            manager.__enter__()
            stack.callback(_leave, it, manager)
        return is_stateful_class(type(manager))
    if type(manager) is ExitStack:  # Haiku has entered what is in it when it gave it
        stack.callback(_leave, it, manager)
        return True
    function = getattr(manager, "func", None) if isinstance(manager, AbstractContextManager) else None
    home = str(getattr(function, "__module__", ""))
    if home.startswith("haiku.") or type(manager).__module__.startswith("haiku."):
        return _enter_of_haiku(it, manager, stack)
    if not home.startswith("optax."):
        return False
    try:
        stack.enter_context(manager)
    except Exception as error:  # it has been entered, or takes a value that is not known
        swallow(error)
        return False
    return True


def _enter_of_haiku(it: Interpreter, manager: Any, stack: ExitStack) -> bool:
    """Enter a context manager of Haiku: it changes which keys, names and parameters the functions of Haiku give."""
    with swallowing():
        with it.engines.objects.inside():
            manager.__enter__()
        stack.callback(_leave, it, manager)
        return True
    return False


def _leave(it: Interpreter, manager: Any) -> None:
    with swallowing(), it.engines.objects.inside():
        manager.__exit__(None, None, None)


_EXPECTING: Final = re.compile(r"raises|suppress|ignor|expect", re.IGNORECASE)
_ITSELF: Final = ("_io", "jax._src.mesh")
"""The modules of managers that give themselves."""
_STACKS: Final = ("ExitStack", "AsyncExitStack")


def _may_expect(manager: ast.expr, body: list[ast.stmt]) -> bool:
    """Whether a context manager that is not understood is one that expects exceptions, by its name.

    So is a test's framework that is not installed, and a stack into which such a one is entered.
    """
    name = _name(manager)
    if _EXPECTING.search(name):
        return True
    calls = [n for s in body for n in ast.walk(s) if isinstance(n, ast.Call)]
    return name in _STACKS and any(_EXPECTING.search(_name(call)) for call in calls)


def _name(node: ast.expr) -> str:
    """The last part of the name of what is called."""
    called = node.func if isinstance(node, ast.Call) else node
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def _may_suppress(leave: Value) -> bool:
    """Whether a method `__exit__` of the program returns what may be true, which keeps an exception from going on."""
    if not isinstance(leave, FunctionValue):
        return leave is not MISSING
    returned = [n.value for n in ast.walk(leave.node) if isinstance(n, ast.Return) and n.value is not None]
    return any(not isinstance(value, ast.Constant) or bool(value.value) for value in returned)


def _execute_inside(
    it: Interpreter,
    manager: GeneratorContext,
    items: list[ast.withitem],
    node: ast.With | ast.AsyncWith,
    frame: Frame,
) -> bool:
    """Execute the block, with the context managers that follow, where a generator yields."""
    ends: list[bool] = []
    begun: list[Any] = []
    met: list[tuple[int, int]] = []
    first = len(frame.exits)

    def block(value: Value) -> None:
        begun.append(value)
        with it.in_frame(frame):
            if items[0].optional_vars is not None:
                it.assign(items[0].optional_vars, value, frame)
            if len(items) > 1:
                ends.append(execute_with(it, ast.copy_location(type(node)(items[1:], node.body), node), frame))
            else:
                ends.append(it.execute(node.body, frame))
        if frame.exits[first:]:  # what the generator does next is done wherever the block was left
            mark, left = it.journal.mark, frame.exits[first:]
            it.journal.meet_paths(max(e.mark for e in left), [Path.of(e) for e in left], ends[-1])
            met.append((mark, it.journal.mark))

    try:
        manager.run(it, block)
    except Raised:
        del frame.exits[first:]
        raise
    if met:
        _part_again(it, frame, first, *met[-1])
    if not begun:
        block(it.unknown("what a context manager gives that is not understood"))
    return any(ends) or not ends  # without an end, the manager has caught what was raised


def _part_again(it: Interpreter, frame: Frame, first: int, met: int, behind: int) -> None:
    """Take apart the paths that a generator met at `met`, and after which it went on at `behind`.

    Variables are again what they were on each path.  Contents that differed stay joined: what the generator did to them
    may not show, as `pop` does not in a list of unknown length.
    """
    journal = it.journal
    before, now = journal.before(met), journal.changes(met)
    written = journal.changes(behind)
    common = {key: at for key, at in now.items() if key in written or at[0].name is None}
    left = [e._replace(changes=e.changes | common) for e in frame.exits[first:]]
    frame.exits[first:] = [e._replace(began=math.inf, ended=journal.mark.born) for e in left]
    for key, (place, old) in before.items():
        if key not in common:
            journal.write(place, old)
