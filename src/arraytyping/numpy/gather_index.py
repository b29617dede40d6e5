"""An index as the operands and dimensions of a gather, or of the scatter that goes the other way.

The entries that select by place are broadcast together, and their dimensions stand where the first of them stood, or
first of all if something else stands between them.

Source: `_index_to_gather` of `jax/_src/numpy/indexing.py`; https://openxla.org/stablehlo/spec#gather.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arraytyping.numpy.index_parsing import ArrayEntry, Entry, FlagEntry, Index, IntEntry, NewAxis, SliceEntry
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, mul_p
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import lt_p
from arraytyping.runtime.lax.creation import full_of, iota_of
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, broadcast_to, expand_to
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dimension_numbers import GatherDimensionNumbers
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes

__all__ = ["GatherIndex", "from_front", "gather_index", "index_dtype"]


class GatherIndex(NamedTuple):
    """How a gather computes an index.

    `flag_axes` are dimensions of size 1 that the array gets first; `shape` is that of the result; `new_axes` are those
    of its dimensions that the gather has not; `reversed_axes` those of the gather that are reversed after it.
    """

    indices: Any
    numbers: GatherDimensionNumbers
    slice_sizes: tuple[int, ...]
    shape: tuple[int, ...]
    new_axes: tuple[int, ...]
    reversed_axes: tuple[int, ...]
    flag_axes: tuple[int, ...]
    is_unique: bool


def index_dtype(shape: Sequence[int]) -> str:
    """The integer dtype that holds every index of an array of this shape."""
    return "int64" if any(d > 0x7FFFFFFF for d in shape) else "int32"


def _scalar(value: int, dtype: str) -> TypedScalar:
    return TypedScalar(value, ShapedArray((), dtype, False))


def from_front(indices: Any, size: int) -> Any:
    """Indices of which the negative ones count from the end, all counted from the front."""
    negative = lt_p.bind(indices, constant_like(indices, 0))
    return select_n_p.bind(negative, indices, add_p.bind(indices, constant_like(indices, size)))


def _broadcast(arrays: Sequence[Any]) -> list[Any]:
    shape = broadcast_shapes("x[...]", *[a.aval.shape for a in arrays])
    return [_broadcast_one(a, shape) for a in arrays]


def _broadcast_one(x: Any, shape: Any) -> Any:
    own = x.aval.shape
    if len(own) < len(shape) and own:
        x = expand_to(x, (*(1,) * (len(shape) - len(own)), *own))
    return broadcast_to(x, tuple(shape))


def gather_index(shape: tuple[int, ...], index: Index, ints: Sequence[Any], arrays: Sequence[Any]) -> GatherIndex:
    """The gather of an index; `ints` are what its Python ints are, constants or traced, in order."""
    entries: list[Entry] = []
    sizes = list(shape)
    flag_axes: list[int] = []
    dtype = index_dtype(shape)
    operands: dict[int, Any] = {}
    given = iter(ints)
    axis = 0
    for entry in index.entries:
        place = len(entries)
        if isinstance(entry, FlagEntry):
            sizes.insert(place, 1)
            flag_axes.append(place)
            operands[place] = iota_of(dtype, (int(entry.value),), 0)
            entry = ArrayEntry(-1, 1, False)
        elif isinstance(entry, IntEntry):
            operands[place] = convert_to(next(given), dtype)
        elif isinstance(entry, ArrayEntry):
            found = arrays[entry.place]
            operands[place] = convert_to(from_front(found, sizes[axis]) if entry.counts_back else found, dtype)
        entries.append(entry)
        axis += not isinstance(entry, NewAxis)
    return _assembled(entries, tuple(sizes), operands, tuple(flag_axes), dtype, index.together)


def _assembled(
    entries: Sequence[Entry], sizes: tuple[int, ...], operands: dict[int, Any], flag_axes: tuple[int, ...], dtype: str,
    together: bool,
) -> GatherIndex:  # fmt: skip
    advanced: list[int] = []
    if any(isinstance(e, ArrayEntry) and e.ndim for e in entries):
        advanced = [i for i, e in enumerate(entries) if isinstance(e, ArrayEntry | IntEntry)]
    axes = {i: sum(not isinstance(e, NewAxis) for e in entries[:i]) for i in range(len(entries))}
    result: list[int] = []
    new_axes: list[int] = []
    reversed_axes: list[int] = []
    offset: list[int] = []
    collapsed: list[int] = []
    index_map: list[int] = []
    slice_sizes: list[int] = []
    parts: list[tuple[Any, int]] = []  # index arrays, and where their first dimension goes among those of the indices
    batch: list[int] = []  # the dimensions of the indices
    gathered = 0  # how many dimensions the gather has so far
    for i, entry in enumerate(entries):
        if advanced and i == (advanced[0] if together else 0):
            found = _broadcast([operands[p] for p in advanced])
            parts.extend((a, len(batch)) for a in found)
            own = found[0].aval.shape
            batch.extend(own)
            index_map.extend(axes[p] for p in advanced)
            collapsed.extend(axes[p] for p in advanced)
            result.extend(own)
            gathered += len(own)
        if i in advanced:
            slice_sizes.append(1)
        elif isinstance(entry, IntEntry | ArrayEntry):
            parts.append((operands[i], len(batch)))
            index_map.append(axes[i])
            collapsed.append(axes[i])
            slice_sizes.append(1)
        elif isinstance(entry, NewAxis):
            new_axes.append(len(result))
            result.append(1)
        else:
            assert isinstance(entry, SliceEntry)
            result.append(entry.size)
            if entry.step == 1:
                if entry.size != sizes[axes[i]]:
                    parts.append((_scalar(entry.start, dtype), len(batch)))
                    index_map.append(axes[i])
                slice_sizes.append(entry.size)
                offset.append(gathered)
            else:
                first = entry.start if entry.step > 0 else entry.start + (entry.size - 1) * entry.step
                if entry.step < 0:
                    reversed_axes.append(gathered)
                steps = mul_p.bind(iota_of(dtype, (entry.size,), 0), _scalar(abs(entry.step), dtype))
                parts.append((add_p.bind(steps, _scalar(first, dtype)), len(batch)))
                index_map.append(axes[i])
                collapsed.append(axes[i])
                slice_sizes.append(1)
                batch.append(entry.size)
            gathered += 1
    numbers = GatherDimensionNumbers(tuple(offset), tuple(sorted(collapsed)), tuple(index_map))
    return GatherIndex(
        _index_vectors(parts, batch, dtype), numbers, tuple(slice_sizes), tuple(result), tuple(new_axes),
        tuple(reversed_axes), flag_axes, not advanced,
    )  # fmt: skip


def _index_vectors(parts: Sequence[tuple[Any, int]], batch: Sequence[int], dtype: str) -> Any:
    """The index arrays along one last dimension, each repeated where it does not vary."""
    shape = (*batch, 1)
    if not parts:
        return full_of(0, ShapedArray((*batch, 0), dtype, False))
    columns = [
        broadcast_in_dim_p.bind(
            part, shape=shape, broadcast_dimensions=tuple(range(first, first + len(part.aval.shape)))
        )
        for part, first in parts
    ]
    return columns[0] if len(columns) == 1 else concatenate_p.bind(*columns, dimension=len(batch))
