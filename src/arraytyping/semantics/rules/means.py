"""Means, also of what is not NaN.

Source: `_mean` and `nanmean` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/reductions.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import Shape, ShapedArray
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INEXACT, to_inexact
from arraytyping.semantics.rules.errors import DimError, DtypeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand, requested_dtype
from arraytyping.semantics.rules.reduction_arguments import (
    as_mask,
    check_mask_fits,
    reduce_masked,
)
from arraytyping.semantics.rules.shapes.reductions import Axes, reduced_axes
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.rules.unary import no_out

__all__ = ["counted_axes", "refuse_bool"]


def refuse_bool(name: str, dtype: str | None) -> None:
    """Refuse bool as the dtype of what is divided.

    Raises:
        DtypeError: if it is bool.
    """
    if dtype == "bool":
        raise DtypeError(f"{name}: the dtype of the result cannot be bool, which cannot be divided; name a float")


def counted_axes(name: str, axis: Any, ndim: int | None, where: Any) -> Axes:
    """The axes of a function that counts elements: without a mask JAX looks their sizes up first."""
    given = axis if isinstance(axis, tuple | list) else (axis,)
    if where is None and ndim is not None and all(isinstance(a, int) for a in given):
        for one in given:
            try:
                canonicalize_axis(name, one, ndim)
            except DimError as error:
                raise DimError(error.message, IndexError) from None
    return reduced_axes(name, axis, ndim)


def _mean_shape(
    name: str, a: ShapedArray, mask: ShapedArray | None, axis: Any, keepdims: Any, where: Any
) -> Shape | None:
    check_mask_fits(name, a.shape, mask)
    axes = counted_axes(name, axis, a.ndim, where)
    return axes.reduce(a.shape, as_flag(keepdims))


@rule("numpy.mean", "Array.mean")
def mean(
    cx: Context,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    *,
    where: Any = None,
) -> ShapedArray:
    """`jax.numpy.mean`."""
    check_hashable("mean", keepdims=keepdims)
    operand = as_operand(cx, a, "mean")
    mask = as_mask(cx, "mean", where)
    no_out("mean", out)
    result = _mean_dtype(cx, "mean", operand.dtype, dtype)
    shape = _mean_shape("mean", operand, mask, axis, keepdims, where)
    refuse_bool("mean", result)
    return ShapedArray(shape, result, False)


def _mean_dtype(cx: Context, name: str, given: str | None, dtype: Any) -> str | None:
    if dtype is None:
        return None if given is None else to_inexact(given)
    return requested_dtype(cx, dtype, name)


@rule("numpy.nanmean")
def nanmean(
    cx: Context, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, where: Any = None
) -> ShapedArray:
    """`jax.numpy.nanmean`."""
    check_hashable("nanmean", axis=axis, keepdims=keepdims)
    operand = as_operand(cx, a, "nanmean")
    mask = as_mask(cx, "nanmean", where)
    no_out("nanmean", out)
    result = _mean_dtype(cx, "nanmean", operand.dtype, dtype)
    if operand.dtype is not None and operand.dtype not in ANY_INEXACT:
        shape = _mean_shape("nanmean", operand, mask, axis, keepdims, where)
    else:
        axes = reduced_axes("nanmean", axis, operand.ndim)
        shape = reduce_masked("nanmean", operand, mask, where, axes, as_flag(keepdims))
        if operand.dtype is None and mask is not None:
            shape = None  # the mask of integers may not add dimensions, the mask of others may
    refuse_bool("nanmean", result)
    return ShapedArray(shape, result, False)
