"""Between values of flow and NumPy's objects: results come in, and dummies go out for what is not known.

NumPy is imported only when the program handles a NumPy array.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any, Final

from arraytyping.avals import Dim, Shape, size_of
from arraytyping.flow.interpreter import Interpreter
from arraytyping.flow.sizes import Size, as_dim, of_dim
from arraytyping.flow.values import (
    MISSING,
    ArrayValue,
    DictValue,
    ListValue,
    NumPyValue,
    OneOf,
    ScalarValue,
    SetValue,
    Unknown,
    is_exact,
    remake_tuple,
)

__all__ = [
    "FILLS",
    "KEPT",
    "MOST",
    "NotExact",
    "NotPossible",
    "contains_traced",
    "describe",
    "dim_of",
    "dtype_name",
    "dtype_of",
    "dummy",
    "exact",
    "from_array",
    "instantiate",
    "is_key",
    "multiply",
    "real_dtype",
    "scalar_kind",
    "shape_of",
    "walk",
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


class NotExact(Exception):
    """A value is not exactly known."""


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
        ml_dtypes = None
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


def describe(it: Interpreter, result: Any, is_known: bool) -> Any:
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
        return result if is_known else ScalarValue(type(result))
    if isinstance(result, slice | range) and is_known:
        return result
    return it.unknown(f"a result of NumPy: {type(result).__name__}")


def exact(value: Any) -> Any:
    """The real object that a value is.

    Raises:
        NotExact: if it is not exactly known.
    """
    if isinstance(value, NumPyValue):
        if value.data is None:
            raise NotExact
        return value.data[()] if value.is_scalar else value.data
    if isinstance(value, tuple):
        return remake_tuple(value, [exact(v) for v in value])
    if isinstance(value, ListValue):
        if value.items is None or value.kind is not list:
            raise NotExact
        return [exact(v) for v in value.items]
    if isinstance(value, DictValue):
        if value.items is None:
            raise NotExact
        return {k: exact(v) for k, v in value.items.items()}
    if isinstance(value, slice):
        return slice(exact(value.start), exact(value.stop), exact(value.step))
    if not is_exact(value):
        raise NotExact
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


def instantiate(value: Any, fill: str, made: list[Any] | None = None) -> Any:
    """A real object that stands for a value; `made` collects the values of arrays and their dummies.

    Raises:
        NotPossible: if none does.
    """
    if isinstance(value, NumPyValue):
        if value.data is not None:
            return exact(value)
        if value.shape is None or value.dtype is None or value.dtype == "object":
            raise NotPossible
        array = dummy(value.shape, real_dtype(value.dtype), fill)
        return array[()] if value.is_scalar else array
    if isinstance(value, ArrayValue):
        if value.aval.shape is None or value.aval.dtype is None or is_key(value):
            raise NotPossible
        return dummy(value.aval.shape, real_dtype(value.aval.dtype), fill)
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
        return exact(value)
    except NotExact:
        raise NotPossible from None


def is_key(value: Any) -> bool:
    """Whether a value is an array of typed keys, which NumPy does not take."""
    return isinstance(value, ArrayValue) and value.is_key


def walk(value: Any) -> Iterator[Any]:
    """A value and what is in it."""
    yield value
    if isinstance(value, tuple):
        for v in value:
            yield from walk(v)
    elif isinstance(value, ListValue):
        for v in value.items or ():
            yield from walk(v)
        if value.items is None:
            yield from walk(value.element)
    elif isinstance(value, DictValue):
        for v in (value.items or {}).values():
            yield from walk(v)
        if value.items is None:
            yield from walk(value.element)
    elif isinstance(value, slice):
        for v in (value.start, value.stop, value.step):
            yield from walk(v)


def contains_traced(values: Any) -> ArrayValue | None:
    """A tracer among values and what is in them."""
    for value in values:
        for v in walk(value):
            if isinstance(v, ArrayValue) and v.traced:
                return v
    return None


# ------------------------------------------------------------------ what is known of an array-like


def shape_of(value: Any) -> Shape | None:
    """The shape that a value has as an array; None if the rank is not known."""
    import numpy as np

    if isinstance(value, NumPyValue):
        return value.shape
    if isinstance(value, ArrayValue):
        return value.aval.shape
    if isinstance(value, ScalarValue) or (is_exact(value) and not isinstance(value, tuple | range)):
        if isinstance(value, np.ndarray):
            return value.shape
        known = isinstance(value, ScalarValue | bool | int | float | complex | str | np.generic) or value is None
        return () if known else None
    if isinstance(value, range):
        return (len(value),)
    if isinstance(value, ListValue | tuple):
        items = list(value) if isinstance(value, tuple) else value.items
        if items is None:
            assert isinstance(value, ListValue)
            inner = None if value.element is MISSING else shape_of(value.element)
            return None if inner is None else (None, *inner)
        if not items:
            return (0,)
        shapes = [shape_of(v) for v in items]
        first = shapes[0]
        if first is None or any(s is None or len(s) != len(first) for s in shapes):
            return None
        # Each row has the same shape, or NumPy refuses: what one row knows holds for all.
        dims = tuple(next((d for d in column if isinstance(d, int)), column[0]) for column in zip(*shapes))  # type: ignore[arg-type]
        return (len(items), *dims)
    return None


def dtype_of(value: Any) -> str | None:
    """The name of the dtype that a value has as an array; None if it is not known."""
    import numpy as np

    if isinstance(value, NumPyValue):
        return value.dtype
    if isinstance(value, ArrayValue):
        return None if is_key(value) else value.aval.dtype
    if isinstance(value, ScalarValue | OneOf | Unknown | SetValue | DictValue):
        kind = scalar_kind(value)
        return None if kind is None else dtype_name(np.asarray(kind(1)).dtype)
    if isinstance(value, bool | float | complex):
        return dtype_name(np.asarray(value).dtype)
    if isinstance(value, ListValue | tuple):
        items = list(value) if isinstance(value, tuple) else value.items
        if items is None:
            assert isinstance(value, ListValue)
            items = [value.element]
        elif not items:
            return "float64"
        names = [None if v is MISSING else dtype_of(v) for v in items]
        if None in names:
            return None
        try:
            # np.asarray sees only strong types in a list: each item has the dtype that it has by itself.
            return dtype_name(functools.reduce(np.promote_types, [real_dtype(n) for n in names if n is not None]))
        except (TypeError, NotPossible):
            return None
    try:
        made = np.asarray(exact(value))
    except (NotExact, ValueError, TypeError, OverflowError):
        return None
    return dtype_name(made.dtype) if made.dtype != object else None


def scalar_kind(value: Any) -> type | None:
    """The one numeric type of a Python scalar; None for others."""
    if isinstance(value, ScalarValue):
        return value.kinds[0] if len(value.kinds) == 1 and value.kinds[0] in _SAMPLES["ones"] else None
    return type(value) if type(value) in _SAMPLES["ones"] else None


def dim_of(value: Any) -> Dim:
    """The size that an argument names; None if it is not known.

    Raises:
        NotPossible: if it is no size at all.
    """
    if isinstance(value, bool):
        return int(value)
    if type(value) is int:
        return value
    if isinstance(value, ScalarValue) and (int in value.kinds or bool in value.kinds):
        return None if value.size is None else as_dim(value.size)
    if isinstance(value, NumPyValue) and value.shape in ((), None):
        return int(value.data) if value.data is not None and value.data.dtype.kind in "iu" else None
    if isinstance(value, ArrayValue | Unknown | OneOf):
        return None
    if hasattr(value, "__index__"):
        return int(value.__index__())
    raise NotPossible


def multiply(dims: Any) -> Dim:
    """The product of sizes; None if it is not known."""
    dims = list(dims)
    if all(isinstance(d, int) for d in dims):
        return math.prod(dims)
    if 0 in dims:
        return 0
    total = Size({(): 1})
    for d in dims:
        size = of_dim(d)
        if size is None:
            return None
        total = total * size
    return as_dim(total)
