"""The shapes of decompositions of matrices, in the last two dimensions, and of solutions.

Source: https://data-apis.org/array-api/latest/extensions/linear_algebra_functions.html.
"""

from __future__ import annotations

from arraytyping.semantics.avals import Dim, Shape, shape_tuple_str
from arraytyping.semantics.rules.errors import ShapeError
from arraytyping.semantics.sizes.dims import differ, known_dim, min_dim

__all__ = ["Matrix", "as_matrix", "as_square", "lesser", "orthogonal_factors", "singular_factors"]

Matrix = tuple[Shape, Dim, Dim]
"""The leading dimensions, the rows and the columns."""


def as_matrix(operation: str, shape: Shape | None) -> Matrix | None:
    """A shape as that of matrices; None if its rank is unknown.

    Raises:
        ShapeError: (TypeError) if it has fewer than two dimensions.
    """
    if shape is None:
        return None
    if len(shape) < 2:
        raise ShapeError(f"{operation} takes an array of at least two dimensions, got shape {shape_tuple_str(shape)}")
    return shape[:-2], shape[-2], shape[-1]


def as_square(operation: str, matrix: Matrix | None) -> tuple[Shape, Dim] | None:
    """Matrices that must be square: the leading dimensions and the one size.

    Raises:
        ShapeError: (ValueError) if they are not.
    """
    if matrix is None:
        return None
    lead, rows, columns = matrix
    if differ(rows, columns):
        raise ShapeError(f"{operation} takes square matrices, got {rows} rows and {columns} columns", ValueError)
    return lead, known_dim((rows, columns))


def lesser(a: Dim, b: Dim) -> Dim:
    """The lesser of two sizes."""
    return 0 if 0 in (a, b) else min_dim(a, b)


def orthogonal_factors(matrix: Matrix, full: bool | None) -> tuple[Shape, Shape]:
    """The shapes of the factors of `qr`, with as many columns as rows if `full`."""
    lead, rows, columns = matrix
    least = lesser(rows, columns)
    inner = rows if full or rows == least else least if full is False else None
    return (*lead, rows, inner), (*lead, inner, columns)


def singular_factors(matrix: Matrix, full: bool | None, rank: Dim) -> tuple[Shape, Shape, Shape]:
    """The shapes of the factors of `svd` with so many singular values, square if `full`: left, values, right."""
    lead, rows, columns = matrix
    left = rows if full or rows == rank else rank if full is False else None
    right = columns if full or columns == rank else rank if full is False else None
    return (*lead, rows, left), (*lead, rank), (*lead, right, columns)
