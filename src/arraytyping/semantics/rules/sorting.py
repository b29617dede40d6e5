"""Sorting: the elements in order, and the indices that bring them into order.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/sorting.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DtypeError, RuleError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand, requested_dtype
from arraytyping.semantics.rules.shapes.scans import kept_or_raveled
from arraytyping.semantics.rules.table import rule


def _sorted(cx: Context, name: str, a: Any, axis: Any, kind: Any, order: Any, **flags: Any) -> ShapedArray:
    """The array as it is sorted: itself, or its elements in one dimension if `axis` is None."""
    check_hashable(name, axis=axis, kind=kind, order=order, **flags)
    operand = as_operand(cx, a, name)
    for parameter, value in (("kind", kind), ("order", order)):
        if value is not None and value is not UNKNOWN:
            raise RuleError(f"{name}: JAX does not take the argument {parameter}; leave it out, or say stable=True")
    shape = kept_or_raveled(name, operand.shape, axis)
    if axis is not UNKNOWN and axis is not None:
        canonicalize_axis(name, axis, operand.ndim)
    return ShapedArray(shape, operand.dtype, operand.weak_type)


@rule("numpy.sort", "Array.sort")
def sort(
    cx: Context,
    a: Any,
    axis: Any = -1,
    *,
    kind: Any = None,
    order: Any = None,
    stable: Any = True,
    descending: Any = False,
) -> ShapedArray:
    """`jax.numpy.sort`."""
    return _sorted(cx, "sort", a, axis, kind, order, stable=stable, descending=descending)


@rule("numpy.argsort")
def argsort(
    cx: Context,
    a: Any,
    axis: Any = -1,
    *,
    kind: Any = None,
    order: Any = None,
    stable: Any = True,
    descending: Any = False,
    dtype: Any = None,
) -> ShapedArray:
    """`jax.numpy.argsort`."""
    shape = _sorted(cx, "argsort", a, axis, kind, order, stable=stable, descending=descending).shape
    if dtype is None:
        return ShapedArray(shape, cx.default("int"), False)
    requested = requested_dtype(cx, dtype, "argsort")
    if requested == "bool":
        raise DtypeError("argsort: the dtype of the indices cannot be bool; name an integer")
    return ShapedArray(shape, requested, False)


@rule("Array.argsort")
def array_argsort(
    cx: Context,
    self: Any,
    axis: Any = -1,
    *,
    kind: Any = None,
    order: Any = None,
    stable: Any = True,
    descending: Any = False,
) -> ShapedArray:
    """`jax.Array.argsort`."""
    return argsort(cx, self, axis, kind=kind, order=order, stable=stable, descending=descending)
