"""What is known of a value as an array: its shape, its dtype, and the size that it names."""

from __future__ import annotations

import functools
from typing import Final

from arraytyping.checker.flow.engines.numpy_values import (
    NotConcrete,
    NotPossible,
    concrete,
    dtype_name,
    host_dtype,
    real_dtype,
)
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    DictValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    SetValue,
    UnionValue,
    Unknown,
    Value,
    is_concrete,
)
from arraytyping.semantics.avals import Dim, Shape
from arraytyping.semantics.sizes.dims import as_dim

__all__ = ["dim_of", "dtype_of", "list_size", "scalar_kind", "shape_of"]

_NUMBERS: Final = (bool, int, float, complex)


def list_size(value: ListValue) -> Dim:
    """How many items a list has of which they are not known one by one; None if nobody knows that."""
    return None if value.length is None else as_dim(value.length)


def shape_of(value: Value) -> Shape | None:
    """The shape that a value has as an array; None if the rank is not known."""
    import numpy as np

    if isinstance(value, NumPyValue):
        return value.shape
    if isinstance(value, ArrayValue):
        return value.aval.shape
    if isinstance(value, ScalarValue) or (is_concrete(value) and not isinstance(value, tuple | range)):
        if isinstance(value, np.ndarray):
            return tuple(value.shape)
        known = isinstance(value, ScalarValue | bool | int | float | complex | str | np.generic) or value is None
        return () if known else None
    if isinstance(value, range):
        return (len(value),)
    if isinstance(value, ListValue | tuple):
        items = list(value) if isinstance(value, tuple) else value.items
        if items is None:
            assert isinstance(value, ListValue)
            inner = None if value.element is MISSING else shape_of(value.element)
            if inner is None or (inner and not value.has_items):
                return None  # an empty list has one dimension, whatever is put in
            return (list_size(value), *inner)
        if not items:
            return (0,)
        shapes = [shape_of(v) for v in items]
        first = shapes[0]
        if first is None or any(s is None or len(s) != len(first) for s in shapes):
            return None
        # Each row has the same shape, or NumPy refuses: what one row knows holds for all.
        dims = tuple(next((d for d in column if isinstance(d, int)), column[0]) for column in zip(*shapes))
        return (len(items), *dims)
    return None


def dtype_of(value: Value) -> str | None:
    """The name of the dtype that a value has as an array; None if it is not known."""
    import numpy as np

    if isinstance(value, NumPyValue):
        return value.dtype
    if isinstance(value, ArrayValue):
        return host_dtype(value)
    if isinstance(value, ScalarValue | UnionValue | Unknown | SetValue | DictValue):
        # One that may be NumPy's is of the dtype that NumPy makes of Python's.
        kind = scalar_kind(value.of_python if isinstance(value, ScalarValue) else value)
        return None if kind is None else dtype_name(np.asarray(kind(1)).dtype)
    if isinstance(value, bool | float | complex):
        return dtype_name(np.asarray(value).dtype)
    if isinstance(value, ListValue | tuple):
        items = list(value) if isinstance(value, tuple) else value.items
        if items is None:
            assert isinstance(value, ListValue)
            element = None if value.element is MISSING else dtype_of(value.element)
            return element if value.has_items or element == "float64" else None  # which an empty list has
        if not items:
            return "float64"
        names = [None if v is MISSING else dtype_of(v) for v in items]
        if None in names:
            return None
        try:
            # np.asarray sees only strong types in a list: each item has the dtype that it has by itself.
            return dtype_name(functools.reduce(np.promote_types, [real_dtype(n) for n in names if n is not None]))
        except (TypeError, NotPossible):
            return None
    if isinstance(value, range) and value[2:]:
        value = value[0], value[-1]  # each int is between these
    try:
        made = np.asarray(concrete(value))
    except (NotConcrete, ValueError, TypeError, OverflowError):
        return None
    return dtype_name(made.dtype) if made.dtype != object else None


def scalar_kind(value: Value) -> type | None:
    """The one numeric type of a Python scalar; None for others."""
    if isinstance(value, ScalarValue):
        return value.kinds[0] if len(value.kinds) == 1 and value.kinds[0] in _NUMBERS else None
    return type(value) if type(value) in _NUMBERS else None


def dim_of(value: Value) -> Dim:
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
    if isinstance(value, ArrayValue | Unknown | UnionValue):
        return None
    if hasattr(value, "__index__"):
        return int(value.__index__())
    raise NotPossible
