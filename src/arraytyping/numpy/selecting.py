"""Elements selected by their places, put at places, left out, put in between.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/indexing.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.axes import axis_of, known_values, raveled
from arraytyping.numpy.division import remainder
from arraytyping.numpy.gather_index import from_front, index_dtype
from arraytyping.numpy.gathers import put_at, taken
from arraytyping.numpy.promoting import kind_of
from arraytyping.numpy.reshaping import with_rank
from arraytyping.numpy.searching import nonzero_places
from arraytyping.numpy.sorting import sorted_along
from arraytyping.numpy.stretching import spread
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, sub_p
from arraytyping.runtime.lax.comparisons import ge_p, max_p, min_p
from arraytyping.runtime.lax.creation import full_of, iota_of, zeros_of
from arraytyping.runtime.lax.gathering import GatherDimensionNumbers, GatherScatterMode, default_fill, gather_p
from arraytyping.runtime.lax.reductions import reduce_sum
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, moveaxis, reshape
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import integer_limits
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes

__all__ = ["delete", "insert", "take", "take_along_axis"]

Mode = GatherScatterMode


def _fill(value: Any, x: Any) -> Any:
    from arraytyping.runtime.array_likes import python_scalar

    if value is None:
        return default_fill(x.aval.dtype)
    if isinstance(value, Array):
        known = known_values(value)
        if known is None:
            raise ConcretizationTypeError(f"take: the fill value must be known, got a tracer of {value.aval}")
        value = known.item()
    return python_scalar(value, x.aval.dtype)


@operation("numpy.take", "a", "indices")
def take(
    a: Any, indices: Any, axis: int | None = None, out: None = None, mode: str | None = None,
    unique_indices: bool = False, indices_are_sorted: bool = False, fill_value: Any = None,
) -> Any:  # fmt: skip
    """What stands at indices along an axis, NaN or an extreme out of bounds: `jax.numpy.take`.

    The mode is `fill`, `wrap` (the indices counted round) or `clip` (moved to the bound).
    """
    x, along = (raveled(a), 0) if axis is None else (a, axis_of(axis, len(a.aval.shape)))
    shape = x.aval.shape
    result = (*shape[:along], *indices.aval.shape, *shape[along + 1 :])
    if not math.prod(indices.aval.shape):
        return x if not shape[along] else zeros_of(ShapedArray(result, x.aval.dtype, bool(x.aval.weak_type)))
    where, fill = Mode.CLIP, None
    if mode in (None, "fill"):
        where, fill = Mode.FILL_OR_DROP, _fill(fill_value, x)
        indices = _wide(indices, shape[along])
        if kind_of(indices) == "i":
            indices = from_front(indices, shape[along])
    elif mode == "wrap":
        where = Mode.PROMISE_IN_BOUNDS
        indices = remainder(indices, constant_like(indices, shape[along]))
    return taken(
        x, indices, along, where, fill_value=fill, unique_indices=bool(unique_indices),
        indices_are_sorted=bool(indices_are_sorted),
    )  # fmt: skip


def _wide(indices: Any, size: int) -> Any:
    """The indices in a dtype that holds the size of the axis."""
    dtype = indices.aval.dtype
    if KINDS[dtype] == "b":
        return convert_to(indices, "int32")
    if KINDS[dtype] in "iu" and size > integer_limits(dtype)[1]:
        return convert_to(indices, index_dtype((size,)))
    return indices


def taken_by_places(
    x: Any, indices: Any, axis: int, mode: GatherScatterMode, fill_value: Any = None, *, from_end: bool = True
) -> Any:
    """Of each line along an axis what its indices say; the others dimensions broadcast."""
    shape, own = x.aval.shape, indices.aval.shape
    rank = len(shape)
    others = (*shape[:axis], own[axis], *shape[axis + 1 :])
    result = broadcast_shapes("take_along_axis", (*own[:axis], own[axis], *own[axis + 1 :]), others)
    assert result is not None
    if not shape[axis]:
        return zeros_of(ShapedArray(result, x.aval.dtype, False))
    indices = _wide(indices, shape[axis])
    if from_end and kind_of(indices) == "i":
        indices = from_front(indices, shape[axis])
    offset, batch, batch_of_indices, dropped = [], [], [], []
    sizes, collapsed = [], 0
    of_array = of_indices = 0  # how many dimensions the gather has of each so far
    for d in range(rank):
        if d == axis:
            collapsed = of_array
            sizes.append(1)
            of_array += 1
            of_indices += 1
        elif own[d] == 1:
            offset.append(d)
            sizes.append(shape[d])
            of_array += 1
        elif shape[d] == 1:
            dropped.append(d)
            of_indices += 1
        else:
            batch.append(of_array)
            batch_of_indices.append(of_indices)
            sizes.append(min(shape[d], 1))
            of_array += 1
            of_indices += 1
    kept = [n for d, n in enumerate(own) if d == axis or n != 1]
    return gather_p.bind(
        reshape(x, tuple(n for d, n in enumerate(shape) if d not in dropped)), reshape(indices, (*kept, 1)),
        dimension_numbers=GatherDimensionNumbers(
            tuple(offset), (collapsed,), (collapsed,), tuple(batch), tuple(batch_of_indices)
        ),
        slice_sizes=tuple(sizes), unique_indices=False, indices_are_sorted=False, mode=mode, fill_value=fill_value,
    )  # fmt: skip


@operation("numpy.take_along_axis", "arr", "indices")
def take_along_axis(
    arr: Any, indices: Any, axis: int | None = -1, mode: Any = None, fill_value: Any = None, *,
    wrap_negative_indices: bool | None = None,
) -> Any:  # fmt: skip
    """Of each line along an axis, what stands at its indices: `jax.numpy.take_along_axis`."""
    x, along = (raveled(arr), 0) if axis is None else (arr, axis_of(axis, len(arr.aval.shape)))
    if not x.aval.shape[along]:
        return taken_by_places(x, indices, along, Mode.CLIP)
    chosen_mode = Mode.from_any("fill" if mode is None else mode)
    if chosen_mode is Mode.ONE_HOT:  # in JAX a product with ones and zeros, which gives zeros out of bounds
        chosen_mode, fill_value = Mode.FILL_OR_DROP, 0
    fill = _fill(fill_value, x) if chosen_mode is Mode.FILL_OR_DROP else None
    from_end = mode != "promise_in_bounds" if wrap_negative_indices is None else bool(wrap_negative_indices)
    return taken_by_places(x, indices, along, chosen_mode, fill, from_end=from_end)


def _without(x: Any, kept: np.ndarray[Any, Any], axis: int) -> Any:
    """The array at these places of an axis."""
    if not kept.size:
        shape = x.aval.shape
        empty = (*shape[:axis], 0, *shape[axis + 1 :])
        return zeros_of(ShapedArray(empty, x.aval.dtype, bool(x.aval.weak_type)))
    return taken(x, array_from(kept.astype(np.int32)), axis, indices_are_sorted=True, unique_indices=True)


@operation("numpy.delete", "arr")
def _delete_known(arr: Any, obj: Any, axis: int | None = None) -> Any:
    x, along = (raveled(arr), 0) if axis is None else (arr, axis_of(axis, len(arr.aval.shape)))
    size = x.aval.shape[along]
    if isinstance(obj, int):
        place = obj % size
        parts = slice_along(x, 0, place, axis=along), slice_along(x, place + 1, size, axis=along)
        return concatenate_p.bind(*parts, dimension=along)
    kept = np.ones(size, bool)
    kept[obj] = False
    return _without(x, np.flatnonzero(kept), along)


@operation("numpy.delete", "arr", "obj", how="inline")
def _delete_at(arr: Any, obj: Any, axis: int | None = None, *, assume_unique_indices: bool = False) -> Any:
    x, along = (raveled(arr), 0) if axis is None else (arr, axis_of(axis, len(arr.aval.shape)))
    size = x.aval.shape[along]
    if assume_unique_indices and kind_of(obj) in "iu":
        return _delete_unique(x, obj, along)
    known = known_values(obj)
    if known is None:
        raise ConcretizationTypeError(
            f"delete: what to delete is a tracer of {obj.aval}, so the size of the result depends on data; if the "
            "indices differ from each other, say assume_unique_indices=True"
        )
    kept = np.ones(size, bool)
    kept[known] = False
    return _without(x, np.flatnonzero(kept), along)


def _delete_unique(x: Any, indices: Any, axis: int) -> Any:
    """The array without places that differ: each place that is kept moves on by the number of those before it."""
    size = x.aval.shape[axis]
    places = _wide(raveled(indices), size)
    if kind_of(places) == "i":
        places = from_front(places, size)
    low, high = constant_like(places, 0), constant_like(places, size)
    (ordered,) = sorted_along([max_p.bind(low, min_p.bind(high, places))], 0)
    (many,) = ordered.aval.shape
    dtype = ordered.aval.dtype
    bounds = sub_p.bind(ordered, iota_of(dtype, (many,), 0))
    left = iota_of(dtype, (max(0, size - many),), 0)
    shape = (many, left.aval.shape[0])
    behind = ge_p.bind(
        *(broadcast_in_dim_p.bind(v, shape=shape, broadcast_dimensions=(d,)) for v, d in ((left, 1), (bounds, 0)))
    )
    found = add_p.bind(left, reduce_sum(convert_to(behind, dtype), (0,)))
    return taken(x, found, axis, Mode.CLIP)


def delete(arr: Any, obj: Any, axis: int | None = None, *, assume_unique_indices: bool = False) -> Any:
    """The array without some places of an axis, given by an int, a slice, indices or a mask: `jax.numpy.delete`.

    Raises:
        ConcretizationTypeError: for indices that are traced, unless they are said to differ.
    """
    if hasattr(obj, "__jax_array__"):
        obj = obj.__jax_array__()
    if (
        isinstance(obj, Array)
        and not obj.aval.shape
        and kind_of(obj) in "iu"
        and (known := known_values(obj)) is not None
    ):
        obj = known.item()
    if isinstance(obj, np.integer) or (isinstance(obj, np.ndarray) and not obj.shape and obj.dtype.kind in "iu"):
        obj = int(obj)
    if isinstance(obj, slice | int):
        return _delete_known(arr, obj, axis)
    return _delete_at(arr, obj, axis, assume_unique_indices=assume_unique_indices)


def _inserted(x: Any, indices: Any, values: Any, axis: int, places: int | None) -> Any:
    """Values before places of an axis, which are counted in the array as it is."""
    own = x.aval.shape
    values = convert_to(with_rank(values, max(len(own), len(values.aval.shape))), x.aval.dtype)
    if places == 1 or (places is None and math.prod(indices.aval.shape) == 1):
        if not indices.aval.shape:
            values = moveaxis(values, 0, axis)
        indices = broadcast_in_dim_p.bind(
            reshape(indices, ()), shape=(values.aval.shape[axis],), broadcast_dimensions=()
        )
    (given,) = indices.aval.shape
    count = max(given, values.aval.shape[axis]) if given and values.aval.shape[axis] else 0
    indices = spread(indices, (count,))
    size = own[axis]
    indices = _wide(indices, size + count)
    if kind_of(indices) == "i":
        indices = from_front(indices, size)
    indices = max_p.bind(constant_like(indices, 0), min_p.bind(constant_like(indices, size), indices))
    total = size + count
    dtype = indices.aval.dtype
    _, order = sorted_along([indices, iota_of("int32", (count,), 0)], 0)
    at = put_at(indices, order, iota_of(dtype, (count,), 0), add=True)
    is_old = put_at(
        full_of(1, ShapedArray((total,), "int32", False)), at, full_of(0, ShapedArray((count,), "int32", False))
    )
    (old,) = nonzero_places(is_old, size)
    made = (*own[:axis], count, *own[axis + 1 :])
    if not math.prod(n for d, n in enumerate(own) if d != axis) or not total:
        shape = (*own[:axis], total, *own[axis + 1 :])
        return zeros_of(ShapedArray(shape, x.aval.dtype, bool(x.aval.weak_type)))
    both = concatenate_p.bind(x, spread(_fitted(values, len(own)), made), dimension=axis)
    # where in `both` each place of the result is taken from
    source = zeros_of(ShapedArray((total,), "int32", False))
    source = put_at(source, old, iota_of("int32", (size,), 0))
    new = iota_of("int32", (count,), 0)
    source = put_at(source, at, add_p.bind(new, constant_like(new, size)))
    return taken(both, source, axis)


def _fitted(values: Any, rank: int) -> Any:
    """The values without leading dimensions of size 1 that are too many."""
    shape = values.aval.shape
    return reshape(values, shape[len(shape) - rank :]) if len(shape) > rank else values


@operation("numpy.insert", "arr", "obj", "values")
def _insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    x, along = (raveled(arr), 0) if axis is None else (arr, axis_of(axis, len(arr.aval.shape)))
    if isinstance(obj, slice):
        at = array_from(np.arange(*obj.indices(x.aval.shape[along]), dtype=np.int32))
    else:
        at = obj if kind_of(obj) in "iu" else convert_to(obj, config.promotion().default("int"))
    return _inserted(x, at, values, along, None)


def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """Values before places of an axis, given by an int, a slice or indices: `jax.numpy.insert`."""
    return _insert(arr, obj, values, axis)
