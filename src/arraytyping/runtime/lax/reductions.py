"""Reductions over dimensions.

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, linear_unary
from arraytyping.semantics.operations import OPERATIONS
from arraytyping.semantics.rules.named import named

__all__ = ["batch_reduction", "reduce_sum", "reduce_sum_p"]

reduce_sum_p: Final = Primitive("reduce_sum", named("lax.reduce_sum"))
linear_unary(reduce_sum_p)


def _transpose_sum(ct: Any, x: Any, *, axes: tuple[int, ...]) -> list[Any]:
    kept = tuple(d for d in range(len(x.aval.shape)) if d not in axes)
    return [broadcast_in_dim_p.bind(ct, shape=x.aval.shape, broadcast_dimensions=kept)]


def batch_reduction(primitive: Primitive) -> None:
    """Give a reduction with the parameter `axes` its batching rule."""

    def rule(
        axis: Any, args: Sequence[Any], dims: Sequence[Any], *, axes: tuple[int, ...], **params: Any
    ) -> tuple[Any, int]:
        dim = dims[0]
        moved = tuple(a if a < dim else a + 1 for a in axes)
        return primitive.bind(args[0], axes=moved, **params), dim - sum(a < dim for a in moved)

    primitive.batching_rule = rule


reduce_sum_p.transpose_rule = _transpose_sum
batch_reduction(reduce_sum_p)


def reduce_sum(x: Any, axes: tuple[int, ...]) -> Any:
    """The sum over these dimensions."""
    return reduce_sum_p.bind(x, axes=tuple(axes)) if axes else x


OPERATIONS.reduce_sum = reduce_sum
