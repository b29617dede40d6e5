"""The size of a shape, and an array given another one."""

from __future__ import annotations

from arraytyping.semantics.avals import Dim, Shape, ShapedArray
from arraytyping.semantics.sizes.dims import at_least, multiply_dims

__all__ = ["is_empty", "size_dim", "with_shape", "without_axis"]


def size_dim(shape: Shape | None) -> Dim:
    """The number of elements of an array of this shape, by name where it is one."""
    return None if shape is None else multiply_dims(shape)


def is_empty(shape: Shape | None) -> bool | None:
    """Whether an array of this shape has no elements; None if unknown."""
    if shape is None:
        return None
    return True if 0 in shape else False if all(at_least(d, 1) for d in shape) else None


def without_axis(shape: Shape, axis: int) -> Shape:
    """The shape less one of its dimensions."""
    return shape[:axis] + shape[axis + 1 :]


def with_shape(array: ShapedArray, shape: Shape | None) -> ShapedArray:
    """An array of the same dtype and weak type, of another shape (its known value is dropped)."""
    return ShapedArray(shape, array.dtype, array.weak_type)
