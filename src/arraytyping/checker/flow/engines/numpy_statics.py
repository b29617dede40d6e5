"""Values of flow as static arguments of the rules: numbers, sizes, sequences of shapes."""

from __future__ import annotations

import operator
from typing import Any, Final

from arraytyping.checker.flow.engines.numpy_array_likes import shape_of
from arraytyping.checker.flow.values import MISSING, ListValue, NumPyValue, ScalarValue, Value, is_concrete
from arraytyping.semantics.avals import UNKNOWN, Dim, Scalar, Shape
from arraytyping.semantics.sizes.dims import SymbolicDim, as_dim, at_least

__all__ = ["members_of", "size_of", "sizes_of", "static_of"]

_MOST: Final = 4096
"""The most numbers that are looked at one by one."""


def members_of(value: Value) -> list[Shape | None] | None:
    """The shapes of the arrays in a list or tuple; of a list of unknown length the one of all, and one unknown.

    None if the value is no such sequence.
    """
    if isinstance(value, tuple):
        return list(map(shape_of, value))
    if isinstance(value, ListValue):
        return [_element_shape(value), None] if value.items is None else list(map(shape_of, value.items))
    return None


def _element_shape(value: ListValue) -> Shape | None:
    return None if value.element is MISSING else shape_of(value.element)


def static_of(value: Any) -> Value:
    """A value as a static argument of the rules: numbers, texts and sequences of them; all else is `UNKNOWN`."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, ScalarValue):
        return _number_of(value)
    if isinstance(value, ListValue):
        return UNKNOWN if value.items is None else tuple(map(static_of, value.items))
    if isinstance(value, NumPyValue):
        return _elements_of(value)
    if isinstance(value, tuple | range):
        return tuple(map(static_of, value)) if len(value) <= _MOST else UNKNOWN
    if isinstance(value, bool) or not is_concrete(value):
        return UNKNOWN  # NumPy takes a bool for a number in some places only
    try:
        return operator.index(value)
    except TypeError:
        return UNKNOWN


def _number_of(value: ScalarValue) -> Value:
    """An integer by its name, if it has one and is a size; else what is known of it."""
    if value.kinds != (int,):
        return UNKNOWN
    dim = None if value.size is None else as_dim(value.size)
    return dim if isinstance(dim, int) or at_least(dim, 0) else Scalar("int")


def _elements_of(value: NumPyValue) -> Value:
    """The integers of an array of rank 0 or 1, each of which may be unknown."""
    if value.shape is None or len(value.shape) > 1:
        return UNKNOWN
    if value.data is not None and value.data.dtype.kind in "iu" and value.data.size <= _MOST:
        found = value.data.tolist()
        return found if isinstance(found, int) else tuple(found)
    if not value.shape:
        return Scalar("int") if (value.dtype or "").startswith(("int", "uint")) else UNKNOWN
    (count,) = value.shape
    return (UNKNOWN,) * count if isinstance(count, int) and count <= _MOST else UNKNOWN


def size_of(value: Value) -> Dim:
    """A value as one integer; None if it is not known, or none."""
    found = static_of(value)
    return found if isinstance(found, int | SymbolicDim) else None


def sizes_of(value: Value) -> Any:
    """A value as one integer or several, each of which may be `UNKNOWN`, as they all may."""
    found = static_of(value)
    if found is None or found is UNKNOWN or isinstance(found, str):
        return UNKNOWN
    return tuple(
        s if isinstance(s, int | SymbolicDim) else UNKNOWN for s in (found if isinstance(found, tuple) else (found,))
    )
