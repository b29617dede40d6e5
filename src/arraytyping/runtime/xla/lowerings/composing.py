"""Lowerings that are written with primitives: the function is staged, and its jaxpr built in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.runtime.core import EVAL, Primitive, use_trace
from arraytyping.runtime.tracing.staging import stage
from arraytyping.semantics.avals import ShapedArray

__all__ = ["built", "composed"]


def built(cx: Any, function: Callable[..., Any], avals: Sequence[ShapedArray], operands: Sequence[Any]) -> Any:
    """The value that a function of arrays, made of primitives, computes of these operands."""
    with use_trace(EVAL):
        closed = stage(lambda *xs: [function(*xs)], avals)
    return cx.closed(closed, operands)[0]


def composed(primitive: Primitive, function: Callable[..., Any]) -> None:
    """Lower a primitive of one result by a function of the same operands and parameters."""

    def lowering(cx: Any, avals_in: Any, aval_out: Any, *operands: Any, **params: Any) -> Any:
        return built(cx, lambda *xs: function(*xs, **params), avals_in, operands)

    primitive.lowering = lowering
