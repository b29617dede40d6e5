"""Reductions to one element along axes: sums, products, extremes, and the logical ones.

Source: https://docs.jax.dev/en/latest/jax.numpy.html and `_reduction` of
https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/reductions.py.  No reduction keeps a weak type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DtypeError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand, requested_dtype
from arraytyping.semantics.rules.reduction_arguments import as_initial, as_mask, reduce_masked, summed
from arraytyping.semantics.rules.shapes.reductions import reduced_axes
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import register, rule
from arraytyping.semantics.rules.unary import no_out

__all__ = ["reduction"]


def reduction(
    cx: Context,
    name: str,
    a: Any,
    result: Callable[[str | None], str | None],
    *,
    axis: Any,
    keepdims: Any,
    out: Any = None,
    initial: Any = None,
    where: Any = None,
    identity: bool = True,
) -> ShapedArray:
    """The abstract value of a reduction: `result` gives its dtype from the operand's.

    Without an `identity`, such as 0 is to a sum, there is no reduction of nothing unless `initial` is given.
    """
    check_hashable(name, keepdims=keepdims)
    no_out(name, out)
    operand = as_operand(cx, a, name)
    mask = as_mask(cx, name, where)
    if initial is None and not identity:
        if mask is not None and where is not UNKNOWN:
            raise ShapeError(
                f"{name}: under a where mask all elements may be left out, and {name} of none is nothing; give initial",
                ValueError,
            )
        mask = where = None
    axes = reduced_axes(name, axis, operand.ndim)
    if initial is None and not identity and axes.empty(operand.shape):
        raise ShapeError(
            f"{name} of an axis of size 0 is nothing: the operand is {operand}; give initial, or check the size",
            ValueError,
        )
    dtype = result(operand.dtype)
    shape = reduce_masked(name, operand, mask, where, axes, as_flag(keepdims))
    as_initial(cx, name, initial)
    return ShapedArray(shape, dtype, False)


def _sum_dtype(cx: Context, name: str, dtype: Any, promote: Any) -> Callable[[str | None], str | None]:
    """From the operand's dtype to the one of a sum or product, of which the caller may have named the dtype."""
    if dtype is None:
        return lambda given: summed(cx, name, given, promote=as_flag(promote))
    requested = requested_dtype(cx, dtype, name)
    return lambda given: requested


def _enter_sum(name: str) -> None:
    def function(
        cx: Context,
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        where: Any = None,
        promote_integers: Any = True,
    ) -> ShapedArray:
        check_hashable(name, promote_integers=promote_integers)
        result = _sum_dtype(cx, name, dtype, promote_integers)
        return reduction(cx, name, a, result, axis=axis, keepdims=keepdims, out=out, initial=initial, where=where)

    def nan_function(
        cx: Context,
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        where: Any = None,
    ) -> ShapedArray:
        check_hashable(f"nan{name}", axis=axis)
        result = _sum_dtype(cx, f"nan{name}", dtype, True)
        return reduction(
            cx, f"nan{name}", a, result, axis=axis, keepdims=keepdims, out=out, initial=initial, where=where
        )

    register(f"numpy.{name}", function)
    register(f"numpy.nan{name}", nan_function)
    if name != "sum":
        register(f"Array.{name}", function)


_enter_sum("sum")
_enter_sum("prod")


@rule("Array.sum")
def array_sum(
    cx: Context,
    self: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = None,
    promote_integers: Any = True,
) -> ShapedArray:
    """`jax.Array.sum`, which does not read its argument `initial`."""
    check_hashable("sum", promote_integers=promote_integers)
    result = _sum_dtype(cx, "sum", dtype, promote_integers)
    return reduction(cx, "sum", self, result, axis=axis, keepdims=keepdims, out=out, where=where)


def _enter_extreme(name: str, aliases: tuple[str, ...], hashable: bool) -> None:
    def function(
        cx: Context,
        a: Any,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        where: Any = None,
    ) -> ShapedArray:
        if hashable:
            check_hashable(name, axis=axis)
        return reduction(
            cx,
            name,
            a,
            _same,
            axis=axis,
            keepdims=keepdims,
            out=out,
            initial=initial,
            where=where,
            identity=False,
        )

    for alias in aliases:
        register(alias, function)


def _same(dtype: str | None) -> str | None:
    return dtype


for _name in ("max", "min"):
    _enter_extreme(_name, (f"numpy.{_name}", f"numpy.a{_name}", f"Array.{_name}"), hashable=False)
    _enter_extreme(f"nan{_name}", (f"numpy.nan{_name}",), hashable=True)


def _enter_logical(name: str) -> None:
    def function(
        cx: Context, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = None
    ) -> ShapedArray:
        return reduction(cx, name, a, lambda given: "bool", axis=axis, keepdims=keepdims, out=out, where=where)

    register(f"numpy.{name}", function)
    register(f"Array.{name}", function)


_enter_logical("all")
_enter_logical("any")


@rule("numpy.ptp", "Array.ptp")
def ptp(cx: Context, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> ShapedArray:
    """`jax.numpy.ptp`: the greatest less the least element."""

    def result(dtype: str | None) -> str | None:
        if dtype == "bool":
            raise DtypeError("ptp does not take bool, which cannot be subtracted; take max and min, or x.astype(int)")
        return dtype

    return reduction(cx, "ptp", a, result, axis=axis, keepdims=keepdims, out=out, identity=False)


@rule("numpy.count_nonzero")
def count_nonzero(cx: Context, a: Any, axis: Any = None, keepdims: Any = False) -> ShapedArray:
    """`jax.numpy.count_nonzero`."""
    check_hashable("count_nonzero", axis=axis)
    return reduction(cx, "count_nonzero", a, lambda given: cx.default("int"), axis=axis, keepdims=keepdims)
