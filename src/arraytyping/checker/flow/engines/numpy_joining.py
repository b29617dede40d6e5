"""The shapes of NumPy's functions that join arrays into one, or split one into several."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.engines.numpy_arguments import Arguments, rule, same_dtype
from arraytyping.checker.flow.engines.numpy_array_likes import list_size, shape_of
from arraytyping.checker.flow.engines.numpy_statics import members_of
from arraytyping.checker.flow.values import ArrayValue, ListValue, NumPyValue, Value
from arraytyping.semantics.avals import UNKNOWN
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.shapes.joining import (
    arranged,
    arranged_rows,
    concatenated,
    concatenated_rows,
    stacked,
    stacked_rows,
)
from arraytyping.semantics.rules.shapes.splitting import parts, section_sizes, sliced_sizes, unstacked

__all__: list[str] = []

_MOST: Final = 4096
"""The most parts that are listed one by one."""


@rule("append")
def _append(a: Arguments) -> Value:
    return concatenated("append", [a.operand("arr"), a.operand("values")], a.axis())


@rule("concatenate", "concat")
def _concatenate(a: Arguments) -> Value:
    axis = a.axis(default=0)
    if isinstance(a.first, NumPyValue | ArrayValue):
        shape = shape_of(a.first)
        return concatenated_rows(a.name, shape, axis) if shape else None
    shapes = members_of(a.first)
    return None if shapes is None else concatenated(a.name, shapes, axis)


@rule("stack")
def _stack(a: Arguments) -> Value:
    value, axis = a.first, a.axis(default=0)
    if isinstance(value, NumPyValue | ArrayValue):
        shape = shape_of(value)
        return stacked_rows("stack", shape, axis) if shape else None
    shapes = members_of(value)
    if shapes is None:
        return None
    is_open = isinstance(value, ListValue) and value.items is None
    return stacked("stack", shapes, axis, list_size(value) if is_open else len(shapes))


@rule("vstack", "row_stack", "hstack", "dstack", "column_stack")
def _arranged(a: Arguments) -> Value:
    name = "vstack" if a.name == "row_stack" else a.name
    if isinstance(a.first, NumPyValue | ArrayValue):
        shape = shape_of(a.first)
        return concatenated_rows(name, *arranged_rows(name, shape)) if shape else None
    shapes = members_of(a.first)
    return (
        None if shapes is None else concatenated(name, *arranged(name, shapes)) if shapes else concatenated(name, [], 0)
    )


@rule("split", "array_split", "hsplit", "vsplit", "dsplit", dtype=same_dtype, sequence=ListValue)
def _split(a: Arguments) -> Value:
    shape = a.operand("ary")
    rank = None if shape is None else len(shape)
    axis = a.axis(default=0)
    if a.name in ("hsplit", "vsplit", "dsplit"):
        axis = {"hsplit": UNKNOWN if rank is None else int(rank != 1), "vsplit": 0, "dsplit": 2}[a.name]
    number = None if axis is None else canonicalize_axis(a.name, axis, rank)
    size = None if shape is None or number is None else shape[number]
    sections = a.static("indices_or_sections")
    if isinstance(sections, int) and 1 <= sections <= _MOST:
        return parts(shape, number, section_sizes(a.name, size, sections))
    if isinstance(sections, tuple):
        return parts(shape, number, sliced_sizes(a.name, size, sections))
    return None


@rule("unstack", dtype=same_dtype, sequence=tuple)
def _unstack(a: Arguments) -> Value:
    if (axis := a.axis(default=0)) is None:
        return None
    count, shape = unstacked("unstack", a.operand(), axis)
    return [shape] * count if isinstance(count, int) and count <= _MOST else None
