"""Functions that take an array apart along an axis: into sections, at indices, into rows.

Source: https://docs.jax.dev/en/latest/jax.numpy.html and
https://data-apis.org/array-api/latest/API_specification/generated/array_api.unstack.html.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Scalar, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.sizes import with_shape, without_axis
from arraytyping.semantics.rules.static_arguments import as_size, as_sizes, is_unknown
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, divide_dim, divides_never, exceeds, subtract_dims

__all__ = ["element"]

MOST: Final = 4096
"""The most parts that are listed one by one."""


def _sections(operation: str, size: Dim, sections: int) -> tuple[Dim, ...]:
    """The sizes of so many sections of an axis.

    Raises:
        ShapeError: if they cannot be equal and have to be, or there are none to hold the elements.
    """
    if sections == 0:
        raise ShapeError(f"{operation}: an axis cannot be split into 0 sections", ZeroDivisionError)
    if not isinstance(size, int):
        if operation == "array_split":
            return tuple([divide_dim(add_dims((size, sections - 1 - i)), sections) for i in range(sections)])
        if divides_never(sections, size):
            raise _undivided(operation, size, sections)
        return (divide_dim(size, sections),) * max(sections, 0)
    part, rest = divmod(size, sections)
    if rest and operation != "array_split":
        raise _undivided(operation, size, sections)
    if sections < 0 and size:
        raise ShapeError(f"{operation}: the number of sections is positive, got {sections}", ValueError)
    return (part + 1,) * rest + (part,) * (sections - rest)


def _undivided(operation: str, size: Dim, sections: int) -> ShapeError:
    return ShapeError(
        f"{operation}: an axis of size {size} does not divide into {sections} equal sections; array_split makes "
        "unequal ones",
        ValueError,
    )


def _at_indices(operation: str, size: Dim, indices: tuple[Dim, ...]) -> tuple[Dim, ...]:
    """The sizes of the parts of an axis split at indices.

    Raises:
        ShapeError: if the indices do not ascend from 0 to the size (`ValueError`).
    """
    bounds = (0, *indices, size)
    sizes = tuple(subtract_dims(b, a) for a, b in pairwise(bounds))
    if any(exceeds(0, d) for d in sizes):
        raise ShapeError(
            f"{operation}: the indices {shape_tuple_str(indices)} do not ascend from 0 to the size of the axis, "
            f"{'unknown' if size is None else size}",
            ValueError,
        )
    return (size, *sizes[1:]) if not indices else sizes


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
        sizes = _at_indices(operation, size, indices)
    elif array_like or isinstance(given, Scalar):
        return UNKNOWN
    elif isinstance(given, int | float):
        if not abs(given) < MOST:  # so that a NaN leaves here, too
            return UNKNOWN
        sizes = _sections(operation, size, int(given))
    elif isinstance(given, str):
        raise RuleError(f"{operation}: the number of sections is an integer, got {given!r}", ValueError)
    else:
        count = as_size(operation, "the number of sections", given)
        assert not isinstance(count, int)
        return UNKNOWN
    if shape is None:
        return (with_shape(array, None),) * len(sizes)
    if not isinstance(number, int):
        return (with_shape(array, (None,) * len(shape)),) * len(sizes)
    return tuple(with_shape(array, (*shape[:number], d, *shape[number + 1 :])) for d in sizes)


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
    number = canonicalize_axis("unstack", axis, array.ndim)
    if array.shape is None or number is None:
        return UNKNOWN
    size = array.shape[number]
    if not isinstance(size, int) or size > MOST:
        return UNKNOWN
    return (with_shape(array, without_axis(array.shape, number)),) * size


@rule("Array.__iter__")
def element(cx: Context, self: Any) -> ShapedArray:
    """One element of the iteration over an array: the array less its first dimension."""
    array = as_operand(cx, self, "iter")
    if array.shape == ():
        raise DimError("an array of 0 dimensions cannot be iterated over; it has one element, x[()]", TypeError)
    return with_shape(array, None if array.shape is None else array.shape[1:])
