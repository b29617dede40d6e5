"""Bits in bytes: eight elements in one, and one in eight.

Source: `packbits` and `unpackbits` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Dim, ShapedArray
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INTEGER
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.selecting import resized_axis
from arraytyping.semantics.rules.sizes import size_dim, without_axis
from arraytyping.semantics.rules.static_arguments import as_index
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, divide_dim, multiply_dims

__all__: list[str] = []


def _check_order(operation: str, bitorder: Any) -> None:
    if bitorder is not UNKNOWN and bitorder not in ("little", "big"):
        raise RuleError(f"{operation}: bitorder is 'little' or 'big', got {bitorder!r}", ValueError)


def _along(cx: Context, operation: str, array: ShapedArray, axis: Any) -> tuple[ShapedArray, int | None]:
    """The array and its axis; all elements in one dimension if none is named."""
    if axis is None:
        return ShapedArray((size_dim(array.shape),), array.dtype, False), 0
    if axis is UNKNOWN:
        return ShapedArray(None, array.dtype, False), None
    if isinstance(axis, tuple) and len(axis) == 1:
        (axis,) = axis
    moved = on_abstract_values(cx)("numpy.swapaxes", array, axis, -1)
    assert isinstance(moved, ShapedArray)
    return array, canonicalize_axis(operation, axis, array.ndim)


def _bytes(array: ShapedArray, axis: int | None, size: Dim) -> ShapedArray:
    shape = array.shape
    if shape is not None and axis is None:
        return ShapedArray((None,) * len(shape), "uint8", False)
    return ShapedArray(resized_axis(shape, axis, size), "uint8", False)


@rule("numpy.packbits")
def packbits(cx: Context, a: Any, axis: Any = None, bitorder: Any = "big") -> ShapedArray:
    """`jax.numpy.packbits`: each eight elements along an axis are one."""
    check_hashable("packbits", axis=axis, bitorder=bitorder)
    array = as_operand(cx, a, "packbits")
    if array.dtype is not None and array.dtype != "bool" and array.dtype not in ANY_INTEGER:
        raise DtypeError(f"packbits: an array of integers or bools is required, got {array.dtype}; compare it with 0")
    _check_order("packbits", bitorder)
    array, along = _along(cx, "packbits", array, axis)
    size = None if array.shape is None or along is None else array.shape[along]
    return _bytes(array, along, divide_dim(add_dims((size, 7)), 8))


@rule("numpy.unpackbits")
def unpackbits(cx: Context, a: Any, axis: Any = None, count: Any = None, bitorder: Any = "big") -> ShapedArray:
    """`jax.numpy.unpackbits`: each element is eight along an axis, or so many as are counted."""
    check_hashable("unpackbits", axis=axis, count=count, bitorder=bitorder)
    array = as_operand(cx, a, "unpackbits")
    if array.dtype is not None and array.dtype != "uint8":
        raise DtypeError(f"unpackbits: an array of uint8 is required, got {array.dtype}; convert it")
    _check_order("unpackbits", bitorder)
    array, along = _along(cx, "unpackbits", array, axis)
    bits = None
    if array.shape is not None and along is not None:
        bits = multiply_dims((array.shape[along], 8))
        if 0 in without_axis(array.shape, along):
            raise ShapeError(
                f"unpackbits: {array} has no items beside axis {along}; give one that has", ZeroDivisionError
            )
    if count is None:
        return _bytes(array, along, bits)
    number = as_index("unpackbits", "count", count)
    if number is not None and number < 0:  # so many at the end are left out
        number = max(bits + number, 0) if isinstance(bits, int) else None
    return _bytes(array, along, number)
