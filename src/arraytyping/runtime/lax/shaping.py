"""Public functions that broadcast, reshape, transpose, squeeze, repeat.

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import raised
from arraytyping.runtime.lax.structure import (
    broadcast_in_dim_p,
    broadcast_to,
    reshape as _reshape,
    transpose as _transpose,
)
from arraytyping.semantics.rules.binary import promoted_shape
from arraytyping.semantics.rules.errors import RuleError

__all__ = [
    "broadcast", "broadcast_in_dim", "broadcast_like", "broadcast_shapes", "broadcast_to_rank", "collapse",
    "expand_dims", "reshape", "squeeze", "tile", "transpose",
]  # fmt: skip


def _ints(values: Sequence[Any]) -> tuple[int, ...]:
    return tuple(map(int, values))


@operation("lax.broadcast", "operand", how="inline")
def broadcast(operand: Any, sizes: Sequence[int], *, out_sharding: Any = None) -> Any:
    """`jax.lax.broadcast`: the array repeated along new dimensions before its own."""
    return broadcast_to(operand, (*_ints(sizes), *operand.aval.shape))


@operation("lax.broadcast_in_dim", "operand", how="inline")
def broadcast_in_dim(
    operand: Any, shape: Sequence[int], broadcast_dimensions: Sequence[int], *, out_sharding: Any = None
) -> Any:
    """`jax.lax.broadcast_in_dim`: the array repeated to a shape in which its dimensions have these numbers."""
    dims = _ints(broadcast_dimensions)
    if operand.aval.shape == _ints(shape) and dims == tuple(range(len(dims))):
        return operand
    return broadcast_in_dim_p.bind(operand, shape=_ints(shape), broadcast_dimensions=dims)


@operation("lax.broadcast_to_rank", "x", how="inline")
def broadcast_to_rank(x: Any, rank: int) -> Any:
    """`jax.lax.broadcast_to_rank`: dimensions of size 1 put before the own ones, up to this rank."""
    shape = x.aval.shape
    return _reshape(x, (1,) * (int(rank) - len(shape)) + shape)


@operation("lax.broadcast_like", "arr", "like_arr", how="inline")
def broadcast_like(arr: Any, like_arr: Any) -> Any:
    """`jax.lax.broadcast_like`: the array repeated to the shape of another."""
    return broadcast_to(arr, like_arr.aval.shape)


def broadcast_shapes(*shapes: Any) -> Any:
    """`jax.lax.broadcast_shapes`: the shape to which all of these broadcast.

    Raises:
        ValueError: if there is none.
    """
    if len(shapes) == 1:
        return shapes[0]
    try:
        result = promoted_shape("broadcast_shapes", *(tuple(map(int, s)) for s in shapes), exception=ValueError)
    except RuleError as error:
        raise raised(error) from None
    return result


@operation("lax.reshape", "operand", how="inline")
def reshape(
    operand: Any, new_sizes: Sequence[int], dimensions: Sequence[int] | None = None, *, out_sharding: Any = None
) -> Any:
    """`jax.lax.reshape`: the elements in another shape, after the dimensions were put in another order."""
    if dimensions is not None:
        operand = _transpose(operand, (int(dimensions),) if isinstance(dimensions, int) else _ints(dimensions))
    sizes = _ints(new_sizes)
    if -1 in sizes:
        known = math.prod(n for n in sizes if n != -1)
        sizes = tuple(math.prod(operand.aval.shape) // known if n == -1 else n for n in sizes)
    return _reshape(operand, sizes)


@operation("lax.transpose", "operand", how="inline")
def transpose(operand: Any, permutation: Sequence[int]) -> Any:
    """`jax.lax.transpose`: the dimensions in another order."""
    return _transpose(operand, _ints(permutation))


@operation("lax.squeeze", "array", how="inline")
def squeeze(array: Any, dimensions: Sequence[int]) -> Any:
    """`jax.lax.squeeze`: the array without these dimensions, which are of size 1."""
    shape = array.aval.shape
    dropped = {int(d) % len(shape) for d in dimensions}
    return _reshape(array, tuple(n for d, n in enumerate(shape) if d not in dropped))


@operation("lax.expand_dims", "array", how="inline")
def expand_dims(array: Any, dimensions: Sequence[int]) -> Any:
    """`jax.lax.expand_dims`: the array with new dimensions of size 1, numbered in the result."""
    rank = len(array.aval.shape) + len(tuple(dimensions))
    new = {int(d) % rank for d in dimensions}
    sizes = iter(array.aval.shape)
    return _reshape(array, tuple(1 if d in new else next(sizes) for d in range(rank)))


@operation("lax.collapse", "operand", how="inline")
def collapse(operand: Any, start_dimension: int, stop_dimension: int | None = None) -> Any:
    """`jax.lax.collapse`: a range of dimensions as one."""
    shape = operand.aval.shape
    first, last, _ = slice(start_dimension, stop_dimension).indices(len(shape))
    return _reshape(operand, (*shape[:first], math.prod(shape[first:last]), *shape[last:]))


@operation("lax.tile", "operand", how="inline")
def tile(operand: Any, reps: Sequence[int]) -> Any:
    """`jax.lax.tile`: the array repeated as a whole, so many times along each dimension."""
    shape, counts = operand.aval.shape, _ints(reps)
    pairs = [d for pair in zip(counts, shape) for d in pair]
    spread = broadcast_in_dim_p.bind(
        operand, shape=tuple(pairs), broadcast_dimensions=tuple(range(1, 2 * len(shape), 2))
    )
    return _reshape(spread, tuple(a * b for a, b in zip(counts, shape)))
