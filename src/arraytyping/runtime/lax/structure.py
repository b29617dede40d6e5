"""Where elements stand: broadcasting, reshaping, transposing.

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.semantics.operations import OPERATIONS
from arraytyping.semantics.rules.named import named

__all__ = [
    "broadcast_at",
    "broadcast_in_dim_p",
    "broadcast_to",
    "expand_to",
    "linear_unary",
    "moveaxis",
    "reshape",
    "reshape_p",
    "transpose",
    "transpose_p",
]

Sizes = tuple[int, ...]


def linear_unary(primitive: Primitive) -> None:
    """Give a primitive that is linear in its one operand the jvp that it is itself."""

    def jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
        result = primitive.bind(*primals, **params)
        (tangent,) = tangents
        return result, Zero(result.aval) if is_zero(tangent) else primitive.bind(tangent, **params)

    primitive.jvp_rule = jvp


broadcast_in_dim_p: Final = Primitive("broadcast_in_dim", named("lax.broadcast_in_dim"))
reshape_p: Final = Primitive("reshape", named("lax.reshape"))
transpose_p: Final = Primitive("transpose", named("lax.transpose"))
for _p in (broadcast_in_dim_p, reshape_p, transpose_p):
    linear_unary(_p)


def _transpose_broadcast(ct: Any, x: Any, *, shape: Sizes, broadcast_dimensions: Sizes) -> list[Any]:
    kept = {d: i for i, d in enumerate(broadcast_dimensions)}
    axes = tuple(d for d in range(len(shape)) if d not in kept or x.aval.shape[kept[d]] != shape[d])
    return [reshape(OPERATIONS.reduce_sum(ct, axes) if axes else ct, x.aval.shape)]


def _batch_broadcast(
    axis: Any, args: Sequence[Any], dims: Sequence[Any], *, shape: Sizes, broadcast_dimensions: Sizes
) -> tuple[Any, int]:
    x = moveaxis(args[0], dims[0], 0)
    moved = (0, *(d + 1 for d in broadcast_dimensions))
    return broadcast_in_dim_p.bind(x, shape=(axis.size, *shape), broadcast_dimensions=moved), 0


broadcast_in_dim_p.transpose_rule = _transpose_broadcast
broadcast_in_dim_p.batching_rule = _batch_broadcast

reshape_p.transpose_rule = lambda ct, x, *, new_sizes: [reshape(ct, x.aval.shape)]
reshape_p.batching_rule = lambda axis, args, dims, *, new_sizes: (
    reshape_p.bind(moveaxis(args[0], dims[0], 0), new_sizes=(axis.size, *new_sizes)),
    0,
)


def _inverse(permutation: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(range(len(permutation)), key=permutation.__getitem__))


transpose_p.transpose_rule = lambda ct, x, *, permutation: [transpose(ct, _inverse(permutation))]
transpose_p.batching_rule = lambda axis, args, dims, *, permutation: (
    transpose_p.bind(args[0], permutation=(dims[0], *(d if d < dims[0] else d + 1 for d in permutation))),
    0,
)


def reshape(x: Any, shape: tuple[int, ...]) -> Any:
    """The elements in another shape."""
    return x if x.aval.shape == shape else reshape_p.bind(x, new_sizes=tuple(shape))


def transpose(x: Any, permutation: Sequence[int]) -> Any:
    """The dimensions in another order."""
    permutation = tuple(permutation)
    return x if permutation == tuple(range(len(permutation))) else transpose_p.bind(x, permutation=permutation)


def moveaxis(x: Any, source: int, to: int) -> Any:
    """One dimension at another place; negative ones count from the end."""
    rank = len(x.aval.shape)
    source, to = source % rank, to % rank
    order = [d for d in range(rank) if d != source]
    order.insert(to, source)
    return transpose(x, order)


def broadcast_at(x: Any, size: int, dimension: int) -> Any:
    """The array repeated along a new dimension."""
    shape = list(x.aval.shape)
    shape.insert(dimension, size)
    kept = tuple(d for d in range(len(shape)) if d != dimension)
    return broadcast_in_dim_p.bind(x, shape=tuple(shape), broadcast_dimensions=kept)


def broadcast_to(x: Any, shape: tuple[int, ...]) -> Any:
    """The array repeated to this shape, dimensions aligned at the end."""
    own = x.aval.shape
    if own == shape:
        return x
    offset = len(shape) - len(own)
    return broadcast_in_dim_p.bind(x, shape=tuple(shape), broadcast_dimensions=tuple(range(offset, len(shape))))


def expand_to(x: Any, shape: tuple[int, ...]) -> Any:
    """The array with dimensions of size 1 more."""
    return reshape(x, shape)


OPERATIONS.reshape = reshape
OPERATIONS.moveaxis = moveaxis
OPERATIONS.broadcast_at = broadcast_at
OPERATIONS.broadcast_to = broadcast_to
