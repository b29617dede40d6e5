"""The axes that a reduction removes, and the shape that is left.

Source: `_reduction_dims` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/reductions.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arraytyping.semantics.avals import (
    UNKNOWN,
    NumPyArray,
    Scalar,
    Shape,
    ShapedArray,
    SymbolicDim,
    join_shapes,
    shape_tuple_str,
)
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import DimError

__all__ = ["Axes", "one_axis", "reduced", "reduced_axes", "traced"]


@dataclass(frozen=True, slots=True)
class Axes:
    """The axes that a reduction removes, as far as known, of an array of which the rank may be unknown.

    `ndim` is that rank; `numbers` are the axes if all are known; `count` is how many there are, if that is known;
    `every` says that they are all that the array has, whatever its rank.
    """

    ndim: int | None
    numbers: tuple[int, ...] | None = None
    count: int | None = None
    every: bool = False

    def empty(self, shape: Shape | None) -> bool:
        """Whether the reduction is certain to be over no elements at all: one of its axes has size 0."""
        if shape is None:
            return False
        if self.numbers is not None:
            return any(shape[i] == 0 for i in self.numbers)
        return bool(self.count) and bool(shape) and all(d == 0 for d in shape)

    def reduce(self, shape: Shape | None, keepdims: bool | None) -> Shape | None:
        """The shape that is left of this one, which may have more dimensions than the array that was given.

        It does if a mask has more: JAX counts the axes from the left of the array's own shape all the same.
        """
        if shape is None:
            return () if self.every and keepdims is False else None
        if self.ndim is None:  # then `shape` is that of something else, such as a mask
            return None
        if keepdims:
            if self.numbers is not None:
                return _kept(shape, self.numbers)
            if self.count == 1:
                return _joined([_kept(shape, (i,)) for i in range(self.ndim)])
            return tuple(d if d == 1 or i >= self.ndim else None for i, d in enumerate(shape))
        if self.numbers is not None:
            left = _removed(shape, self.numbers)
            return left if keepdims is False or not self.numbers else None
        if keepdims is None:
            return None
        if self.count == 1:
            return _joined([_removed(shape, (i,)) for i in range(self.ndim)])
        return None if self.count is None else (None,) * (len(shape) - self.count)


def reduced_axes(operation: str, axis: Any, ndim: int | None, *, named: bool = True) -> Axes:
    """The axes of an `axis` argument that is None (for all axes), one axis, or a sequence of them.

    `named` says that a string is the name of a mapped axis, of which nothing is known here.

    Raises:
        DimError: if an array of this rank lacks one of them, one is given twice, or one is no integer.
    """
    if ndim == 0 and axis is UNKNOWN:  # it is None or empty
        return Axes(0, (), 0)
    if axis is None:
        return Axes(ndim, None if ndim is None else tuple(range(ndim)), ndim, every=True)
    if axis is UNKNOWN or isinstance(axis, ShapedArray) or (isinstance(axis, NumPyArray) and axis.shape != ()):
        return Axes(ndim)
    given = tuple(axis) if isinstance(axis, tuple | list) else (axis,)
    if named and any(isinstance(a, str) for a in given):
        return Axes(ndim)
    for a in given if named else ():
        canonicalize_axis(operation, a, None)  # whether each is an integer comes first
    numbers = [canonicalize_axis(operation, a, ndim) for a in given]
    known = [n for n in numbers if n is not None]
    if len(set(known)) < len(known):
        raise DimError(f"{operation}: duplicate value in axis: {axis}; name each axis once")
    if len(known) == len(numbers):
        return Axes(ndim, tuple(known), len(known))
    if not all(map(_is_number, given)):
        return Axes(ndim)
    if ndim is not None and len(given) > ndim:
        raise DimError(
            f"{operation}: {len(given)} axes are given for an array of dimension {ndim}; name each axis once"
        )
    return Axes(ndim, None, len(given))


def one_axis(operation: str, axis: Any, ndim: int | None) -> Axes:
    """The axes of an `axis` argument that is None (for all axes) or one axis.

    Raises:
        DimError: if an array of this rank lacks it; (TypeError) for a sequence.
    """
    if isinstance(axis, tuple | list):
        raise DimError(f"{operation}: an axis is an integer, got {axis}; name one axis, or None for all", TypeError)
    return reduced_axes(operation, axis, ndim, named=False)


def reduced(operation: str, shape: Shape | None, axis: Any, keepdims: bool | None) -> Shape | None:
    """The shape that a reduction along one axis, several or all of them leaves.

    Raises:
        DimError: if an array of this rank lacks one of them, or one is given twice.
    """
    return reduced_axes(operation, axis, None if shape is None else len(shape), named=False).reduce(shape, keepdims)


def traced(operation: str, shape: Shape | None, axis1: Any, axis2: Any) -> Shape | None:
    """The shape of the sums along the diagonals of two axes.

    Raises:
        DimError: if there are no two axes, or they are one and the same.
    """
    rank = None if shape is None else len(shape)
    first, second = canonicalize_axis(operation, axis1, rank), canonicalize_axis(operation, axis2, rank)
    if first is not None and first == second:
        raise DimError(f"{operation}: axis1 and axis2 are the same, {axis1} and {axis2}; name two axes")
    if shape is None:
        return None
    if len(shape) < 2:
        raise DimError(f"{operation} takes an array of at least two dimensions, got shape {shape_tuple_str(shape)}")
    if first is None or second is None:
        return (None,) * (len(shape) - 2)
    return _removed(shape, (first, second))


def _is_number(axis: Any) -> bool:
    """Whether this is one axis, if perhaps an unknown one (`UNKNOWN` may be a name)."""
    return isinstance(axis, int | Scalar | SymbolicDim | NumPyArray)


def _kept(shape: Shape, axes: tuple[int, ...]) -> Shape:
    return tuple(1 if i in axes else d for i, d in enumerate(shape))


def _removed(shape: Shape, axes: tuple[int, ...]) -> Shape:
    return tuple(d for i, d in enumerate(shape) if i not in axes)


def _joined(shapes: list[Shape]) -> Shape | None:
    joined: Shape | None = shapes[0] if shapes else None
    for shape in shapes[1:]:
        joined = join_shapes(joined, shape)
    return joined
