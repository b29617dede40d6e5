"""Norms of vectors and matrices.

Source: `norm` and `vector_norm` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/linalg.py.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INEXACT, TINY_INTEGER, to_inexact, to_real
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.reduction_arguments import NARROW_INTEGER, summed
from arraytyping.semantics.rules.refusals import NARROW_SIGNED, refuse
from arraytyping.semantics.rules.shapes.reductions import Axes, reduced_axes
from arraytyping.semantics.rules.static_arguments import as_flag, is_constant
from arraytyping.semantics.rules.table import rule


def _magnitude(name: str, dtype: str) -> str:
    refuse(name, dtype, (NARROW_SIGNED,))
    return "int8" if dtype == "int1" else to_real(dtype)


def _euclidean(cx: Context, name: str, dtype: str) -> str:
    """The dtype of the root of the sum of squares."""
    return to_inexact(summed(cx, name, to_real(dtype)) or dtype)


def _sum_of_magnitudes(cx: Context, name: str, dtype: str) -> str | None:
    return summed(cx, name, _magnitude(name, dtype))


def _check_some(name: str, order: Any, empty: bool, operand: ShapedArray) -> None:
    if empty:
        raise ShapeError(
            f"{name} with ord={order} of an axis of size 0 is nothing: the operand is {operand}", ValueError
        )


def _check_number(name: str, order: Any) -> None:
    """Check that the order of a vector's norm is none of the words for a matrix's.

    Raises:
        RuleError: (ValueError) if it is a word.
    """
    if isinstance(order, str):
        advice = " Use jnp.inf or -jnp.inf." if order in ("inf", "-inf") else " Give a number."
        raise RuleError(f"{name}: Invalid order {order!r} for vector norm.{advice}", ValueError)


def _vector_dtype(cx: Context, name: str, dtype: str | None, order: Any) -> str | None:
    if dtype is None or dtype in ANY_INEXACT:
        return None if dtype is None else to_real(dtype)
    if not is_constant(order):
        return None
    if order is None or order == 2:
        return _euclidean(cx, name, dtype)
    if order in (math.inf, -math.inf):
        return _magnitude(name, dtype)
    if order == 0:
        raise DtypeError(f"{name} with ord=0 does not take {dtype}; make it a float first", ValueError)
    if order == 1:
        return _sum_of_magnitudes(cx, name, dtype)
    return _power_dtype(cx, name, dtype, order)


def _power_dtype(cx: Context, name: str, dtype: str, order: Any) -> str | None:
    """The dtype of a sum of powers of integers; JAX stores the order in their dtype too, where it may not fit."""
    magnitude = _magnitude(name, dtype)
    if isinstance(order, int) and order < 0 and magnitude != "bool" and magnitude not in NARROW_INTEGER:
        unsigned = KINDS[magnitude] == "u"
        raise DtypeError(
            f"{name} with ord={order} does not take {dtype}; make it a float first",
            OverflowError if unsigned else TypeError,
        )
    if magnitude == "uint1" and isinstance(order, float):
        raise DtypeError(f"{name} with ord={order} does not take uint1, of which no power is that", OverflowError)
    result = summed(cx, name, magnitude)
    known = isinstance(order, int | float) and (2 < order < 100 or (isinstance(order, int) and order < 0))
    return result if known else None


def _vector_norm(
    cx: Context, name: str, operand: ShapedArray, dtype: str | None, order: Any, axes: Axes, keep: bool | None
) -> ShapedArray:
    result = _vector_dtype(cx, name, dtype, order)
    if is_constant(order) and order == -math.inf:
        _check_some(name, order, axes.empty(operand.shape), operand)
    return ShapedArray(axes.reduce(operand.shape, keep), result, False)


def _matrix_dtype(cx: Context, name: str, dtype: str | None, order: Any) -> str | None:
    if is_constant(order) and order not in (None, "f", "fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        raise RuleError(
            f"{name}: {order!r} is no order of a matrix norm; use 'fro', 'nuc', 1, 2 or jnp.inf", ValueError
        )
    if dtype is None or (not is_constant(order) and dtype in TINY_INTEGER):
        return None
    if dtype not in TINY_INTEGER:
        return to_real(dtype)
    if order in (None, "f", "fro"):
        return _euclidean(cx, name, dtype)
    if order in (1, -1, math.inf, -math.inf):
        return _sum_of_magnitudes(cx, name, dtype)
    raise DtypeError(f"{name} with ord={order!r} does not take {dtype}; make it a float first")


def _check_matrix(name: str, operand: ShapedArray, order: Any, row: int, column: int) -> None:
    """Check that the norms that are a minimum are of some elements."""
    if not is_constant(order) or operand.shape is None:
        return
    rows, columns = operand.shape[row], operand.shape[column]
    empty = (
        (order == -1 and columns == 0) or (order == -math.inf and rows == 0) or (order == -2 and 0 in (rows, columns))
    )
    _check_some(name, order, empty, operand)


@rule("numpy.linalg.norm")
def norm(cx: Context, x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> ShapedArray:
    """`jax.numpy.linalg.norm`: of a vector along one axis, of a matrix along two; `ord` None for all elements."""
    check_hashable("norm", ord=ord, axis=axis, keepdims=keepdims)
    operand = as_operand(cx, x, "norm")
    dtype = None if operand.dtype is None else to_inexact(operand.dtype)
    keep = as_flag(keepdims)
    if isinstance(axis, tuple) and len(axis) == 2:
        repeated = _along_repeated_axis(cx, operand, dtype, ord, axis, keep)
        if repeated is not None:
            return repeated
    axes = reduced_axes("norm", axis, operand.ndim, named=False)
    count = axes.count
    if axis is None and ord is None:
        count = 2  # of any number of axes
    elif count not in (1, 2) and (axis is None or axis is UNKNOWN) and (ord is None or ord is UNKNOWN):
        count = None  # both may be None
    if count == 1:
        _check_number("norm", ord)
        return _vector_norm(cx, "norm", operand, dtype, ord, axes, keep)
    shape = axes.reduce(operand.shape, keep)
    if count == 2:
        if axes.numbers is not None and len(axes.numbers) == 2:
            _check_matrix("norm", operand, ord, *axes.numbers)
        return ShapedArray(shape, _matrix_dtype(cx, "norm", dtype, ord), False)
    if count is not None:
        raise DimError(f"norm: {count} axes are neither a vector's nor a matrix's; name one or two with axis")
    return ShapedArray(shape, None if dtype is None or dtype in TINY_INTEGER else to_real(dtype), False)


def _stepwise(order: Any) -> bool | None:
    """Whether JAX computes a matrix norm along one axis first, then along the other, which may then be the same."""
    return order in (1, -1, math.inf, -math.inf) if is_constant(order) else None


def _along_repeated_axis(
    cx: Context, operand: ShapedArray, dtype: str | None, order: Any, axis: tuple[Any, ...], keep: bool | None
) -> ShapedArray | None:
    """The norm along an axis that is given twice, where JAX computes one: first along it, then along that in its place.

    None if the axes differ, as far as known.

    Raises:
        DimError: if JAX certainly refuses it.
    """
    first, second = (canonicalize_axis("norm", a, operand.ndim) for a in axis)
    stepwise = _stepwise(order)
    if first is None or second is None:
        return ShapedArray(None, None) if operand.ndim == 1 and stepwise is not False else None
    if first != second:
        return None
    after = first + (not keep)
    if stepwise is False or (stepwise and keep is False and after == operand.ndim):
        transposed = order in (2, -2, "nuc") and operand.ndim != 1
        raise DimError(f"norm: axis {axis[0]} is named twice; name two axes", TypeError if transposed else ValueError)
    if keep is None or not stepwise or operand.shape is None:
        return ShapedArray(None, None)
    _check_some("norm", order, order in (-1, -math.inf) and not keep and operand.shape[after] == 0, operand)
    shape = Axes(operand.ndim, (first, after), 2).reduce(operand.shape, keep)
    return ShapedArray(shape, _matrix_dtype(cx, "norm", dtype, order), False)


@rule("numpy.linalg.vector_norm")
def vector_norm(cx: Context, x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> ShapedArray:
    """`jax.numpy.linalg.vector_norm`: unlike `norm` it leaves integers what they are where it can."""
    check_hashable("vector_norm", keepdims=keepdims)
    operand = as_operand(cx, x, "vector_norm")
    _check_number("vector_norm", ord)
    axes = reduced_axes("vector_norm", axis, operand.ndim)
    return _vector_norm(cx, "vector_norm", operand, operand.dtype, ord, axes, as_flag(keepdims))


@rule("numpy.linalg.matrix_norm")
def matrix_norm(cx: Context, x: Any, /, *, keepdims: Any = False, ord: Any = "fro") -> ShapedArray:
    """`jax.numpy.linalg.matrix_norm`, of the last two axes."""
    return norm(cx, x, ord, (-2, -1), keepdims)
