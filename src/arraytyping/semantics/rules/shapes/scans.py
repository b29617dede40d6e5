"""The shapes of what runs along one axis and keeps it: cumulative sums, sorting, differences of neighbours.

Source: https://data-apis.org/array-api/latest/API_specification/generated/array_api.cumulative_sum.html and
https://numpy.org/doc/stable/reference/generated/numpy.diff.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Shape, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.shapes.joining import concatenated
from arraytyping.semantics.rules.shapes.reductions import one_axis
from arraytyping.semantics.rules.sizes import size_dim
from arraytyping.semantics.sizes.dims import add_dims, max_dim

__all__ = ["differences", "kept_or_raveled", "lengthened"]


def kept_or_raveled(operation: str, shape: Shape | None, axis: Any) -> Shape | None:
    """The shape of what runs along an axis and gives as many elements, or with None over all of them in one dimension.

    Raises:
        DimError: if an array of this rank has no such axis.
    """
    one_axis(operation, axis, None if shape is None else len(shape))
    if axis is None:
        return (size_dim(shape),)
    if axis is UNKNOWN and shape is not None:  # it may be None
        return {0: (1,), 1: shape}.get(len(shape))
    return shape


def lengthened(operation: str, shape: Shape | None, axis: Any, include_initial: bool | None) -> Shape | None:
    """The shape of cumulative sums or products, which may start with an element of their own.

    Raises:
        DimError: if there is no such axis, or several and none is named.
    """
    if axis is None and shape is not None and len(shape) > 1:
        raise DimError(
            f"{operation}: an array of {len(shape)} dimensions needs an axis, got shape {shape_tuple_str(shape)}; name "
            "the axis"
        )
    if axis is None and shape is None:
        shape = (None,)
    axes = one_axis(operation, 0 if axis is None else axis, None if shape is None else len(shape))
    if shape is None or include_initial is False:
        return shape
    along = range(len(shape)) if axes.numbers is None else axes.numbers
    certain = include_initial and len(along) == 1
    return tuple((add_dims((d, 1)) if certain else None) if i in along else d for i, d in enumerate(shape))


def differences(
    operation: str, shape: Shape | None, times: int | None, axis: Any, before: Sequence[Shape | None],
    after: Sequence[Shape | None],
) -> Shape | None:  # fmt: skip
    """The shape of the differences of neighbours, taken so many times, of an array between others.

    Raises:
        DimError: if the number is negative, or there is no such axis.
        ShapeError: (TypeError) if the arrays before and after it do not fit.
    """
    if times == 0:
        return shape
    if times is None:
        return None if shape is None else (None,) * len(shape)
    if times < 0:
        raise DimError(f"{operation}: n must not be negative, got {times}")
    if shape == ():
        raise DimError(f"{operation} takes an array of at least one dimension, got one without; reshape it to (1,)")
    number = canonicalize_axis(operation, axis, None if shape is None else len(shape))
    if shape is None:
        return None
    if number is None:
        return (None,) * len(shape)
    parts = [*before, shape, *after]
    joined: Shape | None = shape
    if len(parts) > 1:
        joined = concatenated(operation, [_spread(part, shape, number) for part in parts], number)
    if joined is None:
        return None
    return (*joined[:number], max_dim(add_dims((joined[number], -times)), 0), *joined[number + 1 :])


def _spread(part: Shape | None, shape: Shape, axis: int) -> Shape | None:
    """The shape in which an array is put before or after one of another shape: a scalar fills one place of the axis."""
    return (*shape[:axis], 1, *shape[axis + 1 :]) if part == () else part
