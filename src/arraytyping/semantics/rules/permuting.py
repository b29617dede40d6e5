"""Functions that permute dimensions or turn an array about: transposition, moved axes, flips, rotation, rolling.

Source: https://docs.jax.dev/en/latest/jax.numpy.html and
https://data-apis.org/array-api/latest/API_specification/manipulation_functions.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.semantics.avals import Dim, Scalar, Shape, ShapedArray, join_dims, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_size, as_sizes, is_unknown
from arraytyping.semantics.rules.table import rule

__all__ = ["matrix_transpose", "moved", "transpose"]


def _permuted(operation: str, array: ShapedArray, axes: Sequence[Dim] | None) -> ShapedArray:
    """The array with its dimensions in the order of the axes, each from 0 to the rank less 1.

    Raises:
        DimError: if that certainly is no permutation of them (`TypeError`).
    """
    shape = array.shape
    if axes is None or shape is None:
        return with_shape(array, None if axes is None else (None,) * len(axes))
    known = [a for a in axes if isinstance(a, int)]
    if len(axes) != len(shape) or len(set(known)) < len(known) or not all(0 <= a < len(shape) for a in known):
        raise DimError(
            f"{operation}: {shape_tuple_str(tuple(axes))} is no permutation of the {len(shape)} axes of an array of "
            f"shape {shape_tuple_str(shape)}; name each axis once",
            TypeError,
        )
    return with_shape(array, tuple(shape[a] if isinstance(a, int) else None for a in axes))


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
    given = _several("transpose", axes)
    if given is not None:
        given = tuple(canonicalize_axis("transpose", i, array.ndim) if isinstance(i, int) else None for i in given)
    return _permuted("transpose", array, given) if not is_unknown(axes) else _any_order(array)


def _any_order(array: ShapedArray) -> ShapedArray:
    """The array with its dimensions in an order of which nothing is known."""
    shape = array.shape
    if shape is None or len(set(shape)) <= 1:
        return with_shape(array, shape)
    return with_shape(array, (None,) * len(shape))


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
    return _any_order(array) if is_unknown(axes) else _permuted("permute_dims", array, _several("permute_dims", axes))


@rule("numpy.matrix_transpose", "numpy.linalg.matrix_transpose")
def matrix_transpose(cx: Context, x: Any, /) -> ShapedArray:
    """`jax.numpy.matrix_transpose`."""
    array = as_operand(cx, x, "matrix_transpose")
    shape = array.shape
    if shape is None:
        return array
    if len(shape) < 2:
        raise DimError(
            f"matrix_transpose: an array of at least 2 dimensions is required, got shape {shape_tuple_str(shape)}"
        )
    return with_shape(array, (*shape[:-2], shape[-1], shape[-2]))


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
        try:
            numbers.append(canonicalize_axis("swapaxes", axis, array.ndim))
        except DimError as error:
            if error.exception is ValueError:
                raise DimError(error.message, IndexError) from None
            raise
    first, second = numbers
    if shape is None:
        return with_shape(array, None)
    if first is None or second is None:
        return _any_order(array)
    axes = list(range(len(shape)))
    axes[first], axes[second] = second, first
    return with_shape(array, tuple(shape[i] for i in axes))


def moved(operation: str, array: ShapedArray, source: Any, destination: Any) -> ShapedArray:
    """The array with the axes `source` moved to `destination`.

    Raises:
        DimError: if there is no such axis, or their numbers differ.
    """
    rank = array.ndim
    sources, destinations = (
        None
        if given is None
        else [canonicalize_axis(operation, i, rank) if isinstance(i, int) else None for i in given]
        for given in (as_sizes(operation, "an axis", axes) for axes in (source, destination))
    )
    if rank is None or sources is None or destinations is None:
        return _any_order(array)
    if len(sources) != len(destinations):
        raise DimError(f"{operation}: {len(sources)} axes cannot be moved to {len(destinations)} places")
    froms = [s for s in sources if s is not None]
    tos = [d for d in destinations if d is not None]
    if len(set(froms)) < len(froms):
        raise DimError(f"{operation}: an axis to move is given twice in {shape_tuple_str(tuple(sources))}", TypeError)
    if len(froms) < len(sources) or len(tos) < len(destinations):
        return _any_order(array)
    order: list[Dim] = [i for i in range(rank) if i not in froms]
    for to, i in sorted(zip(tos, froms)):
        order.insert(to, i)
    return _permuted(operation, array, order)


@rule("numpy.moveaxis")
def moveaxis(cx: Context, a: Any, source: Any, destination: Any) -> ShapedArray:
    """`jax.numpy.moveaxis`."""
    return moved("moveaxis", as_operand(cx, a, "moveaxis"), source, destination)


@rule("numpy.rollaxis")
def rollaxis(cx: Context, a: Any, axis: Any, start: Any = 0) -> ShapedArray:
    """`jax.numpy.rollaxis`."""
    check_hashable("rollaxis", axis=axis, start=start)
    array = as_operand(cx, a, "rollaxis")
    rank = array.ndim
    place = as_size("rollaxis", "start", start)
    number = canonicalize_axis("rollaxis", axis, rank)
    if rank is None:
        return array
    if isinstance(place, int):
        if not -rank <= place <= rank:
            raise DimError(f"rollaxis: start is from {-rank} to {rank} for an array of {rank} dimensions, got {place}")
        place += rank if place < 0 else 0
    if number is None or not isinstance(place, int):
        return _any_order(array)
    return moved("rollaxis", array, number, place - 1 if place > number else place)


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
    shape = array.shape
    if shape is not None and len(shape) < 2:
        raise DimError(f"rot90: an array of at least 2 dimensions is required, got shape {shape_tuple_str(shape)}")
    given = _several("rot90", axes)
    if given is not None and len(given) != 2:
        raise DimError(f"rot90: axes are 2, got {len(given)}")
    turns = k if isinstance(k, float) else as_size("rot90", "k", k)
    if shape is None or given is None:
        return _any_order(array)
    first, second = (canonicalize_axis("rot90", i, len(shape)) if isinstance(i, int) else None for i in given)
    if first is None or second is None:
        return _any_order(array) if not isinstance(turns, int) or turns % 2 else with_shape(array, shape)
    if first == second:
        raise DimError("rot90: the axes are one and the same; give two different ones")
    if isinstance(turns, int | float) and turns % 4 in (0, 2):
        return with_shape(array, shape)
    dims = list(shape)
    dims[first], dims[second] = shape[second], shape[first]
    if not isinstance(turns, int | float):
        dims[first] = dims[second] = join_dims(shape[first], shape[second])
    return with_shape(array, tuple(dims))


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
