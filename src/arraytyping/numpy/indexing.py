"""`x[...]`: slices where everything is known, dynamic slices where a place is traced, gathers where there are arrays.

Called with arrays, an index is one compiled program for each kind of it: the ints in it, and where slices start, are
given to the program, so that `x[0]` and `x[1]` are the same one.

Source: https://numpy.org/doc/stable/user/basics.indexing.html; `rewriting_take` of `jax/_src/numpy/indexing.py`; out
of bounds, indices are moved to the edge, as https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.gather_index import from_front, gather_index, index_dtype
from arraytyping.numpy.index_parsing import (
    ArrayEntry,
    FlagEntry,
    Index,
    IntEntry,
    NewAxis,
    SliceEntry,
    key_of,
    parse_index,
)  # fmt: skip
from arraytyping.runtime.array import ArrayImpl
from arraytyping.runtime.array_likes import convert_to, python_scalar
from arraytyping.runtime.core import EVAL, Tracer, TypedScalar, is_eager
from arraytyping.runtime.cut_types import cut_of
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.dynamic_slicing import dynamic_slice_p
from arraytyping.runtime.lax.gathering import GatherScatterMode, default_fill, gather_p
from arraytyping.runtime.lax.slicing import rev_p, slice_p
from arraytyping.runtime.lax.structure import expand_to, reshape
from arraytyping.runtime.tracing.staging import stage
from arraytyping.semantics.avals import ShapedArray

__all__ = ["run_once_compiled", "take_index"]

Mode = GatherScatterMode
_CLAMPING: Final = (Mode.CLIP, Mode.PROMISE_IN_BOUNDS)

_programs: Final[dict[Any, Callable[[Sequence[Any]], list[Any]]]] = {}


def run_once_compiled(name: str, key: Any, body: Callable[..., Any], operands: Sequence[Any]) -> Any:
    """What a body makes of operands: by a program that is compiled once for each key, or as primitives of the trace."""
    if not is_eager() or any(isinstance(x, Tracer) for x in operands):
        return body(*operands)
    whole = (name, key, tuple([x.aval for x in operands]))
    run = _programs.get(whole)
    if run is None:
        run = EVAL.compile(stage(lambda *xs: [body(*xs)], [x.aval for x in operands]), name)
        if len(_programs) >= 4096:
            _programs.clear()
        _programs[whole] = run
    return run(operands)[0]


def take_index(
    x: Any, index: Any, *, mode: Any = None, fill_value: Any = None, indices_are_sorted: bool = False,
    unique_indices: bool = False, wrap_negative_indices: bool = True,
) -> Any:  # fmt: skip
    """What an index selects of an array.

    Raises:
        IndexError, TypeError: for what does not index it.
        NonConcreteBooleanIndexError: for a mask that is traced.
        ValueError: for a mode that does not exist, and a fill value that is no scalar.
    """
    if type(x) is TypedScalar:
        from arraytyping.runtime.array_likes import materialized

        x = materialized(x)
    parsed, _ = parse_index("x[...]", x, index, counts_back=wrap_negative_indices)
    selects = any(isinstance(e, IntEntry | ArrayEntry) for e in parsed.entries)
    chosen = Mode.PROMISE_IN_BOUNDS if mode is None or not selects else Mode.from_any(mode)
    if chosen in _CLAMPING and not _has_cut_parts(x, parsed):
        if parsed.is_static:
            return _known_part(x, parsed)
        if _is_one_part(parsed):
            return _part_at(x, parsed)
    fill = _checked_fill(fill_value, x, chosen)
    ints = _ints(parsed, x.aval.shape)

    def gathered(x: Any, *rest: Any) -> Any:
        given, arrays = rest[: len(ints)], rest[len(ints) :]
        return _gather(x, parsed, given, arrays, chosen, fill, indices_are_sorted, unique_indices)

    key = (key_of(parsed), chosen, repr(fill), indices_are_sorted, unique_indices)
    return run_once_compiled("getitem", key, gathered, [x, *ints, *parsed.arrays])


def _checked_fill(value: Any, x: Any, mode: GatherScatterMode) -> Any:
    if mode is Mode.ONE_HOT:
        raise NotImplementedError("x.at[...].get: mode 'one_hot' is not implemented; use 'clip' or 'fill'")
    if value is not None:
        if isinstance(value, Tracer):
            raise ConcretizationTypeError(
                f"the fill value of x.at[...].get must be known when the program is traced, got a tracer of "
                f"{value.aval}"
            )
        if getattr(value, "ndim", 0) != 0 or isinstance(value, tuple | list):
            raise ValueError(f"the fill value of x.at[...].get must be a scalar, got {value!r:.60}")
        value = value.item() if hasattr(value, "item") else value
    if mode is not Mode.FILL_OR_DROP:
        return None
    return default_fill(x.aval.dtype) if value is None else python_scalar(value, x.aval.dtype)


def _ints(index: Index, shape: tuple[int, ...]) -> list[TypedScalar]:
    """The Python ints of an index as operands."""
    aval = ShapedArray((), index_dtype(shape), False)
    return [TypedScalar(e.value, aval) for e in index.entries if type(e) is IntEntry]


def _result_shape(index: Index) -> tuple[int, ...]:
    """The shape that an index of ints, slices, new axes and arrays without dimensions gives."""
    return tuple(1 if isinstance(e, NewAxis) else e.size for e in index.entries if isinstance(e, NewAxis | SliceEntry))


def _axes(index: Index) -> list[Any]:
    """The entries that are of a dimension of the array."""
    return [e for e in index.entries if not isinstance(e, NewAxis)]


def _has_cut_parts(x: Any, index: Index) -> bool:
    """Whether parts are taken of dimensions along which an array lies in pieces; of a tracer JAX does not ask that."""
    cut = None if type(x) is ArrayImpl or isinstance(x, Tracer) else cut_of(x.aval)
    if cut is None:
        return False
    pairs = zip(_axes(index), x.aval.shape, cut)
    return any(by is not None and not (isinstance(e, SliceEntry) and e.size == n) for e, n, by in pairs)


def _known_part(x: Any, index: Index) -> Any:
    """The part of an array at places that are known."""
    axes = _axes(index)
    shape = x.aval.shape
    if all(isinstance(e, SliceEntry) and e.size == n and e.step == 1 for e, n in zip(axes, shape)):
        return reshape(x, _result_shape(index))
    if type(x) is ArrayImpl and is_eager() and all(isinstance(e, IntEntry) or abs(e.step) == 1 for e in axes):
        return _part_at(x, index)

    def part(x: Any) -> Any:
        bounds, reversed_axes = [], []
        for axis, (entry, n) in enumerate(zip(axes, shape)):
            if isinstance(entry, IntEntry):
                at = min(max(entry.value, 0), n - 1)
                bounds.append((at, at + 1, 1))
            else:
                last = entry.start + (entry.size - 1) * entry.step
                low, high = min(entry.start, last), max(entry.start, last)
                bounds.append((low, high + 1, abs(entry.step)) if entry.size else (0, 0, 1))
                if entry.step < 0:
                    reversed_axes.append(axis)
        starts, limits, strides = (tuple(b) for b in zip(*bounds))
        steps = None if all(s == 1 for s in strides) else strides
        y = slice_p.bind(x, start_indices=starts, limit_indices=limits, strides=steps)
        if reversed_axes:
            y = rev_p.bind(y, dimensions=tuple(reversed_axes))
        return reshape(y, _result_shape(index))

    return run_once_compiled("getitem", index.entries, part, [x])


def _is_one_part(index: Index) -> bool:
    """Whether an index selects one part of the array, at places some of which are arrays without dimensions."""
    return all(
        not isinstance(e, FlagEntry)
        and not (isinstance(e, ArrayEntry) and e.ndim)
        and not (isinstance(e, SliceEntry) and abs(e.step) != 1)
        for e in index.entries
    )


def _part_at(x: Any, index: Index) -> Any:
    """The part of an array that starts at places which are operands."""
    axes = _axes(index)
    shape = x.aval.shape
    dtype = index_dtype(shape)
    aval = ShapedArray((), dtype, False)
    starts: list[Any] = []
    kinds: list[Any] = []
    for entry in axes:
        if isinstance(entry, IntEntry):
            starts.append(TypedScalar(entry.value, aval))
            kinds.append(None)
        elif isinstance(entry, ArrayEntry):
            starts.append(index.arrays[entry.place])
            kinds.append(entry.counts_back)
        else:
            first = entry.start if entry.step > 0 else entry.start - entry.size + 1
            starts.append(TypedScalar(max(first, 0), aval))
            kinds.append((entry.size, entry.step))
    result = _result_shape(index)

    def part(x: Any, *starts: Any) -> Any:
        places = [
            convert_to(from_front(s, n) if kind is True else s, dtype) for s, n, kind in zip(starts, shape, kinds)
        ]
        sizes = tuple(e.size if isinstance(e, SliceEntry) else 1 for e in axes)
        y = dynamic_slice_p.bind(x, *places, slice_sizes=sizes)
        reversed_axes = tuple(i for i, e in enumerate(axes) if isinstance(e, SliceEntry) and e.step < 0)
        if reversed_axes:
            y = rev_p.bind(y, dimensions=reversed_axes)
        return reshape(y, result)

    return run_once_compiled("getitem", (tuple(kinds), result), part, [x, *starts])


def _gather(
    x: Any, index: Index, ints: Sequence[Any], arrays: Sequence[Any], mode: GatherScatterMode, fill: Any,
    indices_are_sorted: bool, unique_indices: bool,
) -> Any:  # fmt: skip
    found = gather_index(x.aval.shape, index, ints, arrays)
    if not math.prod(found.shape):
        return zeros_of(ShapedArray(found.shape, x.aval.dtype, x.aval.weak_type))
    y = with_flag_axes(x, found.flag_axes)
    if found.numbers.start_index_map:
        y = gather_p.bind(
            y, found.indices, dimension_numbers=found.numbers, slice_sizes=found.slice_sizes,
            unique_indices=unique_indices or found.is_unique, indices_are_sorted=indices_are_sorted or found.is_unique,
            mode=mode, fill_value=fill,
        )  # fmt: skip
    if found.reversed_axes:
        y = rev_p.bind(y, dimensions=found.reversed_axes)
    return reshape(y, found.shape)


def with_flag_axes(x: Any, axes: Sequence[int]) -> Any:
    """The array with a dimension of size 1 at each of these places."""
    shape = list(x.aval.shape)
    for axis in axes:
        shape.insert(axis, 1)
    return expand_to(x, tuple(shape)) if axes else x
