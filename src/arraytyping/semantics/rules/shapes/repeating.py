"""The shapes of arrays whose elements are repeated, or which are padded with others.

Source: https://data-apis.org/array-api/latest/API_specification/manipulation_functions.html and
https://numpy.org/doc/stable/reference/generated/numpy.pad.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Shape, ShapedArray, shape_tuple_str, size_of
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import ShapeError
from arraytyping.semantics.rules.static_arguments import is_unknown
from arraytyping.semantics.sizes.dims import add_dims, at_least, multiply_dims

__all__ = ["Widths", "nested_widths", "pad_widths", "padded", "repeated", "tiled"]

_MOST: Final = 64
"""The most widths of unknown value that are told apart."""

Widths = list[tuple[Dim, Dim]]
"""How many elements are put before and after those of each axis."""


def tiled(operation: str, shape: Shape | None, counts: Sequence[Dim] | None) -> Shape | None:
    """The shape of an array put beside itself so many times along each axis, the last ones if there are fewer.

    Raises:
        ShapeError: (ValueError) if a number is negative.
    """
    if counts is None or shape is None:
        return None
    rank = max(len(shape), len(counts))
    sizes = (1,) * (rank - len(shape)) + shape
    return tuple(_times(operation, *pair) for pair in zip(sizes, (*(1,) * (rank - len(counts)), *counts)))


def _times(operation: str, size: Dim, count: Dim) -> Dim:
    """A size so many times; nothing may be repeated a negative number of times.

    Raises:
        ShapeError: (ValueError) if something is.
    """
    if isinstance(count, int) and count < 0:
        if at_least(size, 1):
            raise ShapeError(f"{operation}: repetitions are not negative, got {count}", ValueError)
        return 0
    return multiply_dims((size, count))


def repeated(operation: str, shape: Shape | None, count: Dim, axis: Any) -> Shape | None:
    """The shape of an array of which each element along an axis is repeated so many times.

    Raises:
        DimError: if there is no such axis.
        ShapeError: (TypeError) if the number is negative.
    """
    number = canonicalize_axis(operation, axis, None if shape is None else len(shape))
    if isinstance(count, int) and count < 0:
        raise ShapeError(f"{operation}: repeats are not negative, got {count}", TypeError)
    if shape is None or number is None:
        return None if shape is None else (None,) * len(shape)
    return (*shape[:number], multiply_dims((shape[number], count)), *shape[number + 1 :])


def nested_widths(operation: str, value: Any) -> tuple[tuple[int, ...], list[Any]] | None:
    """The shape of nested sequences, and what is in the innermost; None if unknown.

    Raises:
        ShapeError: if they certainly differ in length.
    """
    if is_unknown(value):
        return None
    if isinstance(value, tuple | list):
        made = [nested_widths(operation, v) for v in value]
        inner = [m for m in made if m is not None]
        if len({shape for shape, _ in inner}) > 1:
            raise ShapeError(
                f"{operation}: entries of pad_width differ in length; give a pair for each dimension", TypeError
            )
        if len(inner) < len(made):
            return None
        return (len(value), *(inner[0][0] if inner else ())), [d for _, flat in inner for d in flat]
    if isinstance(value, ShapedArray | NumPyArray) and value.shape != ():
        shape = value.shape
        known = tuple(d for d in shape or () if isinstance(d, int))
        if shape is None or len(known) < len(shape) or (size_of(known) or 0) > _MOST:
            return None
        return known, [UNKNOWN] * (size_of(known) or 0)
    return (), [value]


def pad_widths(operation: str, nested: tuple[int, ...], flat: Sequence[Dim], rank: int) -> Widths:
    """The widths before and after each axis, of which one, two, or two for each axis are given.

    `nested` is the shape in which they are given, `flat` are they one after the other.

    Raises:
        ShapeError: (ValueError) if they are neither, or one is negative.
    """
    if nested not in ((rank, 2), (1, 2), (2,), (1,), ()):
        raise ShapeError(
            f"{operation}: pad_width of shape {shape_tuple_str(nested)} does not go with an array of {rank} "
            "dimensions; give one integer, a pair, or a pair for each dimension",
            ValueError,
        )
    if any(isinstance(w, int) and w < 0 for w in flat):
        raise ShapeError(f"{operation}: widths are not negative, got {shape_tuple_str(tuple(flat))}", ValueError)
    return list(zip(flat[::2], flat[1::2])) if nested == (rank, 2) else [(flat[0], flat[-1])] * rank


def padded(shape: Shape, widths: Widths | None) -> Shape:
    """The shape of an array with so many elements before and after those of each axis."""
    if widths is None:
        return (None,) * len(shape)
    return tuple(add_dims((size, *pair)) for size, pair in zip(shape, widths))
