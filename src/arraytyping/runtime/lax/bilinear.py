"""What primitives have in common that are linear in each of their two operands: the product rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_tangents
from arraytyping.runtime.tracing.tangents import Zero, is_zero

__all__ = ["bilinear"]


def bilinear(primitive: Primitive) -> None:
    """Give a primitive of two operands, linear in each, its jvp."""

    def jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
        (x, y), (dx, dy) = primals, tangents
        result = primitive.bind(x, y, **params)
        total: Any = Zero(result.aval)
        if not is_zero(dx):
            total = primitive.bind(dx, y, **params)
        if not is_zero(dy):
            total = add_tangents(total, primitive.bind(x, dy, **params))
        return result, total

    primitive.jvp_rule = jvp
