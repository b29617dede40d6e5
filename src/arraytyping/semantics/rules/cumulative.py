"""Cumulative sums and products.

Source: `_cumulative_reduction` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/reductions.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand, requested_dtype
from arraytyping.semantics.rules.reduction_arguments import summed
from arraytyping.semantics.rules.shapes.scans import kept_or_raveled, lengthened
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import register
from arraytyping.semantics.rules.unary import no_out


def _result_dtype(cx: Context, name: str, given: str | None, dtype: Any, promote: bool) -> str | None:
    """The dtype of the result: bool counts as the default int; other integers widen only if `promote`."""
    if dtype is not None:
        return requested_dtype(cx, dtype, name)
    return summed(cx, name, given) if promote or given == "bool" else given


def _enter(name: str) -> None:
    def function(cx: Context, a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> ShapedArray:
        check_hashable(name, axis=axis)
        operand = as_operand(cx, a, name)
        no_out(name, out)
        shape = operand.shape
        if shape == () and axis is not None and (operand.weak_type is not False or axis is UNKNOWN):
            # JAX takes an array like a Python scalar, weak and of rank 0, for a vector of one element.
            if operand.weak_type is None and axis is not UNKNOWN:
                canonicalize_axis(name, axis, 1)
            shape = (1,)
        shape = kept_or_raveled(name, shape, axis)
        return ShapedArray(shape, _result_dtype(cx, name, operand.dtype, dtype, promote=False), False)

    register(f"numpy.{name}", function)
    if not name.startswith("nan"):
        register(f"Array.{name}", function)


for _name in ("cumsum", "cumprod", "nancumsum", "nancumprod"):
    _enter(_name)


def _enter_standard(name: str, promote: bool) -> None:
    """Enter a function of the array API standard, which may start with an element of its own."""

    def function(
        cx: Context, x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: Any = False
    ) -> ShapedArray:
        operand = as_operand(cx, x, name)
        if operand.ndim == 0:
            raise DimError(f"{name} takes an array of at least one dimension, got {operand}; reshape it to (1,)")
        shape = lengthened(name, operand.shape, axis, as_flag(include_initial))
        return ShapedArray(shape, _result_dtype(cx, name, operand.dtype, dtype, promote), False)

    register(f"numpy.{name}", function)


_enter_standard("cumulative_sum", promote=True)
_enter_standard("cumulative_prod", promote=False)
