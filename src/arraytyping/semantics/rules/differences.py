"""Differences of neighbouring elements.

Source: `diff` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import Shape, ShapedArray
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.scans import differences
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_index
from arraytyping.semantics.rules.table import rule


@rule("numpy.diff")
def diff(cx: Context, a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> ShapedArray:
    """`jax.numpy.diff`: n times over; of bool, whether neighbours differ."""
    check_hashable("diff", n=n, axis=axis)
    operand = as_operand(cx, a, "diff")
    times = as_index("diff", "n", n)
    canonicalize_axis("diff", axis, None)
    if times == 0:
        return with_shape(operand, operand.shape)
    if times is None:
        return _perhaps_unchanged(operand, alone=prepend is None and append is None)
    before = [] if prepend is None else [as_operand(cx, prepend, "diff", "prepend")]
    after = [] if append is None else [as_operand(cx, append, "diff", "append")]
    shape: Shape | None = None
    late: ShapeError | None = None
    try:
        shape = differences("diff", operand.shape, times, axis, [b.shape for b in before], [a.shape for a in after])
    except ShapeError as error:  # JAX compares the dtypes before the shapes
        late = error
    dtype, weak = cx.join("diff", [*before, operand, *after])
    if late is not None:
        raise late
    return ShapedArray(shape, dtype, weak)


def _perhaps_unchanged(operand: ShapedArray, alone: bool) -> ShapedArray:
    """The differences taken an unknown number of times, which may be 0, of an array that stands alone or not."""
    shape = None if operand.shape is None else (None,) * len(operand.shape)
    return with_shape(operand, shape) if alone else ShapedArray(shape, None)
