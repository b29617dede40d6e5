"""The shapes of places that are found by their elements, of which it is not known how many there are.

Source: https://data-apis.org/array-api/latest/API_specification/searching_functions.html.
"""

from __future__ import annotations

from arraytyping.semantics.avals import Dim, Shape
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.sizes import is_empty

__all__ = ["found_places", "listed_places"]


def found_places(operation: str, shape: Shape | None, count: Dim) -> tuple[Dim, int | None]:
    """How many places are found in an array, and by how many indices each is named.

    Raises:
        DimError: if the array has no dimensions, and so no places.
    """
    if shape == ():
        raise DimError(f"{operation}: an array of 0 dimensions has no places; make it one of 1, with atleast_1d")
    return 0 if count is None and is_empty(shape) else count, None if shape is None else len(shape)


def listed_places(shape: Shape | None, count: Dim) -> Shape:
    """The shape of a list of places, each with its indices in a row."""
    return (count, None if shape is None else len(shape))
