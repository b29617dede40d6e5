"""Differences of neighbouring elements.

Source: `diff` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import Shape, ShapedArray
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.joining import concatenated
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_index
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, max_dim


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
    if times < 0:
        raise DimError(f"diff: n must not be negative, got {times}")
    if operand.ndim == 0:
        raise DimError(f"diff takes an array of at least one dimension, got {operand}; reshape it to (1,)")
    number = canonicalize_axis("diff", axis, operand.ndim)
    before = [] if prepend is None else [as_operand(cx, prepend, "diff", "prepend")]
    after = [] if append is None else [as_operand(cx, append, "diff", "append")]
    arrays = [*before, operand, *after]
    shape = operand.shape if len(arrays) == 1 else None
    late: ShapeError | None = None
    if len(arrays) > 1 and operand.shape is not None and number is not None:
        shapes = [_spread(part.shape, operand.shape, number) for part in arrays]
        try:
            shape = concatenated("diff", shapes, number)
        except ShapeError as error:  # JAX compares the dtypes before the shapes
            late = error
    elif operand.shape is not None and number is None:
        shape = (None,) * len(operand.shape)
    dtype, weak = cx.join("diff", arrays)
    if late is not None:
        raise late
    if shape is not None and number is not None:
        shape = (*shape[:number], max_dim(add_dims((shape[number], -times)), 0), *shape[number + 1 :])
    return ShapedArray(shape, dtype, weak)


def _perhaps_unchanged(operand: ShapedArray, alone: bool) -> ShapedArray:
    """The differences taken an unknown number of times, which may be 0, of an array that stands alone or not."""
    shape = None if operand.shape is None else (None,) * len(operand.shape)
    return with_shape(operand, shape) if alone else ShapedArray(shape, None)


def _spread(part: Shape | None, shape: Shape, axis: int) -> Shape | None:
    """The shape in which an array is put before or after one of another shape: a scalar fills one place of the axis."""
    return (*shape[:axis], 1, *shape[axis + 1 :]) if part == () else part
