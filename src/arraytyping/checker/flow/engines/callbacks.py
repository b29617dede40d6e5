"""Functions of the program as jax calls them: its tracers come in, and what is found goes out as zeros of its shape.

What goes out where a weak type is not known is a `Choice`, which is tried both ways.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import (
    GIVES_A_PART,
    PYTHON_DTYPES,
    Abort,
    Callback,
    dim_to_jax,
    from_jax,
    is_callable_value,
)
from arraytyping.checker.flow.engines.escapes import end_escaped, has_escaped, traces_around
from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.engines.key_draws import KeyDraws
from arraytyping.checker.flow.engines.several_results import SeveralResults
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.real_calls.permissions import may_enter
from arraytyping.checker.flow.state.interpreter import Interpreter, Signal
from arraytyping.checker.flow.state.keys import apart
from arraytyping.checker.flow.state.lives import begin_lives, tracing
from arraytyping.checker.flow.state.nan_gradients import check_gradients
from arraytyping.checker.flow.state.not_known import traces
from arraytyping.checker.flow.state.origins import argument_origin, leaves, note_results
from arraytyping.checker.flow.values import (
    ArrayValue,
    BaseValue,
    BoundMethod,
    ClassValue,
    DictValue,
    InstanceValue,
    IteratorValue,
    KeyOrigin,
    ListValue,
    NumPyValue,
    ScalarValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    is_concrete,
    remake_tuple,
    walk,
)
from arraytyping.checker.flow.values.basic import births

__all__ = ["Callbacks", "Choice", "NeedsLive"]

_UNSTAGED: Final = frozenset({
    "grad", "value_and_grad", "vmap", "jacfwd", "jacrev", "jacobian", "hessian", "jvp", "vjp", "linearize",
    "filter_grad", "filter_value_and_grad", "filter_vmap",
})  # fmt: skip
"""Transformations that call a function with tracers, and compile nothing."""


class NeedsLive(Signal):
    """The function that jax calls must be followed live.

    That is needed for the answer where a gradient depends on a rule of the program; else it only tells more.
    """

    def __init__(self, is_needed: bool = True) -> None:
        super().__init__()
        self.is_needed: bool = is_needed


class Choice:
    """The weak type that is tried for results of callbacks where it is not known.

    `is_invented` says that a callback gave a tracer in place of a Python or NumPy value that is not known;
    `is_displaced` that it gave an array of which it is not known where it lies.
    """

    __slots__ = ("is_displaced", "is_invented", "is_used", "weak")

    def __init__(self, weak: bool) -> None:
        self.weak: bool = weak
        self.is_used: bool = False
        self.is_invented: bool = False
        self.is_displaced: bool = False

    def use(self) -> bool:
        """The weak type that is tried, which decides about the answer from here on."""
        self.is_used = True
        return self.weak


class Callbacks:
    """The functions of the program that one run hands to jax, and the questions under way that they belong to."""

    def __init__(self, engines: Together, jax: JaxEngine) -> None:
        self.engines = engines
        self.jax = jax
        self.choices: list[Choice] = []
        """For the questions under way: which weak type callbacks give where it is not known."""
        self.is_blind = False
        """Whether it is not looked at what gets out of functions: they were followed live in vain."""
        self.live = 0
        """The number of the innermost live trace under way; 0 if there is none."""
        self.instance_of: Any = None
        """How an instance of the program is made again of what a library holds: `(class, children, rest)`."""
        self.bases: list[Any] = []
        """The outermost traces of the questions under way."""
        self.tracers: list[dict[int, bool]] = []
        """Which tracers of these questions stand for traced arrays, by identity."""
        self.places: list[dict[int, tuple[str, int] | None]] = []
        """Where the arrays were made that these tracers stand for."""
        self.keys: list[dict[int, KeyOrigin]] = []
        """Which keys these tracers stand for."""
        self.several: SeveralResults = SeveralResults()
        """Which of several values functions give, for the questions under way."""
        self.draws: list[KeyDraws] = []
        """What is drawn from keys, for the questions under way."""

    def callback(self, it: Interpreter, function: Value, node: ast.AST | None) -> Callback:
        """A function of the program as jax sees it."""
        around = traces_around(self.jax)

        def call(called: Value, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
            base = self.bases[-1] if self.bases else None
            staging = self.jax.is_staging(base)
            build = self.build(it, node)

            def place_of(tracer: Any) -> tuple[str, int] | None:
                found = self.place_of(tracer)
                is_differentiated = self.jax.private.primal_of(tracer) is not None
                return argument_origin(it, found, is_differentiated, node) if it.notes_origins else found

            def incoming(v: Value) -> Value:
                return from_jax(self.jax, v, self.is_traced, place_of, build, self.live, self.key_of)

            given = [incoming(a) for a in args]
            named = {k: incoming(v) for k, v in kwargs.items()}
            it.staged += staging
            mark, born = it.journal.mark, next(births)
            inner = called.function if isinstance(called, BoundMethod) else called
            label = getattr(inner, "name", "the function")
            try:
                with ExitStack() as stack:
                    if staging:
                        how = traces(it, self.draws[-1].name or "JAX", called) if self.draws else None
                        life = stack.enter_context(tracing(it, str(label), node, how))
                        begin_lives(life, (*given, *named.values()))
                    drawn = stack.enter_context(apart(it)) if self.draws else {}
                    result = it.call(called, given, named, node)
                if not staging and self.draws and self.draws[-1].transformation in _UNSTAGED:
                    if self.live:
                        end_escaped(it, self.jax, self.live, mark, born, [*around, *self.bases], str(label), node)
                    elif not self.is_blind and has_escaped(it, mark, born):
                        it.journal.undo(mark)
                        raise NeedsLive(False)
                if it.notes_origins:
                    note_results(it, (*given, *named.values()), result)
                    check_gradients(it, leaves((*given, *named.values())), result)
                if self.draws:
                    rows = self._rows(args, given) if self.draws[-1].is_mapping else []
                    self.draws[-1].add(called, drawn, given, result, rows)
                return self.outgoing(it, result, node)
            finally:
                it.staged -= staging

        return Callback(function, call)

    def instances_call_back(self, it: Interpreter) -> None:
        """Let a library call instances of the program that it is given as pytrees."""

        def call(instance: Value, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
            place = self.place_of if it.notes_origins else None
            value = from_jax(self.jax, instance, self.is_traced, place, self.build(it, None), self.live)
            return self.callback(it, value, it.chain[-1][2] if it.chain else None)(*args, **kwargs)

        self.engines.pytrees.call = call
        self.instance_of = self.build(it, None)

    def _rows(self, args: tuple[Value, ...], given: list[Value]) -> list[Value]:
        """The arrays of the program among arguments that are rows of what `vmap` maps over."""
        found: list[Value] = []
        for arg, value in zip(args, given):
            leaves = self.jax.jax.tree.leaves(arg)
            if all(self.jax.origin(leaf) is not self.jax.primal(leaf) for leaf in leaves):
                found += [v for v in walk(value) if isinstance(v, ArrayValue)]
        return found

    def place_of(self, tracer: Any) -> tuple[str, int] | None:
        """Where the array was made that a tracer stands for, also one of its items or its primal."""
        origin = self.jax.origin(tracer)
        return next((places[id(origin)] for places in reversed(self.places) if id(origin) in places), None)

    def key_of(self, tracer: Any) -> KeyOrigin | None:
        """The key that a tracer stands for, or each row of it under `vmap`; None if it is another one."""
        known = self.jax.primal(tracer)
        found = next((keys[id(known)] for keys in reversed(self.keys) if id(known) in keys), None)
        if found is not None:
            return found
        whole = self.jax.origin(tracer)
        rows = next((keys[id(whole)] for keys in reversed(self.keys) if id(whole) in keys), None)
        return None if rows is None else KeyOrigin(rows=rows)

    def is_traced(self, tracer: Any) -> bool:
        """Whether what a callback is given is a tracer in the program too: not if it is only differentiated."""
        primal = self.jax.primal(tracer)
        for flags in reversed(self.tracers):
            if id(primal) in flags:
                return flags[id(primal)]
        trace = self.jax.private.trace_of(primal)
        if trace is None:
            return False
        if any(trace is base for base in self.bases):
            return any(any(flags.values()) for flags in self.tracers)
        return True

    def outgoing(self, it: Interpreter, value: Value, node: ast.AST | None) -> Value:
        """A result of a callback as an object of jax.

        Raises:
            Abort: if it is not known well enough.
        """
        if isinstance(value, ArrayValue):
            return self._outgoing_array(it, value)
        if isinstance(value, NumPyValue):
            return self._outgoing_numpy(value)
        if isinstance(value, ScalarValue):
            return self._outgoing_scalar(value)
        if isinstance(value, tuple):
            return remake_tuple(value, [self.outgoing(it, v, node) for v in value])
        if isinstance(value, ListValue | IteratorValue):
            if value.items is None:
                raise Abort("a function gives a list of unknown length")
            return [self.outgoing(it, v, node) for v in value.items]
        if isinstance(value, DictValue):
            if value.items is None:
                raise Abort("a function gives a dict of unknown keys")
            if not all(map(is_concrete, value.items)):
                raise Abort("a function gives a dict whose keys are classes or functions of the program")
            return {k: self.outgoing(it, v, node) for k, v in value.items.items()}
        # jax's own flattening would call the program's functions, which only flow can: it is handed the parts.
        if isinstance(value, InstanceValue) and self.engines.pytrees.is_tree(value):
            children, rest = self.engines.pytrees.flatten(it, value, node)
            self.instances_call_back(it)
            return self.engines.pytrees.node(value, tuple(self.outgoing(it, c, node) for c in children), rest)
        if isinstance(value, TreeValue):
            return value.treedef.unflatten([self.outgoing(it, leaf, node) for leaf in value.leaves])
        if isinstance(value, Unknown):
            raise Abort(value.why)
        if isinstance(value, UnionValue):
            return self.outgoing(it, self.several.one_of(value), node)
        if is_callable_value(value):
            return self.callback(it, value, node)
        if isinstance(value, BaseValue):
            raise Abort("a function gives what jax does not take")
        if may_enter(value):
            return value
        if callable(value):
            return self.callback(it, value, node)
        raise Abort("an object that holds what is not called")

    def _outgoing_array(self, it: Interpreter, value: ArrayValue) -> Value:
        if value.real is not None and value.real[0] == self.live:
            return value.real[1]
        aval = value.aval
        if aval.shape is None or aval.dtype is None:
            raise Abort(GIVES_A_PART)
        weak = aval.weak_type
        if weak is None:
            if not self.choices:
                raise Abort("a function gives an array of unknown weak type")
            weak = self.choices[-1].use()  # the question is asked with either
        self._displaced(value)
        shape = self.engines.unknown_sizes.named(it, aval.shape)
        return self.jax.zeros(tuple(dim_to_jax(self.jax, d) for d in shape), aval.dtype, weak, value.place)

    def _outgoing_numpy(self, value: NumPyValue) -> Value:
        if value.shape is None or value.dtype is None or not all(isinstance(d, int) for d in value.shape):
            raise Abort("a function gives a NumPy array of which a part is unknown")
        if value.data is not None:
            return value.data[()] if value.is_scalar else value.data
        self._invented()
        return self.jax.numpy.zeros(value.shape, self.jax.dtype(value.dtype))

    def _outgoing_scalar(self, value: ScalarValue) -> Value:
        kinds = [k for k in value.kinds if k in PYTHON_DTYPES]
        if len(kinds) != 1 or len(value.kinds) != 1:
            raise Abort("a function gives a Python value that is not known")
        dtype = str(self.jax.canonical(PYTHON_DTYPES[kinds[0]]))
        self._invented()
        return self.jax.zeros((), dtype, kinds[0] is not bool)

    def _displaced(self, value: ArrayValue) -> None:
        if value.place is None and self.choices:
            self.choices[-1].is_displaced = True

    def _invented(self) -> None:
        if self.choices:
            self.choices[-1].is_invented = True

    def build(self, it: Interpreter, node: ast.AST | None) -> Callable[..., Any]:
        """How an instance of the program is made again of what a library holds: `(class, children, rest)`."""

        def build(cls: ClassValue, children: tuple[Value, ...], rest: Value) -> Value:
            return self.engines.pytrees.unflatten(it, cls, children, rest, node)

        return build
