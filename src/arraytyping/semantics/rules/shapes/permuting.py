"""The shapes of arrays whose dimensions are put into another order.

Source: https://data-apis.org/array-api/latest/API_specification/manipulation_functions.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.semantics.avals import Dim, Shape, join_dims, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.static_arguments import as_size, as_sizes

__all__ = ["any_order", "matrices_transposed", "moved", "permuted", "rolled", "swapped", "transposed", "turned"]


def any_order(shape: Shape | None) -> Shape | None:
    """The shape with its dimensions in an order of which nothing is known."""
    if shape is None or len(set(shape)) <= 1:
        return shape
    return (None,) * len(shape)


def permuted(operation: str, shape: Shape | None, axes: Sequence[Dim] | None) -> Shape | None:
    """The shape with its dimensions in the order of the axes, each from 0 to the rank less 1.

    Raises:
        DimError: if that certainly is no permutation of them (`TypeError`).
    """
    if axes is None or shape is None:
        return None if axes is None else (None,) * len(axes)
    known = [a for a in axes if isinstance(a, int)]
    if len(axes) != len(shape) or len(set(known)) < len(known) or not all(0 <= a < len(shape) for a in known):
        raise DimError(
            f"{operation}: {shape_tuple_str(tuple(axes))} is no permutation of the {len(shape)} axes of an array of "
            f"shape {shape_tuple_str(shape)}; name each axis once",
            TypeError,
        )
    return tuple(shape[a] if isinstance(a, int) else None for a in axes)


def transposed(operation: str, shape: Shape | None, axes: Sequence[Dim] | None) -> Shape | None:
    """The shape with its dimensions in the order of the axes, which may be counted from the end.

    Raises:
        DimError: if that certainly is no permutation of them.
    """
    if axes is None:  # an unknown number of them
        return any_order(shape)
    rank = None if shape is None else len(shape)
    numbers = tuple(canonicalize_axis(operation, i, rank) if isinstance(i, int) else None for i in axes)
    return permuted(operation, shape, numbers)


def matrices_transposed(operation: str, shape: Shape | None) -> Shape | None:
    """The shape of matrices with rows and columns exchanged.

    Raises:
        DimError: if the array is none.
    """
    if shape is None:
        return None
    if len(shape) < 2:
        raise DimError(
            f"{operation}: an array of at least 2 dimensions is required, got shape {shape_tuple_str(shape)}"
        )
    return (*shape[:-2], shape[-1], shape[-2])


def swapped(shape: Shape | None, first: int | None, second: int | None) -> Shape | None:
    """The shape with two axes exchanged, each of which may be unknown."""
    if shape is None or first is None or second is None:
        return any_order(shape)
    axes = list(range(len(shape)))
    axes[first], axes[second] = second, first
    return tuple(shape[i] for i in axes)


def moved(operation: str, shape: Shape | None, source: Any, destination: Any) -> Shape | None:
    """The shape with the axes `source` moved to `destination`.

    Raises:
        DimError: if there is no such axis, or their numbers differ.
    """
    rank = None if shape is None else len(shape)
    sources, destinations = (
        None
        if given is None
        else [canonicalize_axis(operation, i, rank) if isinstance(i, int) else None for i in given]
        for given in (as_sizes(operation, "an axis", axes) for axes in (source, destination))
    )
    if rank is None or sources is None or destinations is None:
        return any_order(shape)
    if len(sources) != len(destinations):
        raise DimError(f"{operation}: {len(sources)} axes cannot be moved to {len(destinations)} places")
    froms = [s for s in sources if s is not None]
    tos = [d for d in destinations if d is not None]
    if len(set(froms)) < len(froms):
        raise DimError(f"{operation}: an axis to move is given twice in {shape_tuple_str(tuple(sources))}", TypeError)
    if len(froms) < len(sources) or len(tos) < len(destinations):
        return any_order(shape)
    order: list[Dim] = [i for i in range(rank) if i not in froms]
    for to, i in sorted(zip(tos, froms)):
        order.insert(to, i)
    return permuted(operation, shape, order)


def rolled(operation: str, shape: Shape | None, axis: Any, start: Any) -> Shape | None:
    """The shape with an axis moved to stand before another.

    Raises:
        DimError: if there is no such axis or place.
    """
    rank = None if shape is None else len(shape)
    place = as_size(operation, "start", start)
    number = canonicalize_axis(operation, axis, rank)
    if rank is None:
        return None
    if isinstance(place, int):
        if not -rank <= place <= rank:
            raise DimError(
                f"{operation}: start is from {-rank} to {rank} for an array of {rank} dimensions, got {place}"
            )
        place += rank if place < 0 else 0
    if number is None or not isinstance(place, int):
        return any_order(shape)
    return moved(operation, shape, number, place - 1 if place > number else place)


def turned(operation: str, shape: Shape | None, turns: float | None, axes: Sequence[Dim] | None) -> Shape | None:
    """The shape turned by so many right angles in the plane of two axes.

    Raises:
        DimError: if there are no two such axes.
    """
    if shape is not None and len(shape) < 2:
        raise DimError(
            f"{operation}: an array of at least 2 dimensions is required, got shape {shape_tuple_str(shape)}"
        )
    if axes is not None and len(axes) != 2:
        raise DimError(f"{operation}: axes are 2, got {len(axes)}")
    if shape is None or axes is None:
        return any_order(shape)
    first, second = (canonicalize_axis(operation, i, len(shape)) if isinstance(i, int) else None for i in axes)
    if first is None or second is None:
        return any_order(shape) if turns is None or turns % 2 else shape
    if first == second:
        raise DimError(f"{operation}: the axes are one and the same; give two different ones")
    if turns is not None and turns % 4 in (0, 2):
        return shape
    dims = list(shape)
    dims[first], dims[second] = shape[second], shape[first]
    if turns is None:
        dims[first] = dims[second] = join_dims(shape[first], shape[second])
    return tuple(dims)
