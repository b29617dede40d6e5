"""What several answers say together, each of a function that was asked with other arrays."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    DictValue,
    ListValue,
    NumPyValue,
    OpenTree,
    TreeValue,
    Unknown,
    Value,
    mapped,
    walk,
)
from arraytyping.semantics.avals import ShapedArray

__all__ = ["agreed", "is_no_part", "without_shapes", "without_sizes"]


def is_no_part(value: Value) -> bool:
    """Whether it is not known well enough that anything can be put in its place."""
    return isinstance(value, Unknown) and (type(value) is not OpenTree or value.leaf is None)


def agreed(first: Value, second: Value) -> Value:
    """The first answer with what both say of dtypes; MISSING if they have another structure."""
    if MISSING in (first, second):
        return MISSING
    others = list(walk(second))
    if len(others) != len(list(walk(first))) or type(first) is not type(second):
        return MISSING
    waiting = iter(others)

    def change(value: Value) -> Value:
        other = next(waiting)
        if isinstance(value, ArrayValue) and isinstance(other, ArrayValue):
            if value.aval == other.aval:
                return value
            is_same = value.aval.dtype == other.aval.dtype
            weak = value.aval.weak_type if is_same and value.aval.weak_type is other.aval.weak_type else None
            shape = value.aval.shape if value.aval.shape == other.aval.shape else None
            return ArrayValue(ShapedArray(shape, value.aval.dtype if is_same else None, weak), value.traced)
        if isinstance(value, OpenTree) and isinstance(other, OpenTree):
            leaf: Any = change(value.leaf)
            return value.of(leaf) if leaf.aval.dtype is not None else Unknown(value.why)
        return mapped(value, change) if isinstance(value, tuple | ListValue | DictValue | TreeValue) else value

    return change(first)


def without_sizes(value: Value) -> Value:
    """An answer of which the sizes mean nothing."""
    if isinstance(value, ArrayValue) and (shape := value.aval.shape) is not None:
        aval = value.aval
        return ArrayValue(ShapedArray((None,) * len(shape), aval.dtype, aval.weak_type), value.traced)
    if isinstance(value, tuple | ListValue | DictValue | TreeValue):
        return mapped(value, without_sizes)
    return without_shapes(value)


def without_shapes(value: Value) -> Value:
    """An answer of which the shapes mean nothing."""
    if isinstance(value, ArrayValue):
        return ArrayValue(ShapedArray(None, value.aval.dtype, value.aval.weak_type), value.traced)
    if isinstance(value, NumPyValue):
        return NumPyValue(None, value.dtype)
    if isinstance(value, tuple | ListValue | DictValue | TreeValue | OpenTree):
        return mapped(value, without_shapes)
    return (
        value if value is None or isinstance(value, bool | str) else Unknown("what hangs on a shape that is not known")
    )
