"""Functions that take an array apart along an axis: into sections, at indices, into rows.

Source: https://docs.jax.dev/en/latest/jax.numpy.html and
https://data-apis.org/array-api/latest/API_specification/generated/array_api.unstack.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, RuleError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.splitting import part_sizes, parts, section_sizes, unstacked
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_size, as_sizes, is_unknown
from arraytyping.semantics.rules.table import rule

__all__ = ["element"]

MOST: Final = 4096
"""The most parts that are listed one by one."""


def _split(cx: Context, operation: str, ary: Any, indices_or_sections: Any, axis: Any) -> Any:
    array = as_operand(cx, ary, operation)
    shape = array.shape
    number = as_size(operation, "axis", axis)
    if shape is not None and isinstance(number, int):
        if not -len(shape) <= number < len(shape):
            raise DimError(
                f"{operation}: an array of shape {shape_tuple_str(shape)} has no axis {number} to be split along",
                IndexError,
            )
        number %= len(shape)
    size = shape[number] if shape is not None and isinstance(number, int) else None
    given = indices_or_sections
    if is_unknown(given):
        return UNKNOWN
    array_like = isinstance(given, ShapedArray | NumPyArray)
    if isinstance(given, tuple | list) or (array_like and given.shape not in (None, ())):
        indices = as_sizes(operation, "an index", given)
        if indices is None:
            return UNKNOWN
        sizes = part_sizes(operation, size, indices)
    elif array_like or isinstance(given, Scalar):
        return UNKNOWN
    elif isinstance(given, int | float):
        if not abs(given) < MOST:  # so that a NaN leaves here, too
            return UNKNOWN
        sizes = section_sizes(operation, size, int(given))
    elif isinstance(given, str):
        raise RuleError(f"{operation}: the number of sections is an integer, got {given!r}", ValueError)
    else:
        count = as_size(operation, "the number of sections", given)
        assert not isinstance(count, int)
        return UNKNOWN
    return tuple(with_shape(array, s) for s in parts(shape, number if isinstance(number, int) else None, sizes))


@rule("numpy.split")
def split(cx: Context, ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """`jax.numpy.split`."""
    return _split(cx, "split", ary, indices_or_sections, axis)


@rule("numpy.array_split")
def array_split(cx: Context, ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """`jax.numpy.array_split`, whose sections may differ by 1."""
    return _split(cx, "array_split", ary, indices_or_sections, axis)


@rule("numpy.hsplit")
def hsplit(cx: Context, ary: Any, indices_or_sections: Any) -> Any:
    """`jax.numpy.hsplit`: along axis 1, a vector along axis 0."""
    array = as_operand(cx, ary, "hsplit")
    axis = UNKNOWN if array.shape is None else 0 if len(array.shape) == 1 else 1
    return _split(cx, "hsplit", array, indices_or_sections, axis)


@rule("numpy.vsplit")
def vsplit(cx: Context, ary: Any, indices_or_sections: Any) -> Any:
    """`jax.numpy.vsplit`."""
    return _split(cx, "vsplit", ary, indices_or_sections, 0)


@rule("numpy.dsplit")
def dsplit(cx: Context, ary: Any, indices_or_sections: Any) -> Any:
    """`jax.numpy.dsplit`."""
    return _split(cx, "dsplit", ary, indices_or_sections, 2)


@rule("numpy.unstack")
def unstack(cx: Context, x: Any, /, *, axis: Any = 0) -> Any:
    """`jax.numpy.unstack`."""
    check_hashable("unstack", axis=axis)
    array = as_operand(cx, x, "unstack")
    size, part = unstacked("unstack", array.shape, axis)
    return (with_shape(array, part),) * size if isinstance(size, int) and size <= MOST else UNKNOWN


@rule("Array.__iter__")
def element(cx: Context, self: Any) -> ShapedArray:
    """One element of the iteration over an array: the array less its first dimension."""
    array = as_operand(cx, self, "iter")
    if array.shape == ():
        raise DimError("an array of 0 dimensions cannot be iterated over; it has one element, x[()]", TypeError)
    return with_shape(array, None if array.shape is None else array.shape[1:])
