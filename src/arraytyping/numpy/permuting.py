"""Axes in another order, arrays turned about: transposition, flips, rotation, rolling.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from arraytyping.basearray import Array
from arraytyping.numpy.axes import at_axis, axis_of, ints_of, known_values, moved, numbered, raveled, several
from arraytyping.numpy.division import remainder
from arraytyping.numpy.promoting import kind_of
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import constant_like, sub_p
from arraytyping.runtime.lax.dynamic_slicing import dynamic_slice_p
from arraytyping.runtime.lax.slicing import concatenate_p, rev_p
from arraytyping.runtime.lax.structure import broadcast_to, reshape, transpose as permuted

__all__ = [
    "flip", "fliplr", "flipud", "matrix_transpose", "moveaxis", "permute_dims", "roll", "rollaxis", "rot90", "swapaxes",
    "transpose",
]  # fmt: skip


@operation("numpy.transpose", "a")
def transpose(a: Any, axes: Sequence[int] | None = None) -> Any:
    """The array with its axes in another order, by default in the reverse one: `jax.numpy.transpose`."""
    rank = len(a.aval.shape)
    return permuted(a, range(rank)[::-1] if axes is None else numbered(axes, rank))


@operation("numpy.permute_dims", "a")
def permute_dims(a: Any, /, axes: tuple[int, ...]) -> Any:
    """The array with its axes in another order: `jax.numpy.permute_dims`."""
    return permuted(a, ints_of(axes, "an axis"))


def matrices_transposed(x: Any) -> Any:
    """The array with its last two axes exchanged."""
    rank = len(x.aval.shape)
    return permuted(x, (*range(rank - 2), rank - 1, rank - 2))


@operation("numpy.matrix_transpose", "x")
def matrix_transpose(x: Any, /) -> Any:
    """The array with its last two axes exchanged: `jax.numpy.matrix_transpose`."""
    return matrices_transposed(x)


@operation("numpy.swapaxes", "a")
def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """The array with two axes exchanged: `jax.numpy.swapaxes`."""
    order = list(range(len(a.aval.shape)))
    first, second = (axis_of(axis, len(order)) for axis in (axis1, axis2))
    order[first], order[second] = second, first
    return permuted(a, order)


@operation("numpy.moveaxis", "a")
def moveaxis(a: Any, source: int | Sequence[int], destination: int | Sequence[int]) -> Any:
    """The array with axes at other places, the others in their order: `jax.numpy.moveaxis`."""
    rank = len(a.aval.shape)
    return moved(a, numbered(source, rank), numbered(destination, rank))


@operation("numpy.rollaxis", "a")
def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """The array with one axis before another: `jax.numpy.rollaxis`."""
    rank = len(a.aval.shape)
    source = axis_of(axis, rank)
    place = operator.index(start)
    place += rank if place < 0 else 0
    return moved(a, [source], [place - (place > source)])


@operation("numpy.flip", "m")
def flip(m: Any, axis: int | Sequence[int] | None = None) -> Any:
    """The elements in reverse order along axes, by default along all: `jax.numpy.flip`."""
    rank = len(m.aval.shape)
    return rev_p.bind(m, dimensions=tuple(range(rank)) if axis is None else numbered(axis, rank))


@operation("numpy.fliplr", "m")
def fliplr(m: Any) -> Any:
    """The elements in reverse order along axis 1: `jax.numpy.fliplr`."""
    return rev_p.bind(m, dimensions=(1,))


@operation("numpy.flipud", "m")
def flipud(m: Any) -> Any:
    """The elements in reverse order along axis 0: `jax.numpy.flipud`."""
    return rev_p.bind(m, dimensions=(0,))


@operation("numpy.rot90", "m")
def rot90(m: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Any:
    """The array turned by so many right angles, from the first axis to the second: `jax.numpy.rot90`."""
    order = list(range(len(m.aval.shape)))
    first, second = numbered(axes, len(order))
    order[first], order[second] = second, first
    turns = k % 4
    if turns == 0:
        return m
    if turns == 2:
        return rev_p.bind(m, dimensions=(first, second))
    if turns == 1:
        return permuted(rev_p.bind(m, dimensions=(second,)), order)
    return rev_p.bind(permuted(m, order), dimensions=(second,))


def rolled(x: Any, shift: int, axis: int) -> Any:
    """The elements moved along an axis, those that leave it at the end coming in at its start."""
    size = x.aval.shape[axis]
    start = -shift % size if size else 0
    if start == 0:
        return x
    parts = slice_along(x, start, size, axis=axis), slice_along(x, 0, start, axis=axis)
    return concatenate_p.bind(*parts, dimension=axis)


def _rolled_by(x: Any, shift: Any, axis: int) -> Any:
    """The same for a shift that is traced: a part of the array with itself behind."""
    shape = x.aval.shape
    size = constant_like(convert_to(shift, "int32"), shape[axis])
    left = remainder(convert_to(shift, "int32"), constant_like(size, max(shape[axis], 1)))
    twice = concatenate_p.bind(x, x, dimension=axis)
    zero = TypedScalar(0, size.aval)
    starts = [sub_p.bind(size, left) if d == axis else zero for d in range(len(shape))]
    return dynamic_slice_p.bind(twice, *starts, slice_sizes=shape)


@operation("numpy.roll", "a")
def _roll(a: Any, shift: Any, axis: Any = None) -> Any:
    shape = a.aval.shape
    x = raveled(a) if axis is None else a
    axes = (0,) if axis is None else numbered(axis, len(shape))
    if isinstance(shift, Array):
        count = max(len(axes), *shift.aval.shape, 1)
        shifts = broadcast_to(shift, (count,))
        for i, along in enumerate(np.broadcast_to(axes, (count,)).tolist()):
            x = _rolled_by(x, at_axis(shifts, i, 0), along)
    else:
        for along, by in zip(*(v.tolist() for v in np.broadcast_arrays(axes, ints_of(shift)))):
            x = rolled(x, by, along)
    return reshape(x, shape)


def _are_ints(shift: Any) -> bool:
    return all(isinstance(s, int | np.integer) for s in (shift if several(shift) else (shift,)))


def roll(a: Any, shift: Any, axis: int | Sequence[int] | None = None) -> Any:
    """The elements moved along axes, those that leave at the end coming in at the start: `jax.numpy.roll`.

    By default they are moved as if the array had one dimension.  The shift may be traced.
    """
    if isinstance(shift, Array) and (known := known_values(shift)) is not None and kind_of(shift) in "iu":
        shift = known.tolist()
    elif not isinstance(shift, Array | str | slice | None) and not _are_ints(shift):
        from arraytyping.numpy.conversion import asarray

        shift = asarray(shift)
    return _roll(a, shift, axis)
