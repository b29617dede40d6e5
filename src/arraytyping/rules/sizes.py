"""Arithmetic on sizes of which some are unknown or known by name only, and an array given another shape.

A named size may be any number, 0 and 1 included, so only what holds for each of them is kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from arraytyping.avals import Dim, Shape, ShapedArray, size_of

__all__ = ["add_dims", "is_empty", "multiply_dims", "size_dim", "with_shape", "without_axis"]


def add_dims(dims: Iterable[Dim]) -> Dim:
    """The sum of sizes; None if it cannot be known."""
    known, others = 0, []
    for dim in dims:
        if isinstance(dim, int):
            known += dim
        else:
            others.append(dim)
    if not others:
        return known
    return others[0] if len(others) == 1 and known == 0 else None


def multiply_dims(dims: Iterable[Dim]) -> Dim:
    """The product of sizes; None if it cannot be known."""
    given = tuple(dims)
    known = math.prod(d for d in given if isinstance(d, int))
    others = [d for d in given if not isinstance(d, int)]
    if known == 0 or not others:
        return known
    return others[0] if len(others) == 1 and known == 1 else None


def size_dim(shape: Shape | None) -> Dim:
    """The number of elements of an array of this shape, by name where it is one."""
    return None if shape is None else multiply_dims(shape)


def is_empty(shape: Shape | None) -> bool | None:
    """Whether an array of this shape has no elements; None if unknown."""
    if shape is None:
        return None
    size = size_of(shape)
    return None if size is None else size == 0


def without_axis(shape: Shape, axis: int) -> Shape:
    """The shape less one of its dimensions."""
    return shape[:axis] + shape[axis + 1 :]


def with_shape(array: ShapedArray, shape: Shape | None) -> ShapedArray:
    """An array of the same dtype and weak type, of another shape (its known value is dropped)."""
    return ShapedArray(shape, array.dtype, array.weak_type)
