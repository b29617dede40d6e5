"""Public functions that cut arrays at places known in advance, pad, reverse, join and split them.

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.slicing import concatenate_p, pad_p, rev_p, slice_p
from arraytyping.runtime.lax.structure import reshape

__all__ = ["concatenate", "index_in_dim", "pad", "rev", "slice", "slice_in_dim", "split", "stack", "unstack"]


@operation("lax.slice", "operand", how="inline")
def slice(
    operand: Any, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int] | None = None
) -> Any:
    """`jax.lax.slice`: the elements between bounds, counted from the front, in strides."""
    return slice_p.bind(
        operand, start_indices=tuple(map(int, start_indices)), limit_indices=tuple(map(int, limit_indices)),
        strides=None if strides is None else tuple(map(int, strides)),
    )  # fmt: skip


@operation("lax.slice_in_dim", "operand", how="inline")
def slice_in_dim(operand: Any, start_index: int | None, limit_index: int | None, stride: int = 1, axis: int = 0) -> Any:
    """`jax.lax.slice_in_dim`: `slice` along one dimension; negative bounds count from the end."""
    axis = int(axis) % len(operand.aval.shape)
    size = operand.aval.shape[axis]
    start = 0 if start_index is None else int(start_index)
    limit = size if limit_index is None else int(limit_index)
    start, limit = start + size * (start < 0), limit + size * (limit < 0)
    return slice_along(operand, start, limit, int(stride), axis)


@operation("lax.index_in_dim", "operand", how="inline")
def index_in_dim(operand: Any, index: int, axis: int = 0, keepdims: bool = True) -> Any:
    """`jax.lax.index_in_dim`: one place along one dimension."""
    shape = operand.aval.shape
    axis = int(axis) % len(shape)
    place = int(index) % shape[axis]
    part = slice_along(operand, place, place + 1, 1, axis)
    return part if keepdims else reshape(part, (*shape[:axis], *shape[axis + 1 :]))


@operation("lax.pad", "operand", "padding_value", how="inline")
def pad(operand: Any, padding_value: Any, padding_config: Sequence[tuple[int, int, int]]) -> Any:
    """`jax.lax.pad`: a value before, after and between the elements; negative widths cut off."""
    config = tuple((int(low), int(high), int(interior)) for low, high, interior in padding_config)
    return pad_p.bind(operand, padding_value, padding_config=config)


@operation("lax.rev", "operand", how="inline")
def rev(operand: Any, dimensions: Sequence[int]) -> Any:
    """`jax.lax.rev`: the elements in reverse order along these dimensions."""
    return rev_p.bind(operand, dimensions=tuple(map(int, dimensions)))


@operation("lax.concatenate", "operands", how="inline")
def concatenate(operands: Sequence[Any], dimension: int) -> Any:
    """`jax.lax.concatenate`: arrays one after the other along a dimension."""
    return concatenate_p.bind(*operands, dimension=int(dimension))


@operation("lax.split", "operand", how="inline")
def split(operand: Any, sizes: Sequence[int], axis: int = 0) -> Any:
    """`jax.lax.split`: parts of these sizes along one dimension, as a list."""
    axis = int(axis) % len(operand.aval.shape)
    ends = [sum(map(int, sizes[: i + 1])) for i in builtins.range(len(sizes))]
    return [slice_along(operand, end - int(size), end, 1, axis) for size, end in zip(sizes, ends)]


@operation("lax.stack", "operands", how="inline")
def stack(operands: Any, axis: int = 0) -> Any:
    """`jax.lax.stack`: arrays of one shape along a new dimension; an array is the sequence of its rows."""
    if not isinstance(operands, tuple | list):
        operands = unstacked(operands, 0)
    shape = operands[0].aval.shape
    place = int(axis) % (len(shape) + 1)
    wide = [reshape(x, (*shape[:place], 1, *shape[place:])) for x in operands]
    return concatenate_p.bind(*wide, dimension=place)


def unstacked(x: Any, axis: int) -> list[Any]:
    """The parts of an array along a dimension, which they do not have."""
    shape = x.aval.shape
    rest = (*shape[:axis], *shape[axis + 1 :])
    return [reshape(slice_along(x, i, i + 1, 1, axis), rest) for i in builtins.range(shape[axis])]


@operation("lax.unstack", "x", how="inline")
def unstack(x: Any, axis: int = 0) -> Any:
    """`jax.lax.unstack`: the parts of an array along a dimension, as a tuple."""
    return tuple(unstacked(x, int(axis) % len(x.aval.shape)))
