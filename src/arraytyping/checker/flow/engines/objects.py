"""Calls of libraries on objects that have a state, such as a module of Flax that is bound to its variables.

Such an object holds tracers, so it can be used only in the trace that these belong to: in a callback that is the one
under way, and at the top of the program one that stays open for the whole run.  Nothing is computed in it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import operator
import re
import types
from collections.abc import Callable, Iterator
from typing import Any, Final

from arraytyping.checker.flow.engines.alternatives import with_each
from arraytyping.checker.flow.engines.conversion import (
    PROGRAM,
    Abort,
    Callback,
    Held,
    PartialClass,
    dim_to_jax,
    from_jax,
    is_callable_value,
    unseen,
)
from arraytyping.checker.flow.engines.flax_shapes import asked_once
from arraytyping.checker.flow.engines.held_lists import HeldLists
from arraytyping.checker.flow.engines.initialized_modules import is_module_class
from arraytyping.checker.flow.engines.invented_sizes import is_refused_for_all_sizes
from arraytyping.checker.flow.engines.jax import Refused
from arraytyping.checker.flow.engines.loose_modules import call_part, entered_loosely, seen_so_far
from arraytyping.checker.flow.engines.module_escapes import let_escape
from arraytyping.checker.flow.engines.module_sizes import no_less_than_zero, sized_arguments
from arraytyping.checker.flow.engines.refusals import code_of, first_line, is_trusted
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.state.counting import blur_counts
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.keys import apart, consume_again
from arraytyping.checker.flow.state.nan_gradients import check_gradients
from arraytyping.checker.flow.state.numbering import is_numbering_unsure, note_made, numbering
from arraytyping.checker.flow.state.origins import variable_origin
from arraytyping.checker.flow.state.stateful import has_stateful, is_stateful, told_by
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BoundMethod,
    ClassValue,
    DictValue,
    InstanceValue,
    IteratorValue,
    KeyOrigin,
    KeyUse,
    ListValue,
    NumPyValue,
    PartialValue,
    ScalarValue,
    SetValue,
    TreeValue,
    Value,
    is_concrete,
    is_traced,
    remake_tuple,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow, swallowing
from arraytyping.semantics.avals import Shape

__all__ = ["Objects"]

_UNCERTAIN: Final = re.compile("shape_poly|_DimExpr|must be initialized in")
_MAKING: Final = frozenset({"param", "variable", "put_variable", "sow", "perturb"})
"""Methods of modules that make variables."""
_OF_VARIABLES: Final = ("value", "raw_value")
"""Attributes of which a variable of Flax holds an array."""
_LINK: Final = re.compile(r" \(https?://\S*\)")
_UNDECIDED: Final = frozenset({
    "UnexpectedTracerError", "TraceContextError", "NotImplementedError", "AssertionError", "RecursionError",
    "AttributeError", "KeyError", "InconclusiveDimensionOperation", "NameError", "ImportError", "OSError",
    "RuntimeError", "AssignSubModuleError", "CallCompactUnboundModuleError", "RepresenterError",
})  # fmt: skip
"""Exceptions that may come from what stands for the program's objects here, rather than from the program."""


class Objects:
    """The objects of libraries in one run that have a state."""

    def __init__(self, engines: Together) -> None:
        self._engines = engines
        self._trace: Any = None
        self._scalars = 0
        self._flags: dict[int, bool] | None = None
        """Which arrays made for the arguments of a call are tracers of the program."""
        self._kept: list[Any] = []
        self._lists = HeldLists()
        self._depth = 0
        self._escaping: list[Any] = []
        """What was called within the call under way, not known well enough: it may call the program with anything."""
        self._drawn: list[dict[KeyOrigin, KeyUse]] = []
        """What functions of the program draw from keys, for the calls of libraries under way."""
        self._origins: dict[int, tuple[Any, tuple[str, int] | None]] = {}
        """What a library was given for arrays, by address, and where these were made, if origins are noted."""

    # ------------------------------------------------------------------ calls

    def take(self, function: Value, values: list[Value]) -> bool:
        """Whether a call is one on such objects, or of what a library made of a function of the program."""
        # That of its code: what wraps a function has the name of that one's.
        names = told_by(function, "__globals__")
        module = names.get("__name__") if isinstance(names, dict) else getattr(function, "__module__", None)
        if isinstance(module, str) and (module == PROGRAM or module.startswith(("flax.nnx", "haiku."))):
            return True
        return is_stateful(function) or has_stateful(values)

    def call(self, it: Interpreter, function: Any, call: Call) -> Value:
        """What a function, class or method of a library gives.

        Raises:
            Abort: if an argument is not known well enough, or the library cannot go on without a value.
        """
        if isinstance(function, type) and not self._engines.asker.callbacks.bases:
            # Not inside of a module, where each that is made has a name of its own.
            found = with_each(it, call, lambda one: self.call(it, function, one))
            if found is not MISSING:
                return found
        if (part := call_part(self._engines, it, function, call)) is not MISSING:
            return part
        outer, self._escaping = self._escaping, []
        is_inside = bool(self._engines.asker.callbacks.bases)
        loosely = None if is_inside else entered_loosely(self._engines, it, function, call)
        go_back = None if loosely is None else seen_so_far(it)
        self._depth += 1
        try:
            return self._call(it, function, call)
        except Abort:
            if loosely is not None and go_back is not None:
                go_back()
                self._escaping = []
                return loosely()
            self._escaping.append(function)
            raise
        finally:
            waiting, self._escaping = self._escaping, outer
            self._depth -= 1
            if self._depth:  # the outermost call may be followed anew
                self._escaping += waiting
            else:
                for escaping in waiting:
                    let_escape(it, escaping)

    def _call(self, it: Interpreter, function: Any, call: Call) -> Value:
        abstract = [v for v in call.values if isinstance(v, ArrayValue | TreeValue | DictValue)]
        all_traced = it.staged > 0 and bool(abstract) and all(map(is_traced, abstract))
        scalars = self._scalars
        if isinstance(function, type) and not call.kwargs.get("name") and function.__name__ != "Dropout":
            note_made(it)

        def action() -> Value:
            outer, self._flags = self._flags, self._engines.asker.callbacks.tracers[-1]
            try:
                given, named = (call.args, call.kwargs)
                if isinstance(function, type):
                    given, named = sized_arguments(self._engines, it, function, call.args, call.kwargs)
                real_args = [self.real(it, a, call.node) for a in given]
                real_kwargs = {k: self.real(it, v, call.node) for k, v in named.items()}
                self._bring_up_to_date(it, call.node)
            finally:
                self._flags = outer
            return function(*real_args, **real_kwargs)

        try:
            callbacks = self._engines.asker.callbacks
            with self._engines.unknown_sizes.within():
                found = callbacks.several.join(
                    it,
                    lambda: self.run(
                        it,
                        action,
                        call.node,
                        lambda: all_traced and scalars == self._scalars,
                        any(a is None for a in call.args),
                    ),
                )
                found = self._engines.unknown_sizes.forget(found)
        except Abort:
            it.path_uncertain += _changes_state(function)
            raise
        if type(found) is bool and function in (operator.eq, operator.ne):
            return it.unknown("a comparison of objects whose arrays are not known")
        return found

    def run(
        self,
        it: Interpreter,
        action: Callable[[], Any],
        node: ast.AST | None,
        all_traced: Callable[[], bool] | None = None,
        gives_none: bool = False,
    ) -> Value:
        """The value of what an action of a library gives; its exception is a mistake of the program.

        With an argument that is None, one of several values that are tried out, the library may say that it is no
        container in its own code.
        """
        scalars = self._scalars
        mark, born = it.journal.mark, it.journal.newest
        jax = self._engines.jax
        jax.sizes_met.clear()
        with self.inside(), self._drawing(it):
            try:
                return self.value(it, action(), node)
            except jax.concreteness as error:
                if all_traced is None or not all_traced():
                    raise Abort("a library needs a value that is not known") from None
                refused = Refused(error, True)
            except Exception as error:
                swallow(error)
                names = {base.__name__ for base in type(error).__mro__}
                decided = scalars == self._scalars and _UNCERTAIN.search(str(error)) is None and is_trusted(error)
                decided = decided and jax.is_of_sizes_met(str(error))
                is_none = self._engines.asker.callbacks.several.is_none or (gives_none and it.quiet > 0)
                is_of_none = is_none and "NoneType" in str(error)
                if decided and jax.sizes_met:
                    decided = is_refused_for_all_sizes(it, jax, action, (), error, jax.inconclusive)
                if not is_of_none and (names & _UNDECIDED or not decided):
                    raise Abort(f"a library's object: {type(error).__name__}: {str(error)[:80]}") from None
                refused = Refused(error, False)
            finally:
                blur_counts(it.journal, mark, born)
        is_shape = type(refused.error).__name__ == "ScopeParamShapeError"
        message = _LINK.sub("", first_line(refused.error))
        return it.fail(node, "array-shape" if is_shape else code_of(refused), message)

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """Be in the trace of the objects."""
        callbacks, jax = self._engines.asker.callbacks, self._engines.jax
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
            stack.enter_context(asked_once(jax))
            if not callbacks.bases:
                if self._trace is None:
                    self._trace = jax.private.new_trace()
                stack.enter_context(jax.private.in_trace(self._trace))
                callbacks.bases.append(self._trace)
                stack.callback(callbacks.bases.pop)
                stack.callback(self._kept.clear)
                stack.callback(jax.stand_ins.clear)
            callbacks.tracers.append({})
            stack.callback(callbacks.tracers.pop)
            yield

    # ------------------------------------------------------------------ conversion

    def real(self, it: Interpreter, value: Value, node: ast.AST | None) -> Any:
        """The object that a value is for a library.

        Raises:
            Abort: if it is not known well enough.
        """
        callbacks = self._engines.asker.callbacks
        if isinstance(value, ArrayValue):
            made = callbacks.outgoing(it, value, node)
            if it.notes_origins:
                self._origins[id(made)] = (made, value.origin)
            # What stands for an array is of jax either way: whether it was a tracer is asked for when it comes back.
            if self._flags is not None:
                self._flags[id(made)] = value.traced
                self._kept.append(made)
            return made
        if isinstance(value, NumPyValue) and value.data is None:
            if value.shape is None or value.dtype is None:
                raise Abort("a NumPy array of which a part is unknown")
            if not all(isinstance(d, int) for d in value.shape):
                return self._of_open_size(it, value.shape, value.dtype)
            # The elements of these zeros mean nothing: of what comes back of them only the type is taken.
            zeros = unseen(self._engines.jax, value.shape, self._engines.jax.dtype(value.dtype))
            return self._engines.jax.zeros((), str(zeros.dtype), False) if value.is_scalar else zeros
        if isinstance(value, ScalarValue):
            dim = no_less_than_zero(value.size) if value.kinds == (int,) else None
            if dim is not None:
                return dim_to_jax(self._engines.jax, dim)
            self._scalars += 1
            return callbacks.outgoing(it, value, node)
        if isinstance(value, tuple):
            return remake_tuple(value, [self.real(it, v, node) for v in value])
        if isinstance(value, ListValue) and value.items is not None:
            return [self.real(it, v, node) for v in value.items]
        if isinstance(value, IteratorValue) and value.items is not None:
            return iter([self.real(it, v, node) for v in value.items])
        if isinstance(value, DictValue) and value.items is not None and all(map(is_concrete, value.items)):
            items = {k: self.real(it, v, node) for k, v in value.items.items()}
            return items if value.kind is dict else _other_dict(value.kind, items)
        if isinstance(value, SetValue) and value.items is not None:
            return value.kind(value.items)
        if type(value) is slice:
            return slice(*(self.real(it, v, node) for v in (value.start, value.stop, value.step)))
        if isinstance(value, Held):
            return value
        if isinstance(value, TreeValue):
            return value.treedef.unflatten([self.real(it, leaf, node) for leaf in value.leaves])
        if isinstance(value, ClassValue):
            if value.tuple_type is not None:
                return value.tuple_type
            real = self._engines.real_class(it, value)
            return real if real is not None else self.callback(it, value, node)
        if isinstance(value, InstanceValue):
            if not self._engines.pytrees.is_tree(value):
                return self.callback(it, value, node) if is_callable_value(value) else Held(value)
        elif is_callable_value(value):
            made = self._partial_class(it, value, node) if isinstance(value, PartialValue) else None
            return made if made is not None else self.callback(it, value, node)
        return callbacks.outgoing(it, value, node)

    def _of_open_size(self, it: Interpreter, shape: Shape, dtype: str) -> Any:
        """An array of JAX in the place of one of NumPy, which has no symbols for sizes: what libraries make of it.

        A function of the program that is given it has the one of NumPy again.
        """
        jax = self._engines.jax
        shape = self._engines.unknown_sizes.named(it, shape)
        made = jax.zeros(tuple(dim_to_jax(jax, d) for d in shape), str(jax.canonical(dtype)), False)
        jax.stand_ins[id(made)] = made, NumPyValue(shape, dtype)
        return made

    def _partial_class(self, it: Interpreter, value: PartialValue, node: ast.AST | None) -> PartialClass | None:
        """A module of Flax with some of its fields, which `nn.vmap(partial(Net, width=8))` takes as a class."""
        cls = value.function
        if isinstance(cls, PartialValue):
            real: Any = self._partial_class(it, cls, node)
        else:
            real = self._engines.real_class(it, cls) if isinstance(cls, ClassValue) else cls
            real = real if is_module_class(real) else None
        if real is None:
            return None
        args, kwargs = self.real(it, value.args, node), {k: self.real(it, v, node) for k, v in value.kwargs.items()}
        made = PartialClass(real, *args, **kwargs)
        made.given = value
        return made

    def value(self, it: Interpreter, real: Any, node: ast.AST | None) -> Any:
        """The value of an object that a library gives."""
        callbacks = self._engines.asker.callbacks
        made = (it.frame.module.shown, getattr(node, "lineno", 0)) if node is not None else None

        def traced(array: Value) -> bool:
            if it.staged == 0 and len(callbacks.bases) == 1 and callbacks.bases[0] is self._trace:
                return any(any(flags.values()) for flags in callbacks.tracers)  # no trace of the program is under way
            return it.staged > 0 or callbacks.is_traced(array)

        place = self._place_of(it, made, node) if it.notes_origins else made
        return from_jax(self._engines.jax, real, traced, place, callbacks.build(it, node), callbacks.live)

    def _place_of(
        self, it: Interpreter, otherwise: tuple[str, int] | None, node: ast.AST | None
    ) -> Callable[[Any], tuple[str, int] | None]:
        """Where the array was made that a library has been given, and gives again."""

        def place_of(tracer: Any) -> tuple[str, int] | None:
            given = self._origins.get(id(tracer))
            jax = self._engines.jax
            if given is None and jax.private.primal_of(tracer) is not None:
                made = variable_origin(it, otherwise, jax.dtype_name(jax.aval(tracer).dtype), node)
                given = self._origins[id(tracer)] = (tracer, made)
            return otherwise if given is None else given[1]

        return place_of

    def callback(self, it: Interpreter, function: Value, node: ast.AST | None) -> Callback:
        """A function of the program as a library sees it."""
        return Callback(function, lambda called, args, kwargs: self.called_back(it, called, Call(args, kwargs, node)))

    def called_back(self, it: Interpreter, function: Value, call: Call) -> Value:
        """A library calls a function of the program."""
        callbacks, jax = self._engines.asker.callbacks, self._engines.jax
        staging = jax.is_staging(callbacks.bases[-1] if callbacks.bases else None)

        def incoming(v: Value) -> Value:
            place = self._place_of(it, None, call.node) if it.notes_origins else None
            return from_jax(jax, v, callbacks.is_traced, place, callbacks.build(it, call.node), callbacks.live)

        it.staged += staging
        try:
            given, named = [incoming(a) for a in call.args], {k: incoming(v) for k, v in call.kwargs.items()}
            with contextlib.ExitStack() as stack:
                drawn = stack.enter_context(apart(it)) if self._drawn else {}
                stack.enter_context(numbering(it))
                result = it.call(function, given, named, call.node)
                if is_numbering_unsure(it) and _name_of(function) != "setup":  # where attributes name them
                    raise Abort("modules that are made under a condition that is not known")
            if self._drawn:
                self._drawn[-1].update(drawn)
            if it.notes_origins:
                check_gradients(it, (), result)
            with contextlib.nullcontext() if callbacks.tracers else self.inside():
                self._bring_up_to_date(it, call.node)
                return self.real(it, result, call.node)
        finally:
            it.staged -= staging

    @contextlib.contextmanager
    def _drawing(self, it: Interpreter) -> Iterator[None]:
        """A library may call a function more often than it is executed: what that draws from keys is drawn once."""
        self._drawn.append({})
        try:
            yield
        finally:
            for origin, use in self._drawn.pop().items():
                consume_again(it, origin, use)

    # ------------------------------------------------------------------ what a program does with the objects

    def attribute(self, it: Interpreter, owner: Value, name: str, node: ast.AST | None) -> Value:
        """An attribute; MISSING if there is none."""
        absent: list[bool] = []
        held: list[Value] = []

        def action() -> Value:
            try:
                found = getattr(owner, name)
            except AttributeError:
                absent.append(True)
                return None
            if (value := self._lists.of(found)) is None:
                return found
            held.append(value)
            return None

        try:
            found = self.run(it, action, node)
        except Abort as abort:
            return it.unknown(abort.why)
        if held:
            return held[0]
        if absent and hasattr(self._engines.jax.jax.Array, name):  # which a tracer in the object may not have
            return it.unknown(f"attribute {name} of a tracer")
        return MISSING if absent else found

    def put_attribute(self, it: Interpreter, owner: Value, name: str, value: Value, node: ast.AST | None) -> None:
        """Bind an attribute."""

        def action() -> None:
            # A number of the program is none of jax: a tracer in its place would be data to Flax.
            is_number = isinstance(value, ScalarValue) and _is_of_program(owner) and name not in _OF_VARIABLES
            real = Held(value) if is_number else self.real(it, value, node)
            setattr(owner, name, real)
            if _is_of_program(owner):
                self._lists.note(owner, name, real, value)

        try:
            self.run(it, action, node)
        except Abort as abort:
            it.unknown(abort.why)
            it.path_uncertain += 1  # for the rest of the run: the object is not what it is in the program
            with swallowing(), self.inside():
                setattr(owner, name, Held(it.unknown(abort.why)))

    def _bring_up_to_date(self, it: Interpreter, node: ast.AST | None) -> None:
        """Lists that objects hold become what the program has made of them."""

        def real_of(value: Value) -> Any:
            try:
                return self.real(it, value, node)
            except Abort as abort:
                it.path_uncertain += 1  # as where an attribute is bound
                return [Held(it.unknown(abort.why))] if isinstance(value, ListValue) else {}

        self._lists.bring_up_to_date(real_of)

    def get_item(self, it: Interpreter, owner: Any, index: Value, node: ast.AST | None) -> Value:
        """`owner[index]`."""
        try:
            return self.run(it, lambda: owner[self.real(it, index, node)], node)
        except Abort as abort:
            return it.unknown(abort.why)

    def put_item(self, it: Interpreter, owner: Any, index: Value, value: Value, node: ast.AST | None) -> None:
        """`owner[index] = value`."""

        def action() -> None:
            owner[self.real(it, index, node)] = self.real(it, value, node)

        try:
            self.run(it, action, node)
        except Abort as abort:
            it.unknown(abort.why)
            it.path_uncertain += 1

    def iterate(self, it: Interpreter, owner: Any, node: ast.AST | None) -> tuple[list[Value] | None, Value]:
        """The items of an object."""
        try:
            found = self.run(it, lambda: list(owner), node)
        except Abort as abort:
            return None, it.unknown(abort.why)
        return (found.items, MISSING) if isinstance(found, ListValue) else (None, found)


def _is_of_program(owner: Value) -> bool:
    """Whether an object is of a class of the program."""
    return type(owner).__module__ == PROGRAM


def _name_of(function: Value) -> str:
    called = function.function if isinstance(function, BoundMethod) else function
    return str(getattr(called, "name", ""))


def _changes_state(function: Value) -> bool:
    """Whether a function of a library is there to change objects, so that they are not what they should be without it.

    What a call of a model changes is as before in its shapes.
    """
    owner = getattr(function, "__self__", None)
    if owner is not None:
        return type(owner).__module__ == "flax.core.scope" or getattr(function, "__name__", "") in _MAKING
    module = getattr(function, "__module__", None) or ""
    return type(function) is types.FunctionType and module.startswith("flax.nnx")


def _other_dict(kind: Any, items: dict[Any, Value]) -> Value:
    try:
        made = kind()
        made.update(items)
        return made
    except Exception as error:
        swallow(error)
        return items
