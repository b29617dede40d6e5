"""Elementwise functions that choose between values: where, select, clip, nan_to_num.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/lax_numpy.py`.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, ShapedArray, join_shapes
from arraytyping.semantics.rules.binary import promoted_shape
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, ANY_INEXACT
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import ANY_ARRAY, as_operand, is_array, is_python_scalar
from arraytyping.semantics.rules.table import RULES, rule

__all__ = ["clip", "nan_to_num", "select", "where"]


@rule("numpy.where")
def where(
    cx: Context, condition: Any, x: Any = None, y: Any = None, /, *, size: Any = None, fill_value: Any = None
) -> Any:
    """`jax.numpy.where`: with three arguments a choice; with one the indices of what is true, as `nonzero`."""
    if (x is None or x is UNKNOWN) and (y is None or y is UNKNOWN):
        mask = as_operand(cx, condition, "where", 0)
        if x is UNKNOWN or y is UNKNOWN or "numpy.nonzero" not in RULES:
            return UNKNOWN
        return RULES["numpy.nonzero"].function(cx, mask, size=size, fill_value=fill_value)
    operands = [as_operand(cx, v, "where", i) for i, v in enumerate((condition, x, y))]
    for name, value in (("size", size), ("fill_value", fill_value)):
        if value is not None and value is not UNKNOWN:
            raise RuleError(f"where: {name} goes with the condition alone; leave it out of a choice", ValueError)
    dtype, weak = cx.join("where", operands[1:])
    return ShapedArray(promoted_shape("where", *(o.shape for o in operands), exception=ValueError), dtype, weak)


@rule("numpy.select")
def select(cx: Context, condlist: Any, choicelist: Any, default: Any = 0) -> ShapedArray:
    """`jax.numpy.select`."""
    if not (isinstance(condlist, tuple | list) and isinstance(choicelist, tuple | list)):
        for given in (condlist, choicelist):
            if given is not UNKNOWN and not is_array(given) and not isinstance(given, tuple | list):
                raise DtypeError(f"select takes lists of arrays, got {given}; give a list of conditions and of choices")
        return ANY_ARRAY
    if len(condlist) != len(choicelist) or not condlist:
        raise ShapeError(
            f"select takes as many conditions as choices, and one or more, got {len(condlist)} and {len(choicelist)}",
            ValueError,
        )
    conditions = [as_operand(cx, c, "select", i) for i, c in enumerate(condlist)]
    choices = [as_operand(cx, c, "select", len(condlist) + i) for i, c in enumerate(choicelist)]
    otherwise = as_operand(cx, default, "select", "default")
    dtype, weak = cx.join("select", (otherwise, *choices))
    cx.join("select", (ShapedArray((), "bool"), *conditions))  # the conditions are stacked, so they must go together
    shapes = (o.shape for o in (*conditions, *choices, otherwise))
    return ShapedArray(promoted_shape("select", *shapes, exception=ValueError), dtype, weak)


@rule("numpy.clip")
def clip(cx: Context, arr: Any = None, /, min: Any = None, max: Any = None) -> ShapedArray:
    """`jax.numpy.clip`: `minimum(max, maximum(min, arr))`."""
    if arr is None:
        raise DtypeError("clip takes an array, got None; give it as the first argument", ValueError)
    result = as_operand(cx, arr, "clip", 0)
    limits = [as_operand(cx, v, "clip", name) for name, v in (("min", min), ("max", max)) if v is not None]
    for operand in (result, *limits):
        if operand.dtype in ANY_COMPLEX:
            raise DtypeError(
                f"clip: {operand.dtype} has no order; take jnp.real or jnp.imag of it, and clip that", ValueError
            )
    for limit in limits:
        dtype, weak = cx.join("clip", (limit, result))
        result = ShapedArray(promoted_shape("clip", limit.shape, result.shape), dtype, weak)
    return ShapedArray(result.shape, result.dtype, result.weak_type)


@rule("Array.clip")
def clip_method(cx: Context, self: Any, min: Any = None, max: Any = None) -> ShapedArray:
    """`x.clip()`."""
    return clip(cx, self, min, max)


@rule("numpy.nan_to_num")
def nan_to_num(
    cx: Context, x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> ShapedArray:
    """`jax.numpy.nan_to_num`: floats and complex are broadcast with what replaces them, others stay as they are."""
    array = as_operand(cx, x, "nan_to_num")
    replacements = {"nan": nan, "posinf": posinf, "neginf": neginf}
    for name, value in replacements.items():
        if not (value is None or value is UNKNOWN or isinstance(value, tuple | list)):
            as_operand(cx, value, "nan_to_num", name)
    if array.dtype is not None and array.dtype not in ANY_INEXACT:
        return ShapedArray(array.shape, array.dtype, array.weak_type)
    if array.dtype is not None and nan is None:
        raise DtypeError("nan_to_num: nan is a number, got None; leave it out for 0", ValueError)
    shapes = [()] if nan is None else [_replacement_shape(nan)]
    shapes += [() if v is None else _replacement_shape(v) for v in (posinf, neginf)]
    if array.dtype is None:
        try:
            shape = promoted_shape("nan_to_num", array.shape, *shapes)
        except ShapeError:
            shape = array.shape
        return ShapedArray(join_shapes(array.shape, shape), None)
    return ShapedArray(promoted_shape("nan_to_num", array.shape, *shapes, exception=ValueError), array.dtype)


def _replacement_shape(value: Any) -> Any:
    """The shape of what replaces a value; that of a list is not looked at."""
    if isinstance(value, ShapedArray | NumPyArray):
        return value.shape
    return () if is_python_scalar(value) else None
