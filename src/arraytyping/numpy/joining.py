"""Arrays put together: along an axis, along a new one, in blocks.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.basearray import Array
from arraytyping.numpy.axes import axis_of, expanded_at, raveled
from arraytyping.numpy.promoting import promoted, to_dtype
from arraytyping.numpy.reshaping import with_rank, with_rank_3
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import reshape, transpose

__all__ = [
    "append", "block", "column_stack", "concat", "concatenate", "dstack", "hstack", "stack", "vstack",
]  # fmt: skip


def joined_along(arrays: Sequence[Any], axis: int, dtype: Any = None) -> Any:
    """The arrays one after another along an axis of the first, in the dtype asked for, or that they promote to."""
    same = promoted(*arrays) if dtype is None else to_dtype(canonical_dtype(dtype, "concatenate"), *arrays)
    along = axis % len(same[0].aval.shape)
    return same[0] if len(same) == 1 else concatenate_p.bind(*same, dimension=along)


def rows(arrays: Any) -> list[Any]:
    """The arrays of a sequence; of one array, what stands along its first axis."""
    if not isinstance(arrays, Array):
        return list(arrays)
    shape = arrays.aval.shape
    return [reshape(slice_along(arrays, i, i + 1), shape[1:]) for i in range(shape[0])]


def _concatenated(arrays: Any, axis: int | None, dtype: Any = None) -> Any:
    if axis is None:
        return joined_along([raveled(arrays)] if isinstance(arrays, Array) else list(map(raveled, arrays)), 0, dtype)
    return joined_along(rows(arrays), axis, dtype)


@operation("numpy.concatenate", "arrays")
def concatenate(arrays: Any, axis: int | None = 0, dtype: Any = None) -> Any:
    """The arrays one after another along an axis: `jax.numpy.concatenate`."""
    return _concatenated(arrays, axis, dtype)


@operation("numpy.concat", "arrays")
def concat(arrays: Any, /, *, axis: int | None = 0) -> Any:
    """The arrays one after another along an axis: `jax.numpy.concat`."""
    return _concatenated(arrays, axis)


@operation("numpy.append", "arr", "values")
def append(arr: Any, values: Any, axis: int | None = None) -> Any:
    """The values after the array along an axis, by default both in one dimension: `jax.numpy.append`."""
    return _concatenated([arr, values], axis)


@operation("numpy.stack", "arrays")
def stack(arrays: Any, axis: int = 0, out: None = None, dtype: Any = None) -> Any:
    """The arrays, of one shape, along a new axis: `jax.numpy.stack`."""
    each = rows(arrays)
    along = axis_of(axis, len(each[0].aval.shape) + 1)
    return joined_along([expanded_at(x, (along,)) for x in each], along, dtype)


@operation("numpy.vstack", "tup")
def vstack(tup: Any, dtype: Any = None) -> Any:
    """The arrays one after another along axis 0, vectors as rows: `jax.numpy.vstack`."""
    return joined_along([with_rank(x, max(2, len(x.aval.shape))) for x in rows(tup)], 0, dtype)


@operation("numpy.hstack", "tup")
def hstack(tup: Any, dtype: Any = None) -> Any:
    """The arrays one after another along axis 1, vectors along axis 0: `jax.numpy.hstack`."""
    each = [with_rank(x, max(1, len(x.aval.shape))) for x in rows(tup)]
    return joined_along(each, 0 if len(each[0].aval.shape) == 1 else 1, dtype)


@operation("numpy.dstack", "tup")
def dstack(tup: Any, dtype: Any = None) -> Any:
    """The arrays one after another along axis 2: `jax.numpy.dstack`."""
    return joined_along(list(map(with_rank_3, rows(tup))), 2, dtype)


def _column(x: Any) -> Any:
    shape = x.aval.shape
    return x if len(shape) >= 2 else transpose(with_rank(x, 2), (1, 0))


@operation("numpy.column_stack", "tup")
def column_stack(tup: Any) -> Any:
    """The arrays one after another along axis 1, vectors as columns: `jax.numpy.column_stack`."""
    return joined_along(list(map(_column, rows(tup))), 1)


def _block(arrays: Any) -> tuple[Any, int]:
    """What nested lists of arrays make, and their depth, counted from 1."""
    if not isinstance(arrays, list):
        return arrays, 1
    made = [_block(a) for a in arrays]
    depth = made[0][1]
    rank = max(depth, *(len(x.aval.shape) for x, _ in made))
    return joined_along([with_rank(x, rank) for x, _ in made], -depth), depth + 1


@operation("numpy.block", "arrays")
def block(arrays: Any) -> Any:
    """Nested lists of arrays, joined from the innermost list along the last axis outwards: `jax.numpy.block`."""
    return _block(arrays)[0]
