"""Variances and standard deviations, also of what is not NaN.

Source: `_var` and `_nanvar` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/reductions.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Scalar, Shape, ShapedArray, SymbolicDim
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, ANY_INEXACT, to_inexact, to_real
from arraytyping.semantics.rules.errors import DtypeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.means import counted_axes, refuse_bool
from arraytyping.semantics.rules.operands import as_operand, requested_dtype
from arraytyping.semantics.rules.reduction_arguments import (
    as_mask,
    broadcast_equal_ranks,
    broadcast_mask,
    check_mask_fits,
    reduce_masked,
    summed,
)
from arraytyping.semantics.rules.shapes.reductions import reduced_axes
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.rules.unary import no_out


def _check_correction(name: str, ddof: Any, correction: Any) -> Any:
    """The correction that counts: `correction`, or else `ddof`.

    Raises:
        DtypeError: (ValueError) if both are certainly given.
    """
    if correction is None:
        return ddof
    if correction is UNKNOWN or ddof is UNKNOWN:
        return UNKNOWN
    perhaps_zero = isinstance(ddof, SymbolicDim) or (isinstance(ddof, Scalar) and ddof.kind in ("bool", "int"))
    if not perhaps_zero and not (isinstance(ddof, int) and ddof == 0):
        raise DtypeError(f"{name}: ddof and correction mean the same; give one of them", ValueError)
    return correction


def _variance_dtypes(name: str, given: str | None, dtype: str | None, asked: bool) -> tuple[str | None, str | None]:
    """The dtype in which a variance is computed, and that of the result.

    Raises:
        DtypeError: (ValueError) if a real dtype is asked for of complex elements.
    """
    if not asked:
        return (None, None) if given is None else (to_inexact(given), to_real(to_inexact(given)))
    if dtype is not None and dtype not in ANY_COMPLEX and given in ANY_COMPLEX:
        raise DtypeError(
            f"{name}: of {given} elements JAX computes no variance as {dtype}; leave dtype out, or name a complex one",
            ValueError,
        )
    return dtype, dtype


def _deviations(cx: Context, name: str, operand: ShapedArray, mean: Any) -> Shape | None:
    """The shape of the deviations from a mean that the caller gives.

    Raises:
        ShapeError: if the mean's shape does not go with the operand's.
    """
    given = as_operand(cx, mean, name, "mean")
    shape = broadcast_equal_ranks(f"{name}: array and mean", operand.shape, given.shape)
    return None if mean is UNKNOWN else shape


def _var(
    cx: Context,
    name: str,
    a: Any,
    axis: Any,
    dtype: Any,
    out: Any,
    keepdims: Any,
    where: Any,
    mean: Any,
    correction: Any,
) -> ShapedArray:
    check_hashable(name, keepdims=keepdims)
    operand = as_operand(cx, a, name)
    mask = as_mask(cx, name, where)
    asked = None if dtype is None else requested_dtype(cx, dtype, name)
    if name == "std" and asked is not None and asked not in ANY_INEXACT:
        raise DtypeError(f"std: the dtype of the result must be a float or complex one, got {asked}", ValueError)
    no_out(name, out)
    computed, result = _variance_dtypes(name, operand.dtype, asked, dtype is not None)
    deviations = operand.shape if mean is None else _deviations(cx, name, operand, mean)
    check_mask_fits(name, operand.shape, mask)
    counted_axes(name, axis, operand.ndim, where)
    refuse_bool(name, computed)
    axes = reduced_axes(name, axis, None if deviations is None else len(deviations))
    shape = axes.reduce(deviations, as_flag(keepdims))
    if correction is None:
        raise DtypeError(f"{name}: ddof is None; give a number", ValueError)
    subtracted = as_operand(cx, correction, name, "ddof")
    shape = broadcast_equal_ranks(f"{name}: the count less ddof", shape, subtracted.shape)
    if result is None:
        return ShapedArray(shape, None)
    # Where there are too few elements the result is NaN, a Python float.
    nan = ShapedArray((), cx.default("float"), True)
    joined, weak = cx.join(name, (ShapedArray((), result, False), nan))
    return ShapedArray(shape, joined, weak)


@rule("numpy.var")
def var(
    cx: Context,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = None,
    mean: Any = None,
    correction: Any = None,
) -> ShapedArray:
    """`jax.numpy.var`."""
    correction = _check_correction("var", ddof, correction)
    return _var(cx, "var", a, axis, dtype, out, keepdims, where, mean, correction)


@rule("numpy.std")
def std(
    cx: Context,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = None,
    mean: Any = None,
    correction: Any = None,
) -> ShapedArray:
    """`jax.numpy.std`."""
    correction = _check_correction("std", ddof, correction)
    correction = 0 if correction is None else correction  # JAX's std hands both on to var, where ddof is 0
    return _var(cx, "std", a, axis, dtype, out, keepdims, where, mean, correction)


@rule("Array.var")
def array_var(
    cx: Context,
    self: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = None,
    correction: Any = None,
) -> ShapedArray:
    """`jax.Array.var`."""
    return var(cx, self, axis, dtype, out, ddof, keepdims, where=where, correction=correction)


@rule("Array.std")
def array_std(
    cx: Context,
    self: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = None,
    correction: Any = None,
) -> ShapedArray:
    """`jax.Array.std`."""
    return std(cx, self, axis, dtype, out, ddof, keepdims, where=where, correction=correction)


def _nanvar(
    cx: Context,
    name: str,
    a: Any,
    axis: Any,
    dtype: Any,
    out: Any,
    ddof: Any,
    keepdims: Any,
    where: Any,
    mean: Any,
) -> ShapedArray:
    check_hashable(name, axis=axis, keepdims=keepdims)
    keep = as_flag(keepdims)
    operand = as_operand(cx, a, name)
    mask = as_mask(cx, name, where)
    asked = None if dtype is None else requested_dtype(cx, dtype, name)
    no_out(name, out)
    computed, result = _variance_dtypes(name, operand.dtype, asked, dtype is not None)
    axes = reduced_axes(name, axis, operand.ndim) if mean is not None or computed in (None, *ANY_INEXACT) else None
    if axes is None:  # JAX takes the mean of integers by another way
        check_mask_fits(name, operand.shape, mask)
        axes = counted_axes(name, axis, operand.ndim, where)
    count = reduce_masked(name, operand, mask, where, axes, keep)
    if mean is None:
        average = reduce_masked(name, operand, mask, where, axes, True)
        deviations = broadcast_equal_ranks(f"{name}: array and mean", operand.shape, average)
        if average is None and where is None:
            deviations = operand.shape
    else:
        deviations = _deviations(cx, name, operand, mean)
    refuse_bool(name, computed)
    squares = ShapedArray(deviations, None)
    total = reduce_masked(name, squares, mask, where, reduced_axes(name, axis, squares.ndim), keep)
    subtracted = as_operand(cx, ddof, name, "ddof")
    divisor, _ = cx.join(name, (ShapedArray((), cx.default("int"), False), subtracted))
    if divisor in ANY_COMPLEX:
        raise DtypeError(f"{name}: ddof is complex; give a real number")
    shape = broadcast_mask(name, broadcast_mask(name, count, subtracted.shape), total)
    if computed is not None:
        squared = summed(cx, name, to_real(computed))
        cx.join(name, (ShapedArray((), cx.default("float"), True), ShapedArray((), squared, False)))
    if name == "nanstd" and result is not None and result not in ANY_INEXACT:
        raise DtypeError(f"nanstd: the dtype of the result must be a float or complex one, got {result}")
    return ShapedArray(shape, result, False)


@rule("numpy.nanvar")
def nanvar(
    cx: Context,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    where: Any = None,
    mean: Any = None,
) -> ShapedArray:
    """`jax.numpy.nanvar`."""
    return _nanvar(cx, "nanvar", a, axis, dtype, out, ddof, keepdims, where, mean)


@rule("numpy.nanstd")
def nanstd(
    cx: Context,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    where: Any = None,
    mean: Any = None,
) -> ShapedArray:
    """`jax.numpy.nanstd`."""
    return _nanvar(cx, "nanstd", a, axis, dtype, out, ddof, keepdims, where, mean)
