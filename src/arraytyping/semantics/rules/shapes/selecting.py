"""The shapes of elements that are selected by their places: taken, diagonals, what is left when some are deleted.

Source: https://numpy.org/doc/stable/reference/routines.indexing.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import Dim, Scalar, Shape, SymbolicDim, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_dims, broadcast_shapes, stretched
from arraytyping.semantics.rules.shapes.slices import slice_size
from arraytyping.semantics.rules.sizes import is_empty, without_axis
from arraytyping.semantics.rules.static_arguments import as_size
from arraytyping.semantics.sizes.dims import add_dims, max_dim, min_dim, subtract_dims

__all__ = ["diagonal_matrix", "diagonals", "inserted", "left_of", "resized_axis", "taken", "taken_along"]


def taken(operation: str, shape: Shape | None, indices: Shape | None, axis: Any) -> Shape | None:
    """The shape of elements taken along an axis, by indices in an array.

    Raises:
        DimError: if there is no such axis.
        ShapeError: (IndexError) if there is nothing to take from.
    """
    number = canonicalize_axis(operation, axis, None if shape is None else len(shape))
    if shape is None or indices is None:
        return None
    if number is None:
        return (None,) * (len(shape) - 1 + len(indices))
    if shape[number] == 0 and is_empty(indices) is False:
        raise ShapeError(f"{operation}: axis {number} has size 0, so there is nothing to take from it", IndexError)
    return shape[:number] + indices + shape[number + 1 :]


def taken_along(operation: str, shape: Shape | None, indices: Shape | None, axis: Any) -> Shape | None:
    """The shape of elements taken along an axis, by indices for each place of the others, which are broadcast.

    Raises:
        DimError: if there is no such axis, or the ranks differ.
        ShapeError: (ValueError) if the other sizes do not broadcast.
    """
    if shape is not None and indices is not None and len(shape) != len(indices):
        raise DimError(
            f"{operation}: the array has {len(shape)} dimensions and the indices {len(indices)}; they have to have as "
            "many"
        )
    known = indices if shape is None else shape
    rank = None if known is None else len(known)
    number = canonicalize_axis(operation, axis, rank)
    if shape is None or indices is None or number is None:
        return None if rank is None else (None,) * rank
    others = (*shape[:number], 1, *shape[number + 1 :])
    return broadcast_shapes(operation, indices, others, exception=ValueError)


def diagonals(operation: str, shape: Shape | None, offset: Any, axis1: Any, axis2: Any) -> Shape | None:
    """The shape of the diagonals of two axes, which are the last axis of the result.

    Raises:
        DimError: if there are no two such axes; (TypeError) if they are one and the same.
    """
    start = as_size(operation, "the offset", offset)
    if shape is None:
        return None
    if len(shape) < 2:
        raise DimError(
            f"{operation}: an array of at least 2 dimensions is required, got shape {shape_tuple_str(shape)}"
        )
    first, second = (canonicalize_axis(operation, i, len(shape)) for i in (axis1, axis2))
    if first is not None and first == second:
        raise DimError(f"{operation}: axis1 and axis2 are one and the same; give two different ones", TypeError)
    if first is None or second is None:
        return (None,) * (len(shape) - 1)
    rest = tuple(d for i, d in enumerate(shape) if i not in (first, second))
    return (*rest, _diagonal_size(shape[first], shape[second], start))


def _diagonal_size(rows: Dim, columns: Dim, offset: Dim) -> Dim:
    """The size of a diagonal."""
    if 0 in (rows, columns):
        return 0
    if not isinstance(offset, int):
        return None
    return max_dim(min_dim(add_dims((rows, min(offset, 0))), add_dims((columns, -max(offset, 0)))), 0)


def diagonal_matrix(size: Dim, offset: int | None) -> tuple[Dim, Dim]:
    """The shape of the square matrix with a vector of this size on the diagonal at this offset."""
    side = size if offset == 0 else None if offset is None else add_dims((size, abs(offset)))
    return side, side


def left_of(operation: str, size: Dim, which: Any) -> Dim:
    """How much of an axis is left when a slice of it, or the element at a place, is deleted; None if unknown.

    Raises:
        DimError: if there is no such place.
    """
    if isinstance(which, slice):
        return subtract_dims(size, slice_size(operation, which, size))
    if not (isinstance(which, int | SymbolicDim) or (isinstance(which, Scalar) and which.kind == "int")):
        return None
    if isinstance(size, int) and isinstance(which, int):
        canonicalize_axis(operation, which, size)
    return subtract_dims(size, 1)


def resized_axis(shape: Shape | None, axis: int | None, size: Dim) -> Shape | None:
    """The shape with another size of an axis; of an unknown axis, any size may be another."""
    if shape is None or axis is None:
        return None if shape is None else (None,) * len(shape)
    return (*shape[:axis], size, *shape[axis + 1 :])


def inserted(
    operation: str, shape: Shape | None, axis: int | None, places: slice | Shape | None, values: Shape | None
) -> Shape | None:
    """The shape with values inserted along an axis, at the places of a slice, or of indices of this shape.

    Raises:
        ShapeError: (ValueError) if the values certainly do not broadcast to the places.
    """
    if shape is None or axis is None:
        return None if shape is None else (None,) * len(shape)
    count: Dim = None
    if isinstance(places, slice):
        count = slice_size(operation, places, shape[axis])
    elif places is not None:
        count = places[0] if places else 1
    added: Dim = None
    if values is not None and count is not None:
        sizes = (1,) * (len(shape) - len(values)) + values
        if count == 1 and places == ():
            sizes = _moved_first(sizes, axis)
        if axis < len(sizes):
            added = _added(operation, count, sizes[axis], values)
        if added is not None and is_empty(made := (*shape[:axis], added, *shape[axis + 1 :])) is False:
            stretched(operation, sizes, made)
    return resized_axis(shape, axis, add_dims((shape[axis], added)))


def _added(operation: str, count: Dim, size: Dim, values: Shape) -> Dim:
    """How many values go to so many places."""
    if count == 1:
        return size
    try:
        return broadcast_dims(count, size)
    except ValueError:
        raise ShapeError(
            f"{operation}: values of shape {shape_tuple_str(values)} do not go with {count} places", ValueError
        ) from None


def _moved_first(sizes: Shape, axis: int) -> Shape:
    """The sizes with the first moved to an axis."""
    rest = without_axis(sizes, 0)
    return (*rest[:axis], sizes[0], *rest[axis:])
