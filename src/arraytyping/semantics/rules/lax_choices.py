"""Rules of the family: functions of `jax.lax` that choose among elements, whose shapes must be equal.

Source: `_select_shape_rule`, `_select_dtype_rule` and `_clamp_shape_rule` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import Shape, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DtypeError, RuleError
from arraytyping.semantics.rules.lax_operands import all_weak, equal_shapes, same_dtype
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import INEXACT, refuse
from arraytyping.semantics.rules.table import rule


def _shape_of_all(operation: str, shape: Shape | None, *scalars_or_equal: Shape | None) -> Shape | None:
    """The shape, with what others tell of it that are of rank 0 or equal to it.

    Raises:
        ShapeError: if one is neither.
    """
    for other in scalars_or_equal:
        if other:
            shape = equal_shapes(operation, shape, other)
    return shape


@rule("lax.clamp")
def clamp(cx: Context, min: Any, x: Any, max: Any) -> ShapedArray:
    """`jax.lax.clamp`: the bounds have the shape of the array, or none."""
    least, array, greatest = operands = [as_operand(cx, v, "lax.clamp", i) for i, v in enumerate((min, x, max))]
    shape = _shape_of_all("lax.clamp", array.shape, least.shape, greatest.shape)
    return ShapedArray(shape, same_dtype("lax.clamp", operands), all_weak(operands))


@rule("lax.select")
def select(cx: Context, pred: Any, on_true: Any, on_false: Any) -> ShapedArray:
    """`jax.lax.select`."""
    return _selected(cx, "lax.select", pred, on_true, on_false)


@rule("lax.select_n")
def select_n(cx: Context, which: Any, *cases: Any) -> ShapedArray:
    """`jax.lax.select_n`: of more than two cases an integer selects one."""
    if not cases:
        raise RuleError("lax.select_n must have at least one case, got none", ValueError)
    return _selected(cx, "lax.select_n", which, *cases)


def _selected(cx: Context, operation: str, which: Any, *cases: Any) -> ShapedArray:
    selector, *operands = [as_operand(cx, v, operation, i) for i, v in enumerate((which, *cases))]
    shape = _shape_of_all(operation, equal_shapes(operation, *[o.shape for o in operands]), selector.shape)
    dtype = same_dtype(operation, operands)
    refuse(operation, selector.dtype, (INEXACT,))
    if selector.dtype == "bool" and len(operands) > 2:
        raise DtypeError(f"{operation}: a bool selects one of two cases, got {len(operands)}; give an integer")
    return ShapedArray(shape, dtype, all_weak(operands))
