"""Axis arguments: one axis, several, or all, against a rank that may be unknown.

Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.array_utils.normalize_axis_index.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.rules.errors import AxisError, DimError
from arraytyping.semantics.rules.static_arguments import as_size, is_unknown

__all__ = ["canonicalize_axis", "canonicalize_axes"]


def canonicalize_axis(operation: str, axis: Any, ndim: int | None) -> int | None:
    """An axis as a number from 0 to `ndim - 1`; None if the axis or the rank is unknown.

    Raises:
        AxisError: if an array of this rank has no such axis.
    """
    axis = as_size(operation, "an axis", axis)
    if ndim is None or not isinstance(axis, int):
        return None
    if not -ndim <= axis < ndim:
        raise AxisError(
            f"{operation}: axis {axis} is out of bounds for array of dimension {ndim}; "
            + (f"it has axes {-ndim} to {ndim - 1}" if ndim else "it has no axes")
        )
    return axis % ndim


def canonicalize_axes(operation: str, axes: Any, ndim: int | None) -> tuple[int, ...] | None:
    """One axis or several as numbers in the order given; None if one of them or the rank is unknown.

    Raises:
        DimError: if an array of this rank lacks one of them, or one is given twice.
    """
    if is_unknown(axes) or isinstance(axes, ShapedArray | NumPyArray):
        return None
    given = tuple(axes) if isinstance(axes, tuple | list) else (axes,)
    numbers = tuple(canonicalize_axis(operation, a, ndim) for a in given)
    known = [n for n in numbers if n is not None]
    if len(set(known)) < len(known):
        raise DimError(f"{operation}: duplicate value in axis: {given}; name each axis once")
    return tuple(known) if len(known) == len(numbers) else None
