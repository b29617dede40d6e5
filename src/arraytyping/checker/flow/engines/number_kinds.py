"""Numbers that may be Python's or NumPy's: of what an operation gives for either, what both agree in is known.

Shapes are the same for both.  Dtypes may differ: of an int8 array and the `np.int64(2)` comes an array of int32.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    ArrayValue,
    AtValue,
    DictValue,
    IteratorValue,
    ListValue,
    NumPyValue,
    OfNumPy,
    ScalarValue,
    UnionValue,
    Value,
    mapped,
)
from arraytyping.checker.flow.values.walking import walk
from arraytyping.semantics.avals import ShapedArray

__all__ = ["as_of_python", "for_either", "may_be_of_numpy"]

_SORTS: Final = ("int8", "int64", "uint64")
"""Dtypes of NumPy's ints whose results, with those of Python's, have the results of all others between them.

Promotion is a join in a lattice, where the others lie between these.  Only the floats that come of ints do not follow
from that: those of ints of 64 bits and of others differ.
"""
_OTHERS: Final = {float: "float64", complex: "complex128"}
_CONTAINERS: Final = (tuple, ListValue, IteratorValue, DictValue, UnionValue, slice)


def may_be_of_numpy(values: list[Value]) -> bool:
    """Whether among these values, or in containers, there is a number that may be one of NumPy's."""
    return any(
        type(value) is ScalarValue and OfNumPy in value.kinds
        for one in values
        if isinstance(one, (ScalarValue, AtValue, *_CONTAINERS))
        for value in walk(one.index if isinstance(one, AtValue) else one, _CONTAINERS)
    )


def as_of_python(value: Value) -> Value:
    """The value with numbers of Python in the place of those that may be NumPy's."""
    return _with(value, lambda number: number.of_python)


def for_either(it: Interpreter, values: list[Value], perform: Callable[[list[Value]], Value]) -> Value:
    """What comes of values among which are such numbers, where `perform` says what comes of others in their place."""
    found = perform(list(map(as_of_python, values)))
    for dtype in _SORTS:
        mark = it.journal.mark
        with it.quietly():
            other = perform([_with(value, functools.partial(_of_numpy, dtype)) for value in values])
        it.journal.undo(mark)
        found = _agreed(it, found, other)
    return found


def _with(value: Value, change: Callable[[ScalarValue], Value]) -> Value:
    if type(value) is ScalarValue:
        return change(value) if OfNumPy in value.kinds else value
    if isinstance(value, AtValue):
        return AtValue(value.array, _with(value.index, change))
    if type(value) is slice:  # whose bounds say nothing of dtypes
        return slice(*(as_of_python(v) if type(v) is ScalarValue else v for v in (value.start, value.stop, value.step)))
    if isinstance(value, _CONTAINERS) and may_be_of_numpy([value]):
        return mapped(value, lambda part: _with(part, change))
    return value


def _of_numpy(dtype: str, number: ScalarValue) -> NumPyValue:
    """Such a number as one of NumPy's."""
    kinds = number.of_python.kinds
    return NumPyValue((), (dtype if kinds == (int,) else _OTHERS.get(kinds[0])) if len(kinds) == 1 else None, True)


def _agreed(it: Interpreter, found: Value, other: Value) -> Value:
    """What is known of a result, as far as another one agrees; shapes are those of the first."""
    if isinstance(found, ArrayValue):
        aval = found.aval
        dtype, weak = (other.aval.dtype, other.aval.weak_type) if isinstance(other, ArrayValue) else (None, None)
        if dtype is not None and dtype == aval.dtype and weak is aval.weak_type:
            return found
        made = found.another()
        same = dtype is not None and dtype == aval.dtype
        made.aval = ShapedArray(aval.shape, aval.dtype if same else None, None)
        made.real, made.key = None, found.key if same else None
        return made
    if isinstance(found, NumPyValue):
        if isinstance(other, NumPyValue) and other.dtype == found.dtype and other.is_scalar is found.is_scalar:
            return found
        return NumPyValue(found.shape, None, origin=found.origin) if not found.is_scalar else it.unknown(_WHY)
    if isinstance(found, ScalarValue):
        is_same = isinstance(other, ScalarValue) and other.kinds == found.kinds
        return (
            found if is_same else ScalarValue(*found.of_python.kinds, OfNumPy, size=found.size, is_data=found.is_data)
        )
    if type(found) is tuple and type(other) is tuple and len(found) == len(other):
        return tuple(_agreed(it, a, b) for a, b in zip(found, other))
    if isinstance(found, ListValue) and isinstance(other, ListValue) and found.items is not None:
        if other.items is None or len(found.items) != len(other.items):
            return it.unknown(_WHY)
        found.items = [_agreed(it, a, b) for a, b in zip(found.items, other.items)]
        return found
    return found if not _holds_arrays(found) else it.unknown(_WHY)


_WHY: Final = "what hangs on whether a number is Python's or NumPy's"


def _holds_arrays(value: Value) -> bool:
    return any(isinstance(v, ArrayValue | NumPyValue | ScalarValue) for v in walk(value))
