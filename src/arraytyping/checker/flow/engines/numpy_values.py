"""Between values of flow and NumPy's objects: results come in, and dummies go out for what is not known.

NumPy is imported only when the program handles a NumPy array.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    Value,
    is_concrete,
    remake_tuple,
    walk,
)
from arraytyping.semantics.avals import Shape, size_of

__all__ = [
    "FILLS",
    "KEPT",
    "MOST",
    "NotConcrete",
    "NotPossible",
    "contains_traced",
    "describe",
    "dtype_name",
    "dummy",
    "concrete",
    "from_array",
    "host_dtype",
    "instantiate",
    "is_key",
    "real_dtype",
    "walk_array_like",
]

KEPT: Final = 200_000
"""Arrays of more elements are known by shape and dtype only."""

MOST: Final = 200_000
"""Dummies of more elements are not made."""

FILLS: Final = ("ones", "diagonal", "mixed", "zeros")
"""What dummies are filled with, one after the other, so that no refusal is due to the elements."""

_SAMPLES: Final[dict[str, dict[type, Any]]] = {
    "ones": {bool: True, int: 1, float: 1.0, complex: 1j},
    "diagonal": {bool: True, int: 1, float: 0.5, complex: 0.5j},
    "mixed": {bool: False, int: 2, float: 0.25, complex: 1 + 1j},
    "zeros": {bool: False, int: 0, float: 0.0, complex: 0j},
}


class NotConcrete(Exception):
    """A value is not a concrete one."""


class NotPossible(Exception):
    """No dummy can stand for a value: a size, a dtype or a number of items is not known."""


def dtype_name(dtype: Any) -> str | None:
    """The name of a dtype of NumPy or ml_dtypes; None for a structured one."""
    if dtype.names is not None or dtype.subdtype is not None:
        return None
    name: str = dtype.str if dtype.kind in "SU" or dtype.type.__name__ == "void" else dtype.name
    return name


@functools.cache
def real_dtype(name: str) -> Any:
    """NumPy's dtype of this name.

    Raises:
        NotPossible: if it has none, such as that of typed keys.
    """
    import numpy as np

    try:
        import ml_dtypes
    except ImportError:
        ml_dtypes = None  # type: ignore[assignment]
    try:
        return np.dtype(name)
    except TypeError:
        if hasattr(ml_dtypes, name):
            return np.dtype(getattr(ml_dtypes, name))
        raise NotPossible from None


def from_array(obj: Any) -> NumPyValue:
    """The value that a real array or NumPy scalar is."""
    import numpy as np

    data = None
    if obj.size <= KEPT and obj.dtype != object:
        data = np.asarray(obj)
    return NumPyValue(tuple(obj.shape), dtype_name(obj.dtype), isinstance(obj, np.generic), data)


def describe(it: Interpreter, result: Value, is_known: bool) -> Value:
    """The value that a real result stands for; without its elements and numbers, if it was made of dummies."""
    import numpy as np

    if isinstance(result, np.ndarray | np.generic):
        if isinstance(result, np.ndarray) and type(result) is not np.ndarray:
            return it.unknown("a subclass of NumPy's array")
        value = from_array(result)
        if not is_known:
            value.data = None
            if value.dtype == "object" or (value.dtype is not None and value.dtype[1:2] in "SU"):
                value.dtype = None
        return value
    if isinstance(result, tuple):
        return remake_tuple(result, [describe(it, r, is_known) for r in result])
    if isinstance(result, list):
        return ListValue([describe(it, r, is_known) for r in result])
    if result is None or isinstance(result, np.dtype | type) or type(result).__name__ in ("finfo", "iinfo"):
        return result
    if type(result) in (bool, int, float, complex, str, bytes):
        return result if is_known else ScalarValue(type(result), is_data=True)
    if isinstance(result, slice | range) and is_known:
        return result
    return it.unknown(f"a result of NumPy: {type(result).__name__}")


def concrete(value: Value) -> Any:
    """The real object that a value is.

    Raises:
        NotConcrete: if it is no concrete one.
    """
    if isinstance(value, NumPyValue):
        if value.data is None:
            raise NotConcrete
        return value.data[()] if value.is_scalar else value.data
    if isinstance(value, tuple):
        return remake_tuple(value, [concrete(v) for v in value])
    if isinstance(value, ListValue):
        if value.items is None or value.kind is not list:
            raise NotConcrete
        return [concrete(v) for v in value.items]
    if isinstance(value, DictValue):
        if value.items is None:
            raise NotConcrete
        return {k: concrete(v) for k, v in value.items.items()}
    if isinstance(value, slice):
        return slice(concrete(value.start), concrete(value.stop), concrete(value.step))
    if not is_concrete(value):
        raise NotConcrete
    return value


def dummy(shape: Shape, dtype: Any, fill: str) -> Any:
    """An array of this shape and dtype.

    Raises:
        NotPossible: if a size is unknown or the array would be too large.
    """
    import numpy as np

    size = size_of(shape)
    if size is None or not all(isinstance(d, int) for d in shape) or size > MOST:
        raise NotPossible
    sizes: Any = shape
    if fill == "zeros" or dtype.kind in "OSUMm":
        return np.zeros(sizes, dtype)
    if fill == "diagonal" and len(shape) >= 2:
        return np.broadcast_to(np.eye(sizes[-2], sizes[-1]).astype(dtype), sizes)
    if fill == "mixed":
        return (np.arange(size) % 7 * 0.125).reshape(sizes).astype(dtype)
    return np.ones(sizes, dtype)


def instantiate(value: Value, fill: str, made: list[Value] | None = None) -> Value:
    """A real object that stands for a value; `made` collects the values of arrays and their dummies.

    Raises:
        NotPossible: if none does.
    """
    if isinstance(value, NumPyValue):
        if value.data is not None:
            return concrete(value)
        if value.shape is None or value.dtype is None or value.dtype == "object":
            raise NotPossible
        array = dummy(value.shape, real_dtype(value.dtype), fill)
        return array[()] if value.is_scalar else array
    if isinstance(value, ArrayValue):
        dtype = host_dtype(value)
        if value.aval.shape is None or dtype is None:
            raise NotPossible
        return dummy(value.aval.shape, real_dtype(dtype), fill)
    if isinstance(value, ScalarValue):
        if len(value.kinds) != 1 or value.kinds[0] not in _SAMPLES[fill]:
            raise NotPossible
        return _SAMPLES[fill][value.kinds[0]]
    if isinstance(value, tuple):
        return remake_tuple(value, [instantiate(v, fill) for v in value])
    if isinstance(value, ListValue):
        if value.items is None:
            raise NotPossible
        return [instantiate(v, fill) for v in value.items]
    try:
        return concrete(value)
    except NotConcrete:
        raise NotPossible from None


def host_dtype(value: ArrayValue) -> str | None:
    """The name of the dtype that a JAX array has as a NumPy array; None if it is not known.

    XLA knows no integers of one bit: what it computed comes back as bool, what was only put there as it was.
    """
    return None if is_key(value) or value.aval.dtype in ("int1", "uint1") else value.aval.dtype


def is_key(value: Value) -> bool:
    """Whether a value is an array of typed keys, which NumPy does not take."""
    return isinstance(value, ArrayValue) and value.is_key


_ARRAY_LIKE: Final = (tuple, ListValue, DictValue, slice)
"""What NumPy, or its dispatch to other libraries, looks into."""


def walk_array_like(value: Value) -> Iterator[Value]:
    """A value and what NumPy finds in it."""
    return walk(value, _ARRAY_LIKE)


def contains_traced(values: Any) -> ArrayValue | None:
    """A tracer among values and what is in them."""
    for value in values:
        for v in walk_array_like(value):
            if isinstance(v, ArrayValue) and v.traced:
                return v
    return None
