"""Where the extreme elements are: the reductions that give an index, which has the default integer's dtype.

Source: `argmax` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.reductions import one_axis
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import register
from arraytyping.semantics.rules.unary import no_out


def _enter(name: str) -> None:
    def function(cx: Context, a: Any, axis: Any = None, out: Any = None, keepdims: Any = None) -> ShapedArray:
        no_out(name, out)
        operand = as_operand(cx, a, name)
        if isinstance(axis, int) and operand.ndim is not None:
            try:
                canonicalize_axis(name, axis, operand.ndim)
            except DimError as error:  # JAX looks the size of the axis up before it checks the axis
                raise DimError(error.message, IndexError) from None
        axes = one_axis(name, axis, operand.ndim)
        if (operand.size == 0 and axis is None) or axes.empty(operand.shape):
            raise ShapeError(
                f"{name}: attempt to get {name} of an empty sequence, the operand is {operand}", ValueError
            )
        return ShapedArray(axes.reduce(operand.shape, as_flag(keepdims)), cx.default("int"), False)

    register(f"numpy.{name}", function)
    if not name.startswith("nan"):
        register(f"Array.{name}", function)


for _name in ("argmax", "argmin", "nanargmax", "nanargmin"):
    _enter(_name)
