"""Arrays as sets: union, intersection, differences; distinct values in the array API's form.

How many elements the result has depends on the values, so that size is unknown unless `size` is given.

Source: https://docs.jax.dev/en/latest/jax.numpy.html, `jax/_src/numpy/setops.py`.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, ShapedArray
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX
from arraytyping.semantics.rules.errors import DimError, DtypeError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.reshaping import raveled
from arraytyping.semantics.rules.sizes import is_empty, with_shape
from arraytyping.semantics.rules.static_arguments import as_flag, as_size, is_unknown
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims

__all__: list[str] = []

_NARROW: Final = ("int32", "float32")
"""The weak dtypes of 32 bits, which are not the default ones while x64 is on; distinct complex values are strong."""


def _asked(operation: str, size: Any) -> Dim:
    """The argument `size`; None if it is not given or unknown."""
    number = None if size is None else as_size(operation, "size", size)
    if isinstance(number, int) and number < 0:
        raise ShapeError(f"{operation}: size is not negative, got {number}", TypeError)
    return number


def _vectors(cx: Context, operation: str, ar1: Any, ar2: Any) -> tuple[ShapedArray, ShapedArray]:
    first, second = as_operand(cx, ar1, operation, 0), as_operand(cx, ar2, operation, 1)
    return raveled(first), raveled(second)


def _both_empty(first: ShapedArray, second: ShapedArray) -> bool | None:
    """Whether neither has elements; None if unknown."""
    empty = is_empty(first.shape), is_empty(second.shape)
    return False if False in empty else None if None in empty else True


@rule("numpy.union1d")
def union1d(cx: Context, ar1: Any, ar2: Any, *, size: Any = None, fill_value: Any = None) -> Any:
    """`jax.numpy.union1d`."""
    first, second = _vectors(cx, "union1d", ar1, ar2)
    dtype, weak = cx.join("union1d", (first, second))
    (n,), (m,) = first.shape or (None,), second.shape or (None,)
    both = ShapedArray((add_dims((n, m)),), dtype, weak)
    return on_abstract_values(cx)("numpy.unique", both, size=size, fill_value=fill_value)


@rule("numpy.setdiff1d")
def setdiff1d(
    cx: Context, ar1: Any, ar2: Any, assume_unique: Any = False, *, size: Any = None, fill_value: Any = None
) -> Any:  # fmt: skip
    """`jax.numpy.setdiff1d`: of the dtype of the first array, whatever the second is."""
    first, second = _vectors(cx, "setdiff1d", ar1, ar2)
    count = _asked("setdiff1d", size)
    if not is_unknown(fill_value) and fill_value is not None:
        on_abstract_values(cx)("numpy.full_like", first, fill_value, shape=())
    empty, is_unique, weak = is_empty(first.shape), as_flag(assume_unique), first.weak_type
    if empty is False:
        cx.join("setdiff1d", (first, second))
        if count == 0 and is_unique is False:
            raise DimError(
                "setdiff1d: of values that are there a size of 0 is asked for; give assume_unique", IndexError
            )
    if weak and (first.dtype == "bool" or first.dtype in ANY_COMPLEX):
        weak = _of_chosen(first.dtype, empty, is_unique, size)
    return ShapedArray((0 if empty and size is None else count,), first.dtype, weak)


def _of_chosen(dtype: str | None, empty: bool | None, is_unique: bool | None, size: Any) -> bool | None:
    """Whether weak values of these dtypes stay weak as they are chosen; None where that is not known."""
    if empty is not False or is_unknown(size):
        return None
    if dtype == "bool":
        return size is None
    return is_unique


def _beside(cx: Context, operation: str, values: ShapedArray, fill_value: Any) -> ShapedArray:
    """So many values, where there are not as many a fill value, or one of them."""
    ops = on_abstract_values(cx)
    if is_unknown(fill_value):
        return ShapedArray(None, None)
    if fill_value is None:
        (count,) = values.shape or (None,)
        if count == 0:
            raise ShapeError(
                f"{operation}: size is 0, and there is no value to fill up with; give fill_value", ValueError
            )
        return ShapedArray(values.shape, values.dtype, values.weak_type)
    found: ShapedArray = ops("numpy.where", ShapedArray(values.shape, "bool", False), values, fill_value)
    return found


def _values(
    cx: Context, first: ShapedArray, second: ShapedArray, operation: str, size: Any, assume_unique: Any
) -> ShapedArray:
    """What is chosen among both, before it is filled up: strong where it is put into an array of zeros on the way."""
    dtype, weak = cx.join(operation, (first, second))
    count = _asked(operation, size)
    if weak is not False and size is not None:
        known = as_flag(assume_unique)
        is_narrow = operation == "setxor1d" and dtype in _NARROW and cx.default("int") == "int64"
        if weak and known is False and is_narrow:
            raise DtypeError(
                f"{operation}: distinct values of weak arrays of {dtype} are put into an array of the default dtype, "
                "which has 64 bits; give assume_unique, or convert them with astype"
            )
        weak = False if known is False else None
    elif weak and (dtype is None or dtype in ANY_COMPLEX):
        weak = None
    return ShapedArray((count,), dtype, weak)


@rule("numpy.setxor1d")
def setxor1d(
    cx: Context, ar1: Any, ar2: Any, assume_unique: Any = False, *, size: Any = None, fill_value: Any = None
) -> Any:  # fmt: skip
    """`jax.numpy.setxor1d`."""
    first, second = _vectors(cx, "setxor1d", ar1, ar2)
    values = _values(cx, first, second, "setxor1d", size, assume_unique)
    if size is not None:
        check_hashable("setxor1d", assume_unique=assume_unique)
        return _beside(cx, "setxor1d", values, fill_value)
    return with_shape(values, (0,)) if _both_empty(first, second) else values


@rule("numpy.intersect1d")
def intersect1d(
    cx: Context, ar1: Any, ar2: Any, assume_unique: Any = False, return_indices: Any = False, *, size: Any = None,
    fill_value: Any = None,
) -> Any:  # fmt: skip
    """`jax.numpy.intersect1d`: the values, and where they are in both if `return_indices` holds."""
    first, second = _vectors(cx, "intersect1d", ar1, ar2)
    values = _values(cx, first, second, "intersect1d", size, assume_unique)
    is_unique = as_flag(assume_unique)
    index: str | None = cx.default("int")
    places: tuple[Dim, ...] | None = values.shape
    has_indices = as_flag(return_indices)
    if size is not None:
        check_hashable("intersect1d", assume_unique=assume_unique, return_indices=return_indices, fill_value=fill_value)
        values = _beside(cx, "intersect1d", values, fill_value)
        empty = _both_empty(first, second)
        some = {is_empty(first.shape), is_empty(second.shape)}
        if has_indices and is_unique is False and some == {True, False}:
            raise ShapeError("intersect1d: places are asked for in an array without elements", TypeError)
        if empty is not False:
            places = (0,) if empty else (None,)
    elif is_unique is not False and index != "int32":  # the places of arrays that are not huge
        index = "int32" if is_unique else None
    if has_indices is None:
        return UNKNOWN
    at = ShapedArray(places, index, False)
    return (values, at, at) if has_indices else values


@rule("numpy.unique_values")
def unique_values(cx: Context, x: Any, /, *, size: Any = None, fill_value: Any = None) -> Any:
    """`jax.numpy.unique_values`."""
    as_operand(cx, x, "unique_values")
    return on_abstract_values(cx)("numpy.unique", x, size=size, fill_value=fill_value)


@rule("numpy.unique_counts")
def unique_counts(cx: Context, x: Any, /, *, size: Any = None, fill_value: Any = None) -> Any:
    """`jax.numpy.unique_counts`: the values, and how often each is there."""
    as_operand(cx, x, "unique_counts")
    return on_abstract_values(cx)("numpy.unique", x, False, False, True, size=size, fill_value=fill_value)


@rule("numpy.unique_inverse")
def unique_inverse(cx: Context, x: Any, /, *, size: Any = None, fill_value: Any = None) -> Any:
    """`jax.numpy.unique_inverse`: the values, and for each element the number of its value."""
    as_operand(cx, x, "unique_inverse")
    return on_abstract_values(cx)("numpy.unique", x, False, True, size=size, fill_value=fill_value)


@rule("numpy.unique_all")
def unique_all(cx: Context, x: Any, /, *, size: Any = None, fill_value: Any = None) -> Any:
    """`jax.numpy.unique_all`: the values, where each is first, the way back, and how often each is there."""
    as_operand(cx, x, "unique_all")
    return on_abstract_values(cx)("numpy.unique", x, True, True, True, size=size, fill_value=fill_value)
