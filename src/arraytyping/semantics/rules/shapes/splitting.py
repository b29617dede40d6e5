"""The sizes of the parts of an axis that is split: into sections, or at indices.

Source: https://numpy.org/doc/stable/reference/generated/numpy.array_split.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from arraytyping.semantics.avals import Dim, Shape, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import ShapeError
from arraytyping.semantics.rules.shapes.slices import slice_size
from arraytyping.semantics.rules.sizes import without_axis
from arraytyping.semantics.sizes.dims import add_dims, divide_dim, divides_never, exceeds, subtract_dims

__all__ = ["part_sizes", "parts", "section_sizes", "sliced_sizes", "unstacked"]


def section_sizes(operation: str, size: Dim, sections: int) -> tuple[Dim, ...]:
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


def part_sizes(operation: str, size: Dim, indices: tuple[Dim, ...]) -> tuple[Dim, ...]:
    """The sizes of the parts of an axis split at indices that ascend from 0 to its size, as JAX wants it.

    Raises:
        ShapeError: if they do not (`ValueError`).
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


def sliced_sizes(operation: str, size: Dim, indices: Sequence[Any]) -> tuple[Dim, ...]:
    """The sizes of the parts of an axis split at indices that are the bounds of slices, as NumPy takes them."""
    return tuple(slice_size(operation, slice(*bounds), size) for bounds in pairwise([None, *indices, None]))


def parts(shape: Shape | None, axis: int | None, sizes: Sequence[Dim]) -> list[Shape | None]:
    """The shapes of the parts of an array along an axis, by their sizes."""
    if shape is None:
        return [None] * len(sizes)
    if axis is None:
        return [(None,) * len(shape)] * len(sizes)
    return [(*shape[:axis], d, *shape[axis + 1 :]) for d in sizes]


def unstacked(operation: str, shape: Shape | None, axis: Any) -> tuple[Dim, Shape | None]:
    """How many arrays an array is along an axis, and the shape of each.

    Raises:
        DimError: if there is no such axis.
    """
    number = canonicalize_axis(operation, axis, None if shape is None else len(shape))
    return (None, None) if shape is None or number is None else (shape[number], without_axis(shape, number))
