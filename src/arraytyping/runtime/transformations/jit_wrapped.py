"""A function that runs as compiled programs: what it was traced to is looked for by the kind of the call.

Source: https://docs.jax.dev/en/latest/jit-compilation.html.
"""

from __future__ import annotations

import functools
import inspect
import operator
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Generic, ParamSpec, TypeVar

from arraytyping import config
from arraytyping.runtime import tree
from arraytyping.runtime.core import EVAL, TypedScalar, current_trace, is_eager
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.shape_dtype_struct import of_whole, struct_of
from arraytyping.runtime.trace_state import STATE, axis_key
from arraytyping.runtime.tracebacks import filtered
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
from arraytyping.runtime.transformations.jit_layouts import JitLayouts
from arraytyping.runtime.transformations.jit_programs import Entry
from arraytyping.runtime.transformations.jit_turns import Turns
from arraytyping.runtime.transformations.known_calls import KnownCall, Looks, order_of
from arraytyping.runtime.transformations.program_cache import MOST_TRACES, ProgramCache, cache_of
from arraytyping.runtime.transformations.retracing import Trace, why_traced
from arraytyping.runtime.transformations.stages import Lowered, Traced
from arraytyping.semantics.avals import ShapedArray

__all__ = ["JitWrapped"]

P = ParamSpec("P")
R = TypeVar("R")


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
        keep_unused: bool = False,
        in_shardings: Any = None,
        out_shardings: Any = None,
    ) -> None:
        named_as(self, function)
        self._function = function
        self._name: Final = name_of(function)
        self._inline = inline
        self._keep_unused = keep_unused
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
        self._layouts: Final = JitLayouts(in_shardings, out_shardings)
        options = (
            self._static_numbers, self._static_names, self._donated_numbers, self._donated_names, keep_unused,
            self._layouts.key,
        )  # fmt: skip
        self._cache: ProgramCache[Entry] = cache_of(function, options)
        self._options: Final = (
            static_argnums, static_argnames, donate_argnums, donate_argnames, inline, keep_unused, in_shardings,
            out_shardings,
        )  # fmt: skip
        self._looks: Final = Looks(self._static_numbers, self._static_names)
        self.traces: list[Trace] = []
        self._turns: Final = Turns(_slowly(weakref.ref(self), function, self._options), self._cache.living)
        self.__call__ = self._turns.first()

    def _call(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """The function's result, where it is not known that the call is like the last."""
        eager, known = STATE.trace is EVAL, None
        if eager and not self._by_count:
            known = self._looks.look(args, kwargs, config.promotion())
        if known is not None:
            try:
                found = self._cache.fast.get(known[0])
            except TypeError:  # a static argument without a hash
                found = known = None
            if found is not None and known is not None:
                self._turns.prepare(
                    found, self._cache.living, args, kwargs, lambda: self._split(args, kwargs), self._use
                )
                return found.result(known[2])
        if config.jit_is_disabled():
            return self._function(*args, **kwargs)
        entry, leaves = self._entry(args, kwargs)
        if eager:
            outs = entry.run(leaves, self._name)
            if known is not None and entry.is_kept and not entry.held:
                self._remember(entry, known, leaves, args, kwargs)
        elif self._inline:
            from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr

            outs = eval_jaxpr(entry.jaxpr.jaxpr, [], *entry.consts, *leaves)
        else:
            outs = jit_p.bind(*entry.consts, *leaves, jaxpr=entry.jaxpr, name=self._name)
        return entry.result(outs)

    def _use(self, text: Callable[..., Any]) -> None:
        self.__call__ = text

    def _remember(
        self, entry: Entry, known: KnownCall, leaves: list[Any], args: Sequence[Any], kwargs: dict[str, Any]
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
        if len(kept := entry.program.kept) < len(leaves):
            order = tuple([order[i] for i in kept]) if order is not None else kept
        avals = [leaf.aval for leaf in leaves]
        self._cache.keep_fast(
            key, FoundCall(entry.compiled, entry.out_tree, entry.single, order, avals, entry.donated, kept)
        )

    def _entry(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Entry, list[Any]]:
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
        kinds = tuple([kind_of(value) for _, value in static])
        shapes = tuple([(i, leaf.shape) for i, leaf in held.items()])
        key = (in_tree, static, kinds, avals, shapes, id(config.promotion()), axis_key())
        try:
            entry = self._cache.entries.get(key) or current_trace().calls.get((self._cache, key))
        except TypeError:
            bad = next((v for _, v in static if not has_hash(v)), None)
            raise ValueError(
                f"Non-hashable static arguments are not supported: one of {self._name} is {bad!r:.60} of type "
                f"{type(bad).__name__}, which has no hash; use a tuple, or make it dynamic"
            ) from None
        if entry is None:

            def traced() -> Entry:
                made = self._trace(in_tree, static, avals, held, args, kwargs)
                self.traces.append(why_traced(self._function, in_tree, static, avals, self.traces))
                del self.traces[:-MOST_TRACES]
                if made.is_kept:
                    self._cache.keep(key, made)
                elif not is_eager():
                    current_trace().calls[self._cache, key] = made
                return made

            entry = self._cache.found_or_made(key, traced) if is_eager() else traced()
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
        self, in_tree: Any, static: tuple[tuple[Any, Any], ...], avals: tuple[ShapedArray, ...], held: dict[int, Any],
        args: Sequence[Any], kwargs: dict[str, Any],
    ) -> Entry:  # fmt: skip
        def call(given: Any) -> Any:
            args, kwargs = list(given[0]), dict(given[1])
            for place, value in static:
                if isinstance(place, int):
                    args[place] = value
                else:
                    kwargs[place] = value
            return self._function(*args, **kwargs)

        flat = FlatFunction(self._function, tree.with_sorted_keys(in_tree), call, holds_float0=True)
        whole: Callable[..., Any] = (lambda *leaves: flat(*with_held(leaves, held))) if held else flat
        inputs = outputs = None
        if not self._layouts.is_empty:
            whole, inputs, outputs = self._laid_out(whole, flat, static, held, args, kwargs)
        closed = stage(whole, avals)
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
        lies = None if outputs is None else outputs[0]
        return Entry(jaxpr, consts, flat.out_tree, single, donated, flat.held, self._keep_unused, inputs, lies)

    def _laid_out(
        self, whole: Callable[..., Any], flat: FlatFunction, static: tuple[tuple[Any, Any], ...], held: dict[int, Any],
        args: Sequence[Any], kwargs: dict[str, Any],
    ) -> Any:  # fmt: skip
        """The flat function whose arguments and results lie as it is said, and where each does."""
        places = {place for place, _ in static}
        dynamic = [a for i, a in enumerate(args) if i not in places]
        named = {n: v for n, v in kwargs.items() if n not in places}
        inputs = _without(self._layouts.of_arguments(dynamic, named, self._name), held)
        outputs: list[Any] = []

        def called(*leaves: Any) -> Any:
            outs = whole(*leaves)
            found = self._layouts.of_results(tree.unflatten(flat.out_tree, with_held(outs, flat.held)))
            outputs[:] = [_without(found, flat.held)]
            return outs

        return self._layouts.constrained(called, inputs, outputs), inputs, outputs

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """As a function of a class: bound to the instance."""
        return self if instance is None else functools.partial(self, instance)

    def __reduce__(self) -> Any:
        options = self._options[:6] if self._layouts.is_empty else self._options
        return JitWrapped, (self._function, *options)

    def __repr__(self) -> str:
        return f"<jit of {self._name}, traced {len(self.traces)} times>"

    def clear_cache(self) -> None:
        """Forget all traces and programs."""
        self._cache.clear()
        self.traces.clear()
        self._turns.clear()
        self.__call__ = self._turns.first()

    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """The function traced for arguments of these types; a `ShapeDtypeStruct` will do for an array."""
        args, kwargs = with_stand_ins(args, kwargs)
        entry, leaves = self._entry(args, kwargs)
        static, dynamic = self._split(args, kwargs)
        in_tree = tree.structure(dynamic)
        numbers = {place for place, _ in static if isinstance(place, int)}

        def placed(args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
            """The arguments that are not static, with None in the place of those that are, as they were traced."""
            given = list(args)
            for number in sorted(numbers):
                given.insert(number, None)
            return tuple(given), kwargs

        return Traced(
            self._function, self._name, entry.unhoisted(), entry.program.lying(leaves), in_tree, entry.out_tree,
            entry.donated, entry.result, placed,
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


def _without(shardings: tuple[Any, ...] | None, held: dict[int, Any]) -> tuple[Any, ...] | None:
    """The shardings of the leaves that go through the program."""
    return None if shardings is None else tuple([s for i, s in enumerate(shardings) if i not in held])


def _slowly(
    reference: weakref.ref[JitWrapped[..., Any]], function: Callable[..., Any], options: tuple[Any, ...]
) -> Callable[[Sequence[Any], dict[str, Any]], Any]:
    """What runs any call of a wrapper, which it does not keep alive."""

    def slow(args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        wrapper = reference()
        if wrapper is None:  # its `__call__` was taken, and itself let go
            wrapper = JitWrapped(function, *options)
        try:
            return wrapper._call(args, kwargs)
        except Exception as error:
            filtered(error)
            raise

    return slow
