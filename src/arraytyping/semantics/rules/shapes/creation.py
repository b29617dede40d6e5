"""The shapes of arrays that are made: of given sizes, as matrices, on grids.

Source: https://data-apis.org/array-api/latest/API_specification/creation_functions.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.semantics.avals import Dim, Shape
from arraytyping.semantics.rules.static_arguments import as_shape, as_size, non_negative

__all__ = ["coordinates", "grid", "matrix", "sizes_of"]


def sizes_of(operation: str, sizes: Any) -> Shape | None:
    """The shape that an argument asks for: one size or several.

    Raises:
        ShapeError: (TypeError) if it is none, or a size is negative.
    """
    return non_negative(operation, as_shape(operation, sizes))


def matrix(operation: str, rows: Any, columns: Any, exception: type[Exception] = ValueError) -> tuple[Dim, Dim]:
    """The shape of a matrix of so many rows and, by default as many, columns.

    Raises:
        IntegerError: if one is no integer.
        ShapeError: if one is negative.
    """
    n = as_size(operation, "N", rows)
    m = n if columns is None else as_size(operation, "M", columns)
    non_negative(operation, (n, m), exception)
    return n, m


def grid(sizes: Sequence[Dim], position: int, sparse: bool, indexing: str) -> Shape:
    """The shape of the array of one coordinate; `xy` exchanges the first two axes."""
    shape: list[Dim] = [d if not sparse or i == position else 1 for i, d in enumerate(sizes)]
    if indexing == "xy" and len(shape) >= 2:
        shape[0], shape[1] = shape[1], shape[0]
    return tuple(shape)


def coordinates(sizes: Shape) -> Shape:
    """The shape of the indices of all places of an array of these sizes, one array for each of its axes."""
    return (len(sizes), *sizes)
