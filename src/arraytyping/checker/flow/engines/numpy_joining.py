"""The shapes of NumPy's functions that join arrays into one, or split one into several."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, Final

from arraytyping.checker.flow.engines.numpy_arguments import (
    Arguments,
    Refused,
    Unknowable,
    axis_of,
    index_of,
    known_shape,
    rule,
    same_dtype,
)
from arraytyping.checker.flow.engines.numpy_index_shapes import slice_dim
from arraytyping.checker.flow.engines.numpy_reductions import reduced
from arraytyping.checker.flow.values import ListValue, NumPyValue
from arraytyping.semantics.avals import Dim, Shape, shape_tuple_str
from arraytyping.semantics.sizes.dims import add_dims, any_differ, divide_dim, divides_never, known_dim, multiply_dims

__all__ = ["items_of"]

_MOST: Final = 4096
"""The most parts that are listed one by one."""


def items_of(value: Any) -> list[Any]:
    """The arrays of a list or tuple, or along the first dimension of an array.

    Raises:
        Unknowable: if their number is not known.
    """
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, ListValue):
        if value.items is None:
            raise Unknowable
        return list(value.items)
    if isinstance(value, NumPyValue) and value.shape and isinstance(value.shape[0], int) and value.shape[0] <= 1024:
        return [NumPyValue(value.shape[1:], value.dtype)] * value.shape[0]
    raise Unknowable


@rule("append")
def _append(a: Arguments) -> Any:
    axis = a.exact("axis")
    first, second = a.shape("arr"), a.shape("values")
    if axis is None:
        return (add_dims([multiply_dims(first), multiply_dims(second)]),)
    return _joined([first, second], axis)


def _joined(shapes: list[Shape], axis: int) -> Shape:
    first = shapes[0]
    if any(len(s) != len(first) for s in shapes):
        ranks = " and ".join(shape_tuple_str(s) for s in shapes[:6])
        raise Refused("array-shape", f"ValueError: arrays of different ranks cannot be concatenated: {ranks}")
    axis = axis_of(axis, len(first))
    result: list[Dim] = []
    for i, column in enumerate(zip(*shapes)):
        if i == axis:
            result.append(add_dims(list(column)))
        else:
            result.append(_same(list(column), shapes))
    return tuple(result)


def _same(column: list[Dim], shapes: list[Shape]) -> Dim:
    if any_differ(column):
        text = " and ".join(shape_tuple_str(s) for s in shapes[:6])
        raise Refused("array-shape", f"ValueError: all dimensions but the joined one must match exactly, got {text}")
    return known_dim(column)


@rule("concatenate", "concat")
def _concatenate(a: Arguments) -> Any:
    axis = a.exact("axis", 0)
    shapes = _shapes(a)
    return (add_dims([multiply_dims(s) for s in shapes]),) if axis is None else _joined(shapes, axis)


def _shapes(a: Arguments) -> list[Shape]:
    value = a.first
    if isinstance(value, ListValue) and value.items is None:
        shape = known_shape(value.element)
        axis = a.exact("axis", 0)
        if axis is None or not shape:
            return [(None,)]
        at = axis_of(axis, len(shape)) if a.name in ("concatenate", "concat") else 0
        return [tuple(None if i == at else d for i, d in enumerate(shape))]
    shapes = [known_shape(v) for v in items_of(value)]
    if not shapes:
        raise Refused("array-shape", "ValueError: need at least one array to concatenate")
    return shapes


@rule("stack")
def _stack(a: Arguments) -> Any:
    value = a.first
    if isinstance(value, ListValue) and value.items is None:
        shape = known_shape(value.element)
        count: Dim = None
    elif isinstance(value, NumPyValue):
        count, *rest = known_shape(value)
        shape = tuple(rest)
    else:
        shapes = [known_shape(v) for v in items_of(value)]
        count = len(shapes)
        if not shapes or any(len(s) != len(shapes[0]) for s in shapes):
            raise Refused("array-shape", "ValueError: all input arrays must have the same shape")
        shape = tuple(_same(list(column), shapes) for column in zip(*shapes))
    axis = axis_of(a.exact("axis", 0), len(shape) + 1)
    return (*shape[:axis], count, *shape[axis:])


@rule("vstack", "row_stack", "hstack", "dstack", "column_stack")
def _stacks(a: Arguments) -> Any:
    value = a.first
    unknown_number = isinstance(value, ListValue) and value.items is None
    shapes = [known_shape(value.element)] if unknown_number else [known_shape(v) for v in items_of(value)]
    if not shapes:
        raise Refused("array-shape", "ValueError: need at least one array to concatenate")
    if a.name in ("vstack", "row_stack"):
        shapes, axis = [(1,) * (2 - len(s)) + s for s in shapes], 0
    elif a.name == "hstack":
        shapes = [s or (1,) for s in shapes]
        axis = 0 if len(shapes[0]) == 1 else 1
    elif a.name == "dstack":
        shapes = [((1, 1, 1), (1, *s, 1), (*s, 1), s)[len(s)] if len(s) < 3 else s for s in shapes]
        axis = 2
    else:
        shapes, axis = [(s or (1,)) + (1,) if len(s) < 2 else s for s in shapes], 1
    joined = _joined(shapes, axis)
    return tuple(None if i == axis else d for i, d in enumerate(joined)) if unknown_number else joined


@rule("split", "array_split", "hsplit", "vsplit", "dsplit", dtype=same_dtype, sequence=ListValue)
def _split(a: Arguments) -> Any:
    shape = a.shape("ary")
    at = {"hsplit": 0 if len(shape) == 1 else 1, "vsplit": 0, "dsplit": 2}.get(a.name)
    axis = a.axis(len(shape), default=0) if at is None else axis_of(at, len(shape))
    assert axis is not None
    sections = a.exact("indices_or_sections")
    dim = shape[axis]
    if isinstance(sections, int):
        if sections < 1 or sections > _MOST:
            raise Unknowable
        if a.name != "array_split" and divides_never(sections, dim):
            raise Refused("array-shape", "ValueError: array split does not result in an equal division")
        # Without a rest all parts are equal; otherwise the first ones have one more.
        extra = [sections - 1 - i if a.name == "array_split" else 0 for i in range(sections)]
        parts = [divide_dim(add_dims((dim, more)), sections) for more in extra]
    else:
        if not isinstance(sections, Iterable):
            raise Unknowable
        cuts = [None, *map(index_of, sections), None]
        parts = [slice_dim(dim, slice(*p)) for p in itertools.pairwise(cuts)]
    return [(*shape[:axis], p, *shape[axis + 1 :]) for p in parts]


@rule("unstack", dtype=same_dtype, sequence=tuple)
def _unstack(a: Arguments) -> Any:
    shape = a.shape()
    axis = a.axis(len(shape), default=0)
    assert axis is not None
    count = shape[axis]
    if not isinstance(count, int):
        raise Unknowable
    return [reduced(shape, (axis,), False)] * count
