"""Quantiles, percentiles and medians, also of what is not NaN.

Source: `_quantile` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/reductions.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.averages import check_weights
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, ANY_FLOAT, to_inexact
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.reductions import Axes, reduced_axes
from arraytyping.semantics.rules.sizes import is_empty
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import register

METHODS: Final = ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf")


def _weighted(cx: Context, name: str, a: ShapedArray, weights: Any, method: Any) -> tuple[ShapedArray, ShapedArray]:
    """The array, as it is promoted together with its weights, and they.

    Raises:
        DtypeError: (ValueError) if they are complex.
        RuleError: (NotImplementedError) if the method takes no weights.
    """
    given = as_operand(cx, weights, name, "weights")
    other = isinstance(method, str) and method != "inverted_cdf"
    if weights is UNKNOWN:  # they may be None, and are if the method takes none
        return (a if other else ShapedArray(a.shape, None)), given
    if given.dtype in ANY_COMPLEX:
        raise DtypeError(f"{name}: weights must be real, got {given}", ValueError)
    if other:
        raise RuleError(
            f"{name}: JAX takes weights with method='inverted_cdf' only, got {method!r}", NotImplementedError
        )
    return ShapedArray(a.shape, *cx.join(name, (a, given))), given


def quantile(
    cx: Context,
    name: str,
    a: Any,
    q: ShapedArray,
    *,
    axis: Any,
    out: Any,
    overwrite_input: Any,
    method: Any,
    keepdims: Any,
    weights: Any,
) -> ShapedArray:
    """The abstract value of a quantile: one for each element of `q`, in its own dtype."""
    check_hashable(name, axis=axis, overwrite_input=overwrite_input, method=method, keepdims=keepdims)
    operand = as_operand(cx, a, name)
    if as_flag(overwrite_input) or (out is not None and out is not UNKNOWN):
        raise RuleError(f"{name}: JAX implements neither overwrite_input nor out; leave them out", ValueError)
    if method is not UNKNOWN and method not in METHODS:
        raise RuleError(f"{name}: method must be one of {', '.join(METHODS)}, got {method!r}", ValueError)
    given = None
    if weights is not None:
        operand, given = _weighted(cx, name, operand, weights, method)
    dtype = None if operand.dtype is None else to_inexact(operand.dtype)
    if dtype in ANY_COMPLEX:
        raise DtypeError(
            f"{name} does not take {dtype}, which has no order; take jnp.abs or jnp.real first", ValueError
        )
    axes = reduced_axes(name, axis, operand.ndim, named=False)
    if given is not None and weights is not UNKNOWN:
        check_weights(name, operand.shape, given.shape, axis, axes)
    if q.ndim is not None and q.ndim > 1:
        raise ShapeError(
            f"{name}: q must be a scalar or a vector, got shape {shape_tuple_str(q.shape or ())}", ValueError
        )
    if dtype is not None:  # NaN, a Python float, is put where elements are NaN
        nan = ShapedArray((), cx.default("float"), True)
        weak = operand.weak_type if operand.dtype != "bool" else False  # a weak bool turns into a strong float
        dtype, _ = cx.join(name, (ShapedArray((), dtype, weak), nan))
    keep = as_flag(keepdims)
    # For no fraction at all nothing is looked up, so that an axis without elements is fine.
    if is_empty(q.shape) is False and (axes.empty(operand.shape) or (axis is None and operand.size == 0)):
        only = operand.ndim == 1 if isinstance(axis, int) else operand.ndim == axes.count
        index = name.startswith("nan") and q.ndim == 0 and only and keep is False
        raise ShapeError(
            f"{name} of an axis of size 0 is nothing: the operand is {operand}; check the size",
            IndexError if index else TypeError,
        )
    if q.dtype == "bool" and not name.startswith("nan"):  # JAX takes the Python int 1 from the number of elements
        cx.join(name, (q, ShapedArray((), cx.default("int"), True)))
    if q.dtype is not None and q.dtype not in ANY_FLOAT:
        raise DtypeError(f"{name}: q must be a real float, got {q}; convert it first, as q.astype(jnp.float32)")
    if method == "inverted_cdf" and None not in (q.dtype, dtype) and q.dtype != dtype:
        raise DtypeError(
            f"{name}: with method='inverted_cdf' q must have the dtype of the array, got {q.dtype} and {dtype}; "
            "convert one of them"
        )
    return ShapedArray(_shape(operand, q.shape, axes, axis, keep), dtype, False)


def _shape(a: ShapedArray, q: Shape | None, axes: Axes, axis: Any, keep: bool | None) -> Shape | None:
    """The shape of the result: that of q, then that which is left of the array."""
    left = axes.reduce(a.shape, keep)
    if a.ndim == 0 and keep is not False:
        left = (1,) if keep else None  # JAX makes a vector of a scalar, and keeps its dimension
    if q is None or left is None:
        return None
    first: tuple[Dim, ...] = q
    return (*first, *left)


def _as_q(cx: Context, name: str, q: Any, percent: bool) -> ShapedArray:
    """The fractions: themselves, or percent in an inexact dtype."""
    given = as_operand(cx, q, name, "q")
    if not percent or given.dtype is None:
        return given
    return ShapedArray(given.shape, to_inexact(given.dtype), given.weak_type)


def _enter_quantile(name: str, percent: bool) -> None:
    def function(
        cx: Context,
        a: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: Any = False,
        method: Any = "linear",
        keepdims: Any = False,
        *,
        weights: Any = None,
    ) -> ShapedArray:
        return quantile(
            cx,
            name,
            a,
            _as_q(cx, name, q, percent),
            axis=axis,
            out=out,
            overwrite_input=overwrite_input,
            method=method,
            keepdims=keepdims,
            weights=weights,
        )

    def sharded(
        cx: Context,
        a: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: Any = False,
        method: Any = "linear",
        keepdims: Any = False,
        *,
        weights: Any = None,
        out_sharding: Any = None,
    ) -> ShapedArray:
        return function(cx, a, q, axis, out, overwrite_input, method, keepdims, weights=weights)

    register(f"numpy.{name}", sharded if name == "percentile" else function)


_enter_quantile("quantile", percent=False)
_enter_quantile("nanquantile", percent=False)
_enter_quantile("percentile", percent=True)
_enter_quantile("nanpercentile", percent=True)


def _enter_median(name: str) -> None:
    def function(
        cx: Context, a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
    ) -> ShapedArray:
        half = ShapedArray((), cx.default("float"), True)
        return quantile(
            cx,
            name,
            a,
            half,
            axis=axis,
            out=out,
            overwrite_input=overwrite_input,
            method="midpoint",
            keepdims=keepdims,
            weights=None,
        )

    register(f"numpy.{name}", function)


_enter_median("median")
_enter_median("nanmedian")
