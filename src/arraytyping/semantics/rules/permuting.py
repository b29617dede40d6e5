"""Functions that permute dimensions or turn an array about: transposition, moved axes, flips, rotation, rolling.

Source: https://docs.jax.dev/en/latest/jax.numpy.html and
https://data-apis.org/array-api/latest/API_specification/manipulation_functions.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import Dim, Scalar, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.permuting import (
    any_order,
    matrices_transposed,
    moved,
    permuted,
    rolled,
    swapped,
    transposed,
    turned,
)
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_size, as_sizes, is_unknown
from arraytyping.semantics.rules.table import rule

__all__ = ["matrix_transpose", "transpose"]


def _several(operation: str, axes: Any) -> tuple[Dim, ...] | None:
    """Axes that are several in a sequence, even if one only; None if their number is unknown."""
    if isinstance(axes, int | Scalar) or axes is None:
        raise DimError(f"{operation}: axes are several integers in a tuple, got {axes}", TypeError)
    return as_sizes(operation, "an axis", axes)


@rule("numpy.transpose")
def transpose(cx: Context, a: Any, axes: Any = None) -> ShapedArray:
    """`jax.numpy.transpose`."""
    array = as_operand(cx, a, "transpose")
    if axes is None:
        return with_shape(array, None if array.shape is None else array.shape[::-1])
    return with_shape(array, transposed("transpose", array.shape, _several("transpose", axes)))


@rule("Array.transpose")
def array_transpose(cx: Context, self: Any, *args: Any) -> ShapedArray:
    """`jax.Array.transpose`, with the axes one by one or in a sequence."""
    axes: Any = None
    if len(args) == 1:
        axes = args[0]
        if isinstance(axes, int | Scalar):
            axes = (axes,)
    elif args:
        axes = args
    return transpose(cx, self, axes)


@rule("numpy.permute_dims")
def permute_dims(cx: Context, a: Any, /, axes: Any) -> ShapedArray:
    """`jax.numpy.permute_dims`, which does not take negative axes."""
    array = as_operand(cx, a, "permute_dims")
    order = _several("permute_dims", axes)
    shape = any_order(array.shape) if is_unknown(axes) else permuted("permute_dims", array.shape, order)
    return with_shape(array, shape)


@rule("numpy.matrix_transpose", "numpy.linalg.matrix_transpose")
def matrix_transpose(cx: Context, x: Any, /) -> ShapedArray:
    """`jax.numpy.matrix_transpose`."""
    array = as_operand(cx, x, "matrix_transpose")
    return with_shape(array, matrices_transposed("matrix_transpose", array.shape))


@rule("numpy.swapaxes", "Array.swapaxes")
def swapaxes(cx: Context, a: Any, axis1: Any, axis2: Any) -> ShapedArray:
    """`jax.numpy.swapaxes`."""
    check_hashable("swapaxes", axis1=axis1, axis2=axis2)
    array = as_operand(cx, a, "swapaxes")
    shape = array.shape
    if all(axis is None or isinstance(axis, bool) for axis in (axis1, axis2)):
        # NumPy swaps all of the axes with all of them, or nothing with nothing.
        return with_shape(array, shape if axis1 is axis2 else None)
    numbers: list[int | None] = []
    for axis in (axis1, axis2):
        # JAX uses the axis as an index of a NumPy array, which tells in its own way what is no integer.
        if shape == () or isinstance(axis, float | complex | str):
            raise DimError(f"swapaxes: an axis from 0 to {len(shape or ()) - 1} is required, got {axis!r}", IndexError)
        if axis is None or isinstance(axis, bool):
            raise DimError(f"swapaxes: an axis is an integer, got {axis}")
        if isinstance(axis, Scalar) and axis.kind in ("float", "complex"):
            raise DimError(f"swapaxes: an axis is an integer, got a {axis}", IndexError)
        if isinstance(axis, tuple | list):  # as an index of several places, which may be of one
            numbers.append(None)
            continue
        try:
            numbers.append(canonicalize_axis("swapaxes", axis, array.ndim))
        except DimError as error:
            if error.exception is ValueError:
                raise DimError(error.message, IndexError) from None
            raise
    return with_shape(array, swapped(shape, *numbers))


@rule("numpy.moveaxis")
def moveaxis(cx: Context, a: Any, source: Any, destination: Any) -> ShapedArray:
    """`jax.numpy.moveaxis`."""
    array = as_operand(cx, a, "moveaxis")
    return with_shape(array, moved("moveaxis", array.shape, source, destination))


@rule("numpy.rollaxis")
def rollaxis(cx: Context, a: Any, axis: Any, start: Any = 0) -> ShapedArray:
    """`jax.numpy.rollaxis`."""
    check_hashable("rollaxis", axis=axis, start=start)
    array = as_operand(cx, a, "rollaxis")
    return with_shape(array, rolled("rollaxis", array.shape, axis, start))


@rule("numpy.flip")
def flip(cx: Context, m: Any, axis: Any = None) -> ShapedArray:
    """`jax.numpy.flip`."""
    array = as_operand(cx, m, "flip")
    if axis is not None:
        given = as_sizes("flip", "an axis", axis) or ()
        numbers = [canonicalize_axis("flip", i, array.ndim) for i in given if isinstance(i, int)]
        known = [n for n in numbers if n is not None]
        if len(set(known)) < len(known):
            raise DimError(f"flip: an axis is given twice in {shape_tuple_str(given)}; name each axis once", TypeError)
    return with_shape(array, array.shape)


@rule("numpy.fliplr")
def fliplr(cx: Context, m: Any) -> ShapedArray:
    """`jax.numpy.fliplr`."""
    array = as_operand(cx, m, "fliplr")
    canonicalize_axis("fliplr", 1, array.ndim)
    return with_shape(array, array.shape)


@rule("numpy.flipud")
def flipud(cx: Context, m: Any) -> ShapedArray:
    """`jax.numpy.flipud`."""
    array = as_operand(cx, m, "flipud")
    canonicalize_axis("flipud", 0, array.ndim)
    return with_shape(array, array.shape)


@rule("numpy.rot90")
def rot90(cx: Context, m: Any, k: Any = 1, axes: Any = (0, 1)) -> ShapedArray:
    """`jax.numpy.rot90`."""
    check_hashable("rot90", k=k, axes=axes)
    array = as_operand(cx, m, "rot90")
    rank = array.ndim
    given = _several("rot90", axes) if rank is None or rank >= 2 else None
    turns = k if isinstance(k, float) or (rank is not None and rank < 2) else as_size("rot90", "k", k)
    return with_shape(array, turned("rot90", array.shape, turns if isinstance(turns, int | float) else None, given))


@rule("numpy.roll")
def roll(cx: Context, a: Any, shift: Any, axis: Any = None) -> ShapedArray:
    """`jax.numpy.roll`."""
    array = as_operand(cx, a, "roll")
    axes: Shape | None = (0,)
    if axis is not None:
        axes = as_sizes("roll", "an axis", axis)
        for i in axes or ():
            canonicalize_axis("roll", i, array.ndim) if isinstance(i, int) else None
    shifts: int | None = None
    if isinstance(shift, tuple | list):
        shifts = len(shift)
    elif isinstance(shift, ShapedArray) and shift.shape is not None:
        if len(shift.shape) > 1:
            raise DimError(f"roll: the shift is a scalar or has 1 dimension, got shape {shape_tuple_str(shift.shape)}")
        shifts = shift.shape[0] if shift.shape and isinstance(shift.shape[0], int) else None
    elif shift is None or isinstance(shift, str | slice):
        raise DimError(
            f"roll: the shift is an integer or several, got {shift!r}", ValueError if shift is None else TypeError
        )
    if axes is not None and shifts is not None and len(axes) != shifts and 1 not in (len(axes), shifts):
        raise ShapeError(f"roll: {shifts} shifts do not go with {len(axes)} axes", ValueError)
    return with_shape(array, array.shape)
