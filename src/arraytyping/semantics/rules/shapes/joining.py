"""The shapes of arrays that are joined: along an axis, or along a new one.

Source: https://data-apis.org/array-api/latest/API_specification/generated/array_api.concat.html and
https://numpy.org/doc/stable/reference/routines.array-manipulation.html#joining-arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Dim, Shape, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.shapes.reshaping import at_least
from arraytyping.semantics.rules.sizes import size_dim
from arraytyping.semantics.rules.static_arguments import is_unknown
from arraytyping.semantics.sizes.dims import add_dims, any_differ, known_dim, multiply_dims

__all__ = ["arranged", "arranged_rows", "concatenated", "concatenated_rows", "stacked", "stacked_rows"]


def concatenated(operation: str, shapes: Sequence[Shape | None], axis: Any) -> Shape | None:
    """The shape of arrays concatenated along an axis of the first, or with None raveled before.

    Raises:
        DimError: if the first has no such axis.
        ShapeError: if the ranks differ, or the other sizes certainly do (`TypeError`).
    """
    if not shapes:
        raise ShapeError(f"{operation}: at least one array is needed", ValueError)
    if is_unknown(axis):
        return None
    if axis is None:
        return (add_dims(map(size_dim, shapes)),)
    if shapes[0] == ():
        raise DimError(f"{operation}: arrays of 0 dimensions cannot be concatenated; stack them, or ravel them first")
    known = [s for s in shapes if s is not None]
    number = canonicalize_axis(operation, axis, len(known[0]) if known else None)
    shown = " and ".join(map(shape_tuple_str, known[:4])) + (" ..." if len(known) > 4 else "")
    if len({len(s) for s in known}) > 1:
        raise ShapeError(f"{operation}: the arrays differ in their number of dimensions: {shown}", TypeError)
    if not known:
        return None
    dims: list[Dim] = []
    for i in range(len(known[0])):
        sizes = [s[i] for s in known]
        if i == number:
            dims.append(add_dims(sizes) if len(known) == len(shapes) else None)
            continue
        if number is not None and any_differ(sizes):
            raise ShapeError(
                f"{operation}: arrays of shape {shown} cannot be joined along axis {number}: their sizes along axis "
                f"{i} differ",
                TypeError,
            )
        # All sizes are the same, so one that is known is that of the others.
        dims.append(None if number is None else known_dim(sizes))
    return tuple(dims)


def concatenated_rows(operation: str, shape: Shape, axis: Any) -> Shape | None:
    """The shape of the rows of an array, concatenated along an axis of them.

    Raises:
        ShapeError: (ValueError) if there is none.
        DimError: if a row has no such axis.
    """
    if not shape or shape[0] == 0:
        raise ShapeError(f"{operation}: at least one array is needed, got shape {shape_tuple_str(shape)}", ValueError)
    if is_unknown(axis):
        return None
    if axis is None:
        return (size_dim(shape),)
    if len(shape) == 1:
        raise DimError(f"{operation}: arrays of 0 dimensions cannot be concatenated; stack them, or ravel them first")
    number = canonicalize_axis(operation, axis, len(shape) - 1)
    if number is None:
        return (None,) * (len(shape) - 1)
    dims = list(shape[1:])
    dims[number] = multiply_dims((shape[0], dims[number]))
    return tuple(dims)


def stacked(operation: str, shapes: Sequence[Shape | None], axis: Any, count: Dim) -> Shape | None:
    """The shape of so many arrays, of which these are the shapes, stacked along a new axis.

    Raises:
        DimError: if the result has no such axis.
        ShapeError: (ValueError) if the shapes certainly differ.
    """
    if not shapes:
        raise ShapeError(f"{operation}: at least one array is needed", ValueError)
    first = shapes[0]
    number = canonicalize_axis(operation, axis, None if first is None else len(first) + 1)
    dims = _same_shape(operation, [s for s in shapes if s is not None])
    if dims is None:
        return None
    if number is None and first is None:
        number = canonicalize_axis(operation, axis, len(dims) + 1)
    if number is None:
        return (None,) * (len(dims) + 1)
    return (*dims[:number], count, *dims[number:])


def stacked_rows(operation: str, shape: Shape, axis: Any) -> Shape:
    """The shape of the rows of an array, stacked along a new axis.

    Raises:
        DimError: if the result has no such axis.
    """
    number = canonicalize_axis(operation, axis, len(shape))
    rest = shape[1:]
    return (None,) * len(shape) if number is None else (*rest[:number], shape[0], *rest[number:])


def _same_shape(operation: str, shapes: Sequence[Shape]) -> Shape | None:
    """The one shape that all these are; None if there are none.

    Raises:
        ShapeError: if they certainly differ.
    """
    if not shapes:
        return None
    if len({len(s) for s in shapes}) > 1 or any(any_differ(sizes) for sizes in zip(*shapes)):
        shown = " and ".join(map(shape_tuple_str, shapes[:4]))
        raise ShapeError(f"{operation}: all arrays have to have the same shape, got {shown}", ValueError)
    return tuple([known_dim(sizes) for sizes in zip(*shapes)])


def arranged(operation: str, shapes: Sequence[Shape | None]) -> tuple[list[Shape | None], Any]:
    """The shapes to which `vstack`, `hstack`, `dstack` or `column_stack` bring arrays, and the axis along which next.

    `hstack` joins vectors along their only axis, others along the second.
    """
    if operation == "column_stack":
        return [None if s is None else _column(s) for s in shapes], 1
    rank, axis = {"vstack": (2, 0), "hstack": (1, UNKNOWN), "dstack": (3, 2)}[operation]
    made = [at_least(s, rank) for s in shapes]
    first = made[0]
    if axis is UNKNOWN and first is not None:
        axis = 0 if len(first) == 1 else 1
    return made, axis


def arranged_rows(operation: str, shape: Shape) -> tuple[Shape, Any]:
    """The shape to which `vstack` and its kin bring the rows of an array, and the axis along which they are joined."""
    (row,), axis = arranged(operation, [shape[1:]])
    assert row is not None
    return (shape[0], *row), axis


def _column(shape: Shape) -> Shape:
    """The shape of an array as a column, if it has fewer than 2 dimensions."""
    return shape if len(shape) >= 2 else (*shape, 1) if shape else (1, 1)
