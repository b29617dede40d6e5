"""Traces: sums along diagonals.

Source: `trace` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INTEGER
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand, requested_dtype
from arraytyping.semantics.rules.reduction_arguments import summed
from arraytyping.semantics.rules.shapes.reductions import traced
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.rules.unary import no_out


@rule("numpy.trace", "Array.trace")
def trace(
    cx: Context, a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: Any = None
) -> ShapedArray:
    """`jax.numpy.trace`."""
    check_hashable("trace", axis1=axis1, axis2=axis2)
    operand = as_operand(cx, a, "trace")
    no_out("trace", out)
    shape = traced("trace", operand.shape, axis1, axis2)
    requested = None if dtype is None else requested_dtype(cx, dtype, "trace")
    diagonal = as_operand(cx, offset, "trace", "offset")
    if diagonal.dtype not in (None, *ANY_INTEGER) or diagonal.shape not in (None, ()):
        raise DimError(f"trace: offset must be an integer, got {diagonal}; give an int")
    result = summed(cx, "trace", operand.dtype) if dtype is None else requested
    return ShapedArray(shape, result, False)


@rule("numpy.linalg.trace")
def linalg_trace(cx: Context, x: Any, /, *, offset: Any = 0, dtype: Any = None) -> ShapedArray:
    """`jax.numpy.linalg.trace`, of the last two axes."""
    return trace(cx, x, offset, -2, -1, dtype)
