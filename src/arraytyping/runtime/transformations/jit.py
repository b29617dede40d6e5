"""`jit`: trace a function once for each kind of arguments, compile it, and run the compiled program.

Source: https://docs.jax.dev/en/latest/jit-compilation.html.
"""

from __future__ import annotations

import functools
import inspect
import operator
import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, ParamSpec, TypeVar, overload

from arraytyping import config
from arraytyping.runtime import tree
from arraytyping.runtime.core import EVAL, Tracer, TypedScalar, _state, axis_env, current_trace, is_eager
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.shape_dtype_struct import of_whole, struct_of
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.transformations.arguments import (
    FlatFunction,
    arrays_of,
    described_argument,
    is_float0,
    name_of,
    named_as,
    with_held,
)
from arraytyping.runtime.transformations.calls import hoisted, jit_p
from arraytyping.runtime.transformations.found_calls import FoundCall
from arraytyping.runtime.transformations.jit_arguments import (
    has_hash,
    kind_of,
    marked_arguments,
    numbers_in,
    with_stand_ins,
)
from arraytyping.runtime.transformations.known_calls import KnownCall, Looks, order_of
from arraytyping.runtime.transformations.program_cache import MOST_TRACES, ProgramCache, cache_of
from arraytyping.runtime.transformations.retracing import Trace, why_traced
from arraytyping.runtime.transformations.stages import Lowered, Traced
from arraytyping.semantics.avals import ShapedArray

__all__ = ["JitWrapped", "jit"]

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(slots=True)
class _Entry:
    """What one kind of call runs."""

    jaxpr: ClosedJaxpr
    consts: list[Any]
    out_tree: Any
    single: bool
    donated: tuple[int, ...]
    held: dict[int, Any]
    compiled: Any = None

    def result(self, outs: Sequence[Any]) -> Any:
        """The function's result, of the arrays that the program gave."""
        return tree.unflatten(self.out_tree, with_held(outs, self.held) if self.held else outs)


class JitWrapped(Generic[P, R]):
    """A function that runs as a compiled program.

    `traces` says how often, and why, it was traced: for each time, which argument was of another kind than before.
    What a function was traced to is shared by all wrappers of it.

    `__call__` is an attribute of each wrapper: Python calls what stands there, without the wrapper as an argument.
    """

    __slots__ = ("__call__", "__dict__", "__weakref__")
    __call__: Callable[P, R]

    def __init__(
        self,
        function: Callable[P, R],
        static_argnums: Iterable[int] | None,
        static_argnames: Iterable[str] | None,
        donate_argnums: Iterable[int] | None,
        donate_argnames: Iterable[str] | None,
        inline: bool,
    ) -> None:
        named_as(self, function)
        self._function = function
        self._name: Final = name_of(function)
        self._inline = inline
        try:
            self._signature: inspect.Signature | None = inspect.signature(function)
        except (TypeError, ValueError):
            self._signature = None
        self._static_numbers, self._static_names = marked_arguments(
            self._signature, self._name, "static", static_argnums, static_argnames
        )
        self._donated_numbers, self._donated_names = marked_arguments(
            self._signature, self._name, "donate", donate_argnums, donate_argnames
        )
        if both := sorted(self._static_names & self._donated_names):
            raise ValueError(
                f"jit: static_argnames and donate_argnames cannot intersect, and both name {', '.join(both)}; a static "
                "argument has no memory to give"
            )
        self._by_count: Final = any(n < 0 for n in self._static_numbers | self._donated_numbers)
        self._plain: Final = not self._static_numbers and not self._static_names
        options = self._static_numbers, self._static_names, self._donated_numbers, self._donated_names
        self._cache: ProgramCache[_Entry] = cache_of(function, options)
        self._options: Final = static_argnums, static_argnames, donate_argnums, donate_argnames, inline
        self._looks: Final = Looks(self._static_numbers, self._static_names)
        self.traces: list[Trace] = []
        self._calls: dict[FoundCall, Any] = {}
        self._in_turn: list[Callable[..., Any]] = []
        self._living: list[bool] = self._cache.living
        self._slow: Final = _slowly(weakref.ref(self), function, self._options)
        self.__call__ = _first(self._slow)

    def _call(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """The function's result, where it is not known that the call is like the last."""
        eager, known = _state.trace is EVAL, None
        if eager and not self._by_count:
            known = self._looks.look(args, kwargs, config.promotion())
        if known is not None:
            try:
                found = self._cache.fast.get(known[0])
            except TypeError:  # a static argument without a hash
                found = known = None
            if found is not None and known is not None:
                self._prepare(found, args, kwargs)
                return found.result(known[2])
        if config.jit_is_disabled():
            return self._function(*args, **kwargs)
        entry, leaves = self._entry(args, kwargs)
        if eager:
            if entry.compiled is None:
                entry.compiled = EVAL.compile(ClosedJaxpr(_unhoisted(entry), entry.consts), self._name, entry.donated)
            if known is not None and self._is_kept(entry) and not entry.held:
                self._remember(entry, known, leaves, args, kwargs)
            outs = entry.compiled(leaves)
        elif self._inline:
            from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr

            outs = eval_jaxpr(entry.jaxpr.jaxpr, [], *entry.consts, *leaves)
        else:
            outs = jit_p.bind(*entry.consts, *leaves, jaxpr=entry.jaxpr, name=self._name)
        return entry.result(outs)

    def _prepare(self, found: FoundCall, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        """Let the next call be run by a text if it is like this one, which has come again."""
        calls = self._calls
        if self._living is not self._cache.living or len(calls) >= _MOST_TEXTS:
            calls.clear()
            self._in_turn.clear()
            self._living = self._cache.living
        made = calls.get(found, 0)
        if type(made) is int:
            if made < _CALLS_BEFORE:
                calls[found] = made + 1
                return
            static, dynamic = self._split(args, kwargs)
            made = calls[found] = found.text(self._slow, self._living, args, kwargs, dict(static), dynamic)
        if made is not None and made not in self._in_turn:
            with _lock:  # no text comes after itself
                if made in self._in_turn:
                    return
                if len(self._in_turn) >= _MOST_IN_TURN:
                    self._in_turn.clear()
                made.__globals__["slow"] = _after(self._in_turn[-1]) if self._in_turn else self._slow
                self._in_turn.append(made)
                self.__call__ = made

    def _is_kept(self, entry: _Entry) -> bool:
        return not any(isinstance(c, Tracer) for c in entry.consts)

    def _remember(
        self, entry: _Entry, known: KnownCall, leaves: list[Any], args: Sequence[Any], kwargs: dict[str, Any]
    ) -> None:
        """Let calls of this very kind find their program at once."""
        if not all(type(leaf) in (EVAL.array_class, TypedScalar) for leaf in leaves):
            return  # an array without a buffer of its own
        if any(type(leaves[i]) is TypedScalar for i in entry.donated):
            return  # the buffer of a constant is everyone's
        key, given, _, _ = known
        if (order := order_of(known)) is not None:
            given = [given[i] for i in order]
        wanted = tree.flatten_as_given(self._split(args, kwargs)[1])[0]
        if len(given) != len(wanted) or not all(map(operator.is_, given, wanted)):
            return  # a class whose objects are taken apart in another way each time
        avals = [leaf.aval for leaf in leaves]
        self._cache.keep_fast(key, FoundCall(entry.compiled, entry.out_tree, entry.single, order, avals, entry.donated))

    def _entry(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[_Entry, list[Any]]:
        """What a call of this kind runs, traced now if it is the first, and the arrays that it runs on."""
        static, dynamic = self._split(args, kwargs)
        found, in_tree = tree.flatten_as_given(dynamic)
        held = {i: leaf for i, leaf in enumerate(found) if is_float0(leaf)}
        places = [i for i in range(len(found)) if i not in held]
        leaves = arrays_of(
            [found[i] for i in places] if held else found, self._function,
            lambda i: described_argument(self._function, in_tree.paths()[places[i]]),
        )  # fmt: skip
        avals = tuple([leaf.aval for leaf in leaves])
        axes = axis_env()
        kinds = tuple([kind_of(value) for _, value in static])
        shapes = tuple([(i, leaf.shape) for i, leaf in held.items()])
        key = (in_tree, static, kinds, avals, shapes, id(config.promotion()), tuple(axes.items()) if axes else ())
        try:
            entry = self._cache.entries.get(key) or current_trace().calls.get((self._cache, key))
        except TypeError:
            bad = next((v for _, v in static if not has_hash(v)), None)
            raise ValueError(
                f"Non-hashable static arguments are not supported: one of {self._name} is {bad!r:.60} of type "
                f"{type(bad).__name__}, which has no hash; use a tuple, or make it dynamic"
            ) from None
        if entry is None:
            entry = self._trace(in_tree, static, avals, held)
            self.traces.append(why_traced(self._function, in_tree, static, avals, self.traces))
            del self.traces[:-MOST_TRACES]
            if self._is_kept(entry):
                self._cache.keep(key, entry)
            elif not is_eager():
                current_trace().calls[self._cache, key] = entry
        return entry, leaves

    def _split(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[tuple[tuple[Any, Any], ...], Any]:
        """The static arguments with their number or name, and the others."""
        if self._plain:
            return (), (tuple(args), kwargs)
        numbers = numbers_in(self._static_numbers, len(args)) if self._by_count else self._static_numbers
        static: list[tuple[Any, Any]] = [(i, a) for i, a in enumerate(args) if i in numbers]
        static += [(n, v) for n, v in sorted(kwargs.items()) if n in self._static_names]
        dynamic = tuple(None if i in numbers else a for i, a in enumerate(args))
        return tuple(static), (dynamic, {n: v for n, v in kwargs.items() if n not in self._static_names})

    def _trace(
        self, in_tree: Any, static: tuple[tuple[Any, Any], ...], avals: tuple[ShapedArray, ...], held: dict[int, Any]
    ) -> _Entry:
        def call(given: Any) -> Any:
            args, kwargs = list(given[0]), dict(given[1])
            for place, value in static:
                if isinstance(place, int):
                    args[place] = value
                else:
                    kwargs[place] = value
            return self._function(*args, **kwargs)

        flat = FlatFunction(self._function, tree.with_sorted_keys(in_tree), call, holds_float0=True)
        closed = stage((lambda *leaves: flat(*with_held(leaves, held))) if held else flat, avals)
        jaxpr, consts = hoisted(closed)
        donated: tuple[int, ...] = ()
        if self._donated_numbers or self._donated_names:
            paths = in_tree.paths()
            numbers = numbers_in(self._donated_numbers, in_tree.children()[0].num_children)
            donated = tuple(
                i
                for i, path in enumerate(paths)
                if (path[0] == 0 and path[1] in numbers) or (path[0] == 1 and path[1] in self._donated_names)
            )
        single = tree.structure(0) == flat.out_tree
        return _Entry(jaxpr, consts, flat.out_tree, single, donated, flat.held)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """As a function of a class: bound to the instance."""
        return self if instance is None else functools.partial(self, instance)

    def __reduce__(self) -> Any:
        return JitWrapped, (self._function, *self._options)

    def __repr__(self) -> str:
        return f"<jit of {self._name}, traced {len(self.traces)} times>"

    def clear_cache(self) -> None:
        """Forget all traces and programs."""
        self._cache.clear()
        self.traces.clear()
        self._calls.clear()
        self._in_turn.clear()
        self.__call__ = _first(self._slow)

    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """The function traced for arguments of these types; a `ShapeDtypeStruct` will do for an array."""
        args, kwargs = with_stand_ins(args, kwargs)
        entry, _ = self._entry(args, kwargs)
        closed = ClosedJaxpr(_unhoisted(entry), entry.consts)
        _, dynamic = self._split(args, kwargs)
        in_tree = tree.structure(dynamic)
        return Traced(
            self._function, self._name, closed, in_tree, entry.out_tree, entry.donated, entry.result,
            lambda args, kwargs: self._split(args, kwargs)[1],
        )  # fmt: skip

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """The function as StableHLO, for arguments of these types; `.compile()` makes a program of it."""
        return self.trace(*args, **kwargs).lower()

    def eval_shape(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        """What the result looks like, in its tree; nothing is computed."""
        entry, _ = self._entry(*with_stand_ins(args, kwargs))
        return of_whole(entry.result(list(map(struct_of, entry.jaxpr.out_avals))))

    def jaxpr(self, *args: P.args, **kwargs: P.kwargs) -> ClosedJaxpr:
        """The jaxpr of a call of this kind, its constants first."""
        return self._entry(args, kwargs)[0].jaxpr


_lock: Final = threading.RLock()
_MOST_TEXTS: Final = 64
_MOST_IN_TURN: Final = 4
"""How many texts are tried one after the other, the last one first; then it begins anew."""
_CALLS_BEFORE: Final = 2
"""How often a call is found before a text is made for it, which takes as long as a hundred calls."""


def _slowly(
    reference: weakref.ref[JitWrapped[..., Any]], function: Callable[..., Any], options: tuple[Any, ...]
) -> Callable[[Sequence[Any], dict[str, Any]], Any]:
    """What runs any call of a wrapper, which it does not keep alive."""

    def slow(args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        wrapper = reference()
        if wrapper is None:  # its `__call__` was taken, and itself let go
            wrapper = JitWrapped(function, *options)
        return wrapper._call(args, kwargs)

    return slow


def _after(text: Callable[..., Any]) -> Callable[[Sequence[Any], dict[str, Any]], Any]:
    return lambda args, kwargs: text(*args, **kwargs)


def _first(slow: Callable[[Sequence[Any], dict[str, Any]], Any]) -> Callable[..., Any]:
    return lambda *args, **kwargs: slow(args, kwargs)


def _unhoisted(entry: _Entry) -> Any:
    from arraytyping.runtime.jaxpr.syntax import Jaxpr

    jaxpr, n = entry.jaxpr.jaxpr, len(entry.consts)
    return Jaxpr(jaxpr.invars[:n], jaxpr.invars[n:], jaxpr.eqns, jaxpr.outvars)


def _listed(value: Any, kind: type) -> list[Any] | None:
    return None if value is None else [value] if isinstance(value, kind) else list(value)


@overload
def jit(
    fun: Callable[P, R],
    /,
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Iterable[str] | None = None,
    inline: bool = False,
    keep_unused: bool = False,
) -> JitWrapped[P, R]: ...
@overload
def jit(
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Iterable[str] | None = None,
    inline: bool = False,
    keep_unused: bool = False,
) -> Callable[[Callable[P, R]], JitWrapped[P, R]]: ...
def jit(
    fun: Callable[..., Any] | None = None,
    /,
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Iterable[str] | None = None,
    inline: bool = False,
    keep_unused: bool = False,
) -> Any:
    """Make a function run as a compiled program.

    It is traced once for each kind of arguments: dtypes, weak types, shapes, structure, and the values of the static
    ones (`static_argnums`, `static_argnames`), which must be hashable.  Donated arguments (`donate_argnums`,
    `donate_argnames`) give their memory to the results and are deleted.  The program is given all arguments, and
    `keep_unused` changes nothing.

    Raises:
        TypeError: if it is given no function, or called with what is neither an array-like nor static.
        ValueError: if an option names a parameter that does not exist.
    """
    options = (
        _listed(static_argnums, int),
        _listed(static_argnames, str),
        _listed(donate_argnums, int),
        _listed(donate_argnames, str),
        inline,
    )
    if fun is None:
        return lambda function: jit(
            function, static_argnums=static_argnums, static_argnames=static_argnames, donate_argnums=donate_argnums,
            donate_argnames=donate_argnames, inline=inline, keep_unused=keep_unused,
        )  # fmt: skip
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {fun!r:.60} of type {type(fun).__name__}")
    if inspect.isgeneratorfunction(fun):
        raise TypeError(
            f"Expected a function, got a generator function, {name_of(fun)}; jit takes one that returns arrays"
        )
    return JitWrapped(fun, *options)
