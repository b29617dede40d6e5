"""Rules of the family: elementwise."""

from __future__ import annotations

from typing import Any

from arraytyping.avals import ShapedArray
from arraytyping.rules.broadcasting import broadcast_shapes
from arraytyping.rules.context import Context
from arraytyping.rules.operands import as_array
from arraytyping.rules.table import rule


@rule("numpy.add")
def add(cx: Context, x: Any, y: Any, /) -> ShapedArray:
    """`jax.numpy.add`."""
    a, b = as_array(cx, x, "add", 0), as_array(cx, y, "add", 1)
    dtype, weak = cx.join("add", (a, b))
    return ShapedArray(broadcast_shapes("add", a.shape, b.shape), dtype, weak)
