"""Functions given by samples: interpolated, integrated by trapezoids, convolved.

Source: `interp`, `trapezoid` and `_conv` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import ANY_ARRAY, as_operand
from arraytyping.semantics.rules.shapes.samples import convolved_size
from arraytyping.semantics.rules.sizes import with_shape, without_axis
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ, max_dim, subtract_dims

__all__: list[str] = []

_MODES: Final = ("full", "same", "valid")


def _convolved(cx: Context, name: str, a: Any, v: Any, mode: Any, precision: Any, preferred: Any) -> Any:
    check_hashable(name, mode=mode, precision=precision, preferred_element_type=preferred)
    ops = on_abstract_values(cx)
    arrays = [as_operand(cx, x, name, i) for i, x in enumerate((a, v))]
    for array in arrays:
        if array.shape is not None and len(array.shape) != 1:
            raise ShapeError(f"{name}: vectors are taken, got shape {shape_tuple_str(array.shape)}", ValueError)
    if preferred is UNKNOWN:
        arrays = [ANY_ARRAY, ANY_ARRAY]
    elif preferred is None:
        arrays = ops.inexact(name, *arrays)
    else:
        joined = cx.join(name, arrays)
        arrays = [ShapedArray(x.shape, *joined) for x in arrays]
    n, m = (None if x.shape is None else x.shape[0] for x in arrays)
    if n == 0 or m == 0:
        raise ShapeError(f"{name}: there are no items in one of the operands, of sizes {n} and {m}", ValueError)
    if name == "correlate":
        arrays[1] = ops("numpy.conj", arrays[1])
    if mode is not UNKNOWN and mode not in _MODES:
        raise RuleError(f"{name}: mode is 'full', 'same' or 'valid', got {mode!r}", ValueError)
    left, right = (with_shape(x, (1, 1, 1)) for x in arrays)
    made = ops(
        "lax.conv_general_dilated", left, right, (1,), "VALID", precision=precision, preferred_element_type=preferred
    )
    return with_shape(made, (convolved_size(mode, n, m),))


@rule("numpy.convolve")
def convolve(
    cx: Context, a: Any, v: Any, mode: Any = "full", *, precision: Any = None, preferred_element_type: Any = None
) -> Any:
    """`jax.numpy.convolve`."""
    return _convolved(cx, "convolve", a, v, mode, precision, preferred_element_type)


@rule("numpy.correlate")
def correlate(
    cx: Context, a: Any, v: Any, mode: Any = "valid", *, precision: Any = None, preferred_element_type: Any = None
) -> Any:
    """`jax.numpy.correlate`."""
    return _convolved(cx, "correlate", a, v, mode, precision, preferred_element_type)


def _check_text(name: str, value: Any) -> None:
    if isinstance(value, str) and value != "extrapolate":
        raise RuleError(f'interp: the only text that {name} may be is "extrapolate", got {value!r}', ValueError)


@rule("numpy.interp")
def interp(cx: Context, x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """`jax.numpy.interp`: the dtype follows from what is computed, first of all from the values."""
    ops = on_abstract_values(cx)
    at, places, values = (as_operand(cx, v, "interp", i) for i, v in enumerate((x, xp, fp)))
    for shape in (places.shape, values.shape):
        if shape is not None and len(shape) != 1:
            raise ShapeError(f"interp: xp and fp are two vectors, got shape {shape_tuple_str(shape)}", ValueError)
    if places.shape is not None and values.shape is not None and differ(places.shape[0], values.shape[0]):
        raise ShapeError(
            f"interp: xp and fp must be one-dimensional arrays of equal size, got {places.shape[0]} and "
            f"{values.shape[0]}",
            ValueError,
        )
    at, places = ops.inexact("interp", at, places)
    (values,) = ops.inexact("interp", values)
    _check_text("left", left)
    _check_text("right", right)
    if at.dtype in ANY_COMPLEX:
        raise DtypeError(f"interp: complex x values are not taken, got {at.dtype}; take jnp.real of them", ValueError)
    if UNKNOWN in (left, right, period) or at.shape is None or places.shape is None:
        return UNKNOWN
    if places.shape == (0,):
        raise ShapeError(
            "interp: there are no samples to interpolate between", IndexError if 0 in at.shape else TypeError
        )
    if period is not None:
        given = as_operand(cx, period, "interp", "period")
        if given.shape:
            raise ShapeError(f"interp: the period is a scalar, got shape {shape_tuple_str(given.shape)}", ValueError)
        cycle = ops("numpy.abs", given)
        at, moved = ops("numpy.remainder", at, cycle), ops("numpy.remainder", with_shape(places, (1,)), cycle)
        before, behind = ops("numpy.subtract", moved, cycle), ops("numpy.add", moved, cycle)
        places = ops("numpy.concatenate", [before, moved, behind])
    ops("numpy.searchsorted", with_shape(places, (3,)), at)
    if places.dtype is not None and places.dtype not in ("float16", "float32", "float64"):  # JAX asks NumPy for its eps
        raise DtypeError(f"interp: the places are floats of NumPy's, got {places.dtype}; convert xp", ValueError)
    one = with_shape(places, at.shape)
    value = with_shape(values, at.shape)
    width, rise = ops("numpy.subtract", one, one), ops("numpy.subtract", value, value)
    distance = ops("numpy.subtract", at, one)
    same = ShapedArray(at.shape, "bool", False)
    slope = ops("numpy.true_divide", distance, ops("numpy.where", same, 1, width))
    result = ops("numpy.where", same, value, ops("numpy.add", value, ops("numpy.multiply", slope, rise)))
    for end in (left, right):
        if period is None and not isinstance(end, str):
            result = ops("numpy.where", same, with_shape(values, ()) if end is None else end, result)
    return result


@rule("numpy.trapezoid")
def trapezoid(cx: Context, y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """`jax.numpy.trapezoid`."""
    check_hashable("trapezoid", axis=axis)
    ops = on_abstract_values(cx)
    if x is UNKNOWN or axis is UNKNOWN:
        return UNKNOWN
    if x is None:
        (values,) = ops.inexact("trapezoid", y)
        width = ops("numpy.asarray", dx)
        if width.shape is None or values.shape is None:
            return UNKNOWN
        if width.shape:
            if len(width.shape) > len(values.shape):
                return UNKNOWN
            width = with_shape(width, (1,) * (len(values.shape) - len(width.shape)) + width.shape)
            width = ops("numpy.moveaxis", width, axis, -1)
    else:
        values, places = ops.inexact("trapezoid", y, x)
        if places.shape is None or values.shape is None:
            return UNKNOWN
        if len(places.shape) == 1:
            width = ops("numpy.diff", places)
        else:
            width = ops("numpy.moveaxis", ops("numpy.diff", places, axis=axis), axis, -1)
    number = canonicalize_axis("trapezoid", axis, values.ndim)
    if number is None or width.shape is None or values.shape is None:
        return UNKNOWN
    count = values.shape[number]
    rest = with_shape(values, without_axis(values.shape, number))
    widths = width.shape[-1] if width.shape else 1
    if widths is None or count is None:
        return UNKNOWN
    # Of one width, JAX subtracts half of the ends from the sum, else it sums pairs: of no item it has no ends.
    if not width.shape or not differ(widths, 1):
        if width.shape and widths != 1:
            return UNKNOWN
        if count == 0:
            raise DimError(f"trapezoid: {values} has no items along axis {axis}", IndexError)
        ends = ops("numpy.multiply", 0.5, ops("numpy.add", rest, rest))
        total = ops("numpy.subtract", ops("numpy.sum", rest, axis=()), ends)
        return ops("numpy.multiply", with_shape(width, width.shape[:-1]), total)
    pairs = with_shape(ops("numpy.add", rest, rest), (*(rest.shape or ()), max_dim(subtract_dims(count, 1), 0)))
    return ops("numpy.multiply", 0.5, ops("numpy.sum", ops("numpy.multiply", width, pairs), axis=-1))
