"""Functions of the program: their definition, the binding of arguments, and the execution of a call.

A call with the same abstract arguments as one under way is a recursion: nothing is assumed of its result first, so
that only the paths that end without it count, and then what these gave, until it settles (a least fixed point).
"""

from __future__ import annotations

import ast
import functools
from typing import Any, Final

from arraytyping.checker.flow.python.eager_annotations import evaluate_removed, of_signature
from arraytyping.checker.flow.python.generator_contexts import is_context_manager, take_yields
from arraytyping.checker.flow.python.recorded_values import as_recorded
from arraytyping.checker.flow.state.certainty import doubting
from arraytyping.checker.flow.state.forgetting import ANY_ARGUMENTS
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.interpreter import Interpreter, Recursion
from arraytyping.checker.flow.state.joins import join, joining_in_doubt
from arraytyping.checker.flow.state.joins.saved import LOADING
from arraytyping.checker.flow.state.journal import Path
from arraytyping.checker.flow.state.laziness import Production, producing, reads
from arraytyping.checker.flow.state.library_work import (
    call_back,
    call_library,
    check_library_work,
    enters_library,
    leaves_library,
)
from arraytyping.checker.flow.state.told_uses import told_by_uses
from arraytyping.checker.flow.values import (
    MISSING,
    CoroutineValue,
    DictValue,
    FunctionValue,
    IteratorValue,
    ListValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.basic import births
from arraytyping.checker.flow.values.calls import Call, RestArguments
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["call_function", "define", "define_lambda", "is_generator", "parameters"]

_MOST_UNDECIDED: Final = 1_000
"""How many undecided calls of a function may be made within one of it."""
_FEW: Final = 32
"""And how many if they are deep within undecided branches, or take much work."""
_DEEP: Final = 8


def define(it: Interpreter, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> Value:
    """The value of a `def`, its decorators applied."""
    function = FunctionValue(
        node,
        frame,
        node.name,
        [it.evaluate(d, frame) for d in node.args.defaults],
        [MISSING if d is None else it.evaluate(d, frame) for d in node.args.kw_defaults],
    )
    evaluate_removed(it, of_signature(node), frame)
    if it.definitions is not None:
        it.definitions.add(node, function)
    value: Any = function
    decorators = [it.evaluate(d, frame) for d in node.decorator_list]
    for decorator, at in zip(reversed(decorators), reversed(node.decorator_list)):
        it.chain.append((frame.function.name if frame.function else "", frame.module, at))
        try:
            value = it.call(decorator, [value], {}, at)
        finally:
            it.chain.pop()
    return value


def define_lambda(it: Interpreter, node: ast.Lambda, frame: Frame) -> FunctionValue:
    """The value of a `lambda`."""
    defaults = [it.evaluate(d, frame) for d in node.args.defaults]
    kw_defaults = [MISSING if d is None else it.evaluate(d, frame) for d in node.args.kw_defaults]
    function = FunctionValue(node, frame, "<lambda>", defaults, kw_defaults)
    if it.definitions is not None:
        it.definitions.add(node, function)
    return function


@functools.cache
def _inner(node: ast.AST) -> list[ast.AST]:
    """The nodes of a function's own body, without those of the functions and classes in it."""
    body = [node.body] if isinstance(node, ast.Lambda) else list(getattr(node, "body", []))
    found: list[ast.AST] = []
    stack: list[ast.AST] = list(body)
    while stack:
        n = stack.pop()
        found.append(n)
        if not isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            stack.extend(ast.iter_child_nodes(n))
    return found


@functools.cache
def is_generator(node: ast.AST) -> bool:
    """Whether a function is a generator."""
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in _inner(node))


@functools.cache
def _local_names(node: ast.AST) -> frozenset[str]:
    """The names that a function binds in its body."""
    names = {n.id for n in _inner(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names |= {n.name for n in _inner(node) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    outer = {name for n in _inner(node) if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names}
    return frozenset(names - outer)


@functools.cache
def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> tuple[str, ...]:
    """The names of the parameters that take positional arguments."""
    return tuple(p.arg for p in (*node.args.posonlyargs, *node.args.args))


def bind(function: FunctionValue, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value] | str:
    """The parameters' values, or what is wrong with the call, as Python says it."""
    spec = function.node.args
    names = parameters(function.node)
    bound: dict[str, Value] = {}
    name = f"{function.name}()"
    if is_any := bool(args) and args[-1] is ANY_ARGUMENTS:
        args = args[:-1]
    rest: Value = MISSING
    if args and isinstance(args[-1], RestArguments):
        *args, rest = args
    for parameter, value in zip(names, args):
        bound[parameter] = value
    if len(args) > len(names) and spec.vararg is None:
        few = f"{len(names)} positional argument{'' if len(names) == 1 else 's'}"
        return f"TypeError: {name} takes {few} but {len(args)} {'was' if len(args) == 1 else 'were'} given"
    if spec.vararg is not None:
        bound[spec.vararg.arg] = ANY_ARGUMENTS if is_any else tuple(args[len(names) :])
        if isinstance(rest, RestArguments):  # which is given to functions only that gather what comes there
            bound[spec.vararg.arg] = rest.many
    positional_only = {p.arg for p in spec.posonlyargs}
    keywords = {p.arg for p in spec.kwonlyargs}
    extra: dict[Any, Any] = {}
    for key, value in kwargs.items():
        if (key in names and key not in positional_only) or key in keywords:
            if key in bound:
                return f"TypeError: {name} got multiple values for argument '{key}'"
            bound[key] = value
        elif spec.kwarg is not None:
            extra[key] = value
        else:
            return f"TypeError: {name} got an unexpected keyword argument '{key}'"
    if spec.kwarg is not None:
        bound[spec.kwarg.arg] = ANY_ARGUMENTS if is_any else DictValue(extra)
    first = len(names) - len(function.defaults)
    for i, parameter in enumerate(names):
        if parameter not in bound:
            if i < first:
                return f"TypeError: {name} missing a required argument: '{parameter}'"
            bound[parameter] = function.defaults[i - first]
    for p, default in zip(spec.kwonlyargs, function.kw_defaults):
        if p.arg not in bound:
            if default is MISSING:
                return f"TypeError: {name} missing a required keyword-only argument: '{p.arg}'"
            bound[p.arg] = default
    return bound


def call_function(it: Interpreter, function: FunctionValue, call: Call) -> Value:
    """Call a function of the program."""
    it.check_time()
    check_library_work(it)
    bound = bind(function, call.args, call.kwargs)
    if isinstance(bound, str):
        return it.fail(call.node, "array-call", bound)
    if function.is_checked and it.trying:
        it.obscure += 1
    if isinstance(function.node, ast.AsyncFunctionDef) and not is_generator(function.node):
        caller = it.frame

        def run() -> tuple[list[Value] | None, Value, bool]:
            it.journal.touch(coroutine)
            with it.in_frame(caller):
                return [_settled(it, function, bound, call.node)], MISSING, False

        coroutine = CoroutineValue(pending=run)
        return coroutine
    return _settled(it, function, bound, call.node)


def _settled(it: Interpreter, function: FunctionValue, bound: dict[str, Value], node: ast.AST | None) -> Value:
    """The result of a call, which may be a recursion."""
    if len(it.chain) > it.limits.depth:
        return it.unknown("calls nested too deeply")
    calls = it.active.setdefault(function.node, [])
    # Only a function that is under way already can be a recursion, and no context manager, whose block is inside it.
    if calls and not is_context_manager(it):
        key = _key(it, function, bound)
        for asked in calls:
            if asked.key() == key:
                asked.is_asked = True
                if asked.assumed is MISSING:
                    raise Recursion
                return asked.assumed
    if calls and calls[0].takes_too_much():
        raise Recursion
    asked = _Call(it, function, bound)
    calls.append(asked)
    if is_generator(function.node) and not is_context_manager(it):
        calls.remove(asked)
        return _lazily(it, function, bound, node)
    try:
        for _ in range(4):
            mark = it.journal.mark
            result = _run(it, function, bound, node)
            if not asked.is_asked:
                return result
            _spoil_outside(it, mark, asked)
            if asked.is_given_up:
                return it.unknown("a recursion of which too many calls are undecided")
            if asked.assumed is not MISSING and identity(result) == identity(asked.assumed):
                return result
            asked.assumed = join(asked.assumed, result)
            asked.is_asked = False
            it.journal.undo(mark)
        asked.assumed = it.unknown("a recursion that does not settle")
        return _run(it, function, bound, node)
    except Recursion:
        if asked.assumed is MISSING and len(calls) > 1 and not asked.is_asked:
            raise  # of a call further out
        return it.unknown("a recursion without an end")
    finally:
        calls.remove(asked)


def _lazily(it: Interpreter, function: FunctionValue, bound: dict[str, Value], node: ast.AST | None) -> IteratorValue:
    """A generator: its body runs when the first item is asked for, and then to its end.

    What it writes outside meanwhile is seen between its items, so it is any of what was written.
    """
    staged = it.staged

    def run() -> tuple[list[Value] | None, Value, bool]:
        it.journal.touch(iterator)
        mark, born = it.journal.mark, iterator.born
        made: Any = None
        begun = it.generating.setdefault(function.node, [])
        this = _Call(it, function, bound)
        if begun and begun[0].takes_too_much():
            return None, it.unknown("a generator that goes through itself undecided"), False
        for outer in begun:
            if outer.key() == this.key():  # it goes through itself, as one does that walks a tree
                outer.is_asked = True
                return None, it.unknown("a generator that goes through itself"), False
        begun.append(this)
        before, it.staged = it.staged, staged
        try:
            with producing(it) as production:
                made = _run(it, function, bound, node, production)
        finally:
            it.staged = before
            begun.remove(this)
        writes = it.journal.blur_outside(mark, born)
        iterator.made_by = None if writes or this.is_asked else run
        if this.is_asked:
            _spoil_outside(it, mark, this)
        iterator.has_changed = reads(function.node, _local_names(function.node) | bound.keys(), function.frame, bound)
        if made is None:
            return None, it.unknown("what a generator gives that raises later on"), False
        return made.items, made.element, made.infinite

    iterator = IteratorValue(pending=run)
    return iterator


def _spoil_outside(it: Interpreter, mark: int, call: _Call) -> None:
    """A recursion was not followed into: what it writes outside of the call may be anything that it writes."""
    it.journal.spoil_outside(mark, call.born)


class _Call:
    """A call under way: its arguments, what is assumed of its result, and whether that was asked for."""

    def __init__(self, it: Interpreter, function: FunctionValue, bound: dict[str, Value]) -> None:
        self.it = it
        self.function = function
        self.bound = dict(bound)
        self.assumed: Value = MISSING
        self.is_asked = False
        self.born = next(births)
        self.is_given_up = False
        self._undecided = it.undecided
        self._within = 0
        """How many calls of the function were made within it where that was not decided."""
        self._begun = it.work
        self._key: Value = None

    def takes_too_much(self) -> bool:
        """Whether one more call within it is one too many: undecided ones may be twice as many each time."""
        undecided = self.it.undecided - self._undecided
        self._within += undecided > 0
        is_deep = undecided >= _DEEP or self.it.work - self._begun > self.it.limits.idle_work
        if self._within > _MOST_UNDECIDED or (is_deep and self._within > _FEW):
            self.is_asked = self.is_given_up = True
        return self.is_given_up

    def key(self) -> Value:
        if self._key is None:
            self._key = _key(self.it, self.function, self.bound)
        return self._key


def _key(it: Interpreter, function: FunctionValue, bound: dict[str, Value]) -> Value:
    return id(function.frame), tuple((n, identity(v)) for n, v in bound.items()), it.staged > 0


def _run(
    it: Interpreter,
    function: FunctionValue,
    bound: dict[str, Value],
    node: ast.AST | None,
    production: Production | None = None,
) -> Value:
    module = function.frame.module
    if leaves_library(it, module):
        return call_back(it, functools.partial(_run_body, it, function, bound, node, production))
    if enters_library(it, module):
        run = functools.partial(_run_body, it, function, bound, node, production)
        return call_library(it, f"{module.name}.{function.name}", list(bound.values()), run, node, module.is_stand_in)
    return _run_body(it, function, bound, node, production)


def _run_body(
    it: Interpreter,
    function: FunctionValue,
    bound: dict[str, Value],
    node: ast.AST | None,
    production: Production | None,
) -> Value:
    definition = function.node
    frame = Frame(function.frame, "function", function.frame.module)
    frame.function = function
    frame.production = production
    frame.born = next(births)
    frame.variables.update(bound)
    names = parameters(definition)
    frame.receiver = bound[names[0]] if names else MISSING
    frame.mark = it.journal.mark
    caller = it.frame
    if it.definitions is not None:
        it.definitions.enter(definition)
    it.frame = frame
    try:
        if isinstance(definition, ast.Lambda):
            return it.evaluate(definition.body, frame)
        frame.names = _local_names(definition)
        generator = is_generator(definition)
        if generator:
            frame.yields = take_yields(it) or ListValue([])
        for p in (*definition.args.posonlyargs, *definition.args.args, *definition.args.kwonlyargs):
            if p.annotation is not None:
                what = f"argument {p.arg!r} of {function.name}"
                with it.in_frame(caller):  # where the argument is given, perhaps in another file
                    value = it.check_annotation(p.annotation, bound[p.arg], node, function.frame, frame, what)
                frame.variables[p.arg] = value
            if isinstance(frame.variables[p.arg], Unknown):
                frame.variables[p.arg] = told_by_uses(it, function, p, frame.variables[p.arg])
            if it.recorded is not None:
                frame.variables[p.arg] = as_recorded(it, p, frame, frame.variables[p.arg])
        if definition.returns is not None and not generator:
            frame.returns = definition.returns
        if not it.quiet:
            it.reached.add(definition)
        with doubting(it, frame):
            falls_through = it.execute(definition.body, frame)
            with joining_in_doubt(any(frame.doubts)):
                result = _result(it, frame, falls_through, generator)
        return result
    finally:
        it.frame = caller


def _result(it: Interpreter, frame: Frame, falls_through: bool, generator: bool) -> Value:
    """Join the paths that returned, their states and their values."""
    returned = [e for e in frame.exits if e.kind == "return"]
    LOADING.meet([e.loaded for e in returned], falls_through)
    if returned and (len(returned) > 1 or falls_through):
        it.journal.meet_paths(frame.mark, [Path.of(e) for e in returned], falls_through)
    elif len(returned) == 1 and not it.journal.is_at(returned[0]):  # what a path wrote that has raised is taken back
        it.journal.meet_paths(frame.mark, [Path.of(returned[0])], False)
    if generator:
        yields = frame.yields
        return IteratorValue(yields.items, yields.element, infinite=not falls_through and not returned)
    value: Any = None if falls_through else MISSING
    for e in returned:
        value = join(value, e.value)
    if value is MISSING:
        return Unknown("a function that does not return")
    return value
