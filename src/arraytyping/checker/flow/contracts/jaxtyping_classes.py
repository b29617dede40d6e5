"""jaxtyping's classes, `jax.Array` and `numpy.ndarray`, recognized without importing anything.

What jaxtyping makes of `Float32[Array, "b d"]` is a real class, which says its array type, dtypes and dimensions.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from arraytyping.basearray import Array
from arraytyping.checker.flow.contracts.expectations import ANYTHING, ArrayOf, Expectation
from arraytyping.checker.flow.contracts.grammar import parse_dims
from arraytyping.checker.flow.values import ArrayValue, NumPyValue, Value
from arraytyping.scalars import DTYPES

__all__ = [
    "array_of",
    "dtype_names",
    "holds",
    "is_array_class",
    "is_family",
    "is_jax_array",
    "is_numpy_array",
    "is_numpy_scalar",
    "is_tree",
]


def _is_meta(value: Value, name: str) -> bool:
    meta = type(value)
    return meta.__name__ == name and meta.__module__.partition(".")[0] == "jaxtyping"


def is_array_class(value: Value) -> bool:
    """Whether it is what jaxtyping makes of `Float[Array, "..."]`."""
    return _is_meta(value, "_MetaAbstractArray") and hasattr(value, "dim_str")


def is_family(value: Value) -> bool:
    """Whether it is `Float`, `Int32` or another class of dtypes."""
    return _is_meta(value, "_MetaAbstractDtype")


def is_tree(value: Value) -> bool:
    """Whether it is `PyTree`, bare or with leaves."""
    return _is_meta(value, "_MetaPyTree")


def _of_module(module: str, name: str) -> Any:
    return getattr(sys.modules.get(module), name, None)


def is_jax_array(value: Value) -> bool:
    """Whether it is the class `jax.Array`."""
    return value is not None and value is _of_module("jax", "Array")


def is_numpy_array(value: Value) -> bool:
    """Whether it is the class of NumPy's arrays."""
    return value is not None and value is _of_module("numpy", "ndarray")


def is_numpy_scalar(value: Value) -> bool:
    """Whether it is one of NumPy's scalar types."""
    generic = _of_module("numpy", "generic")
    return generic is not None and isinstance(value, type) and issubclass(value, generic)


def array_of(cls: Any) -> Expectation:
    """What a class of jaxtyping asks for."""
    if getattr(cls, "_skip_instancecheck", False):
        return ANYTHING
    dtypes = cls.dtypes if isinstance(cls.dtypes, tuple | list) else None
    if dtypes is not None and not all(isinstance(d, str | re.Pattern) for d in dtypes):
        return ANYTHING
    array = (getattr(cls.array_type, "__name__", None) or "Any").rpartition(".")[2]
    family = getattr(cls.dtype, "__name__", "Shaped")
    dims = parse_dims(cls.dim_str)
    shown = f'{family}[{array}, "{cls.dim_str}"]'
    if dtypes is None:
        wanted = "any dtype"
    elif len(dtypes) == 1:
        wanted = "a typed key" if dtypes[0] == "prng_key" else str(getattr(dtypes[0], "pattern", dtypes[0]))
    else:
        wanted = f"one of {family}"
    return ArrayOf(cls.array_type, None if dtypes is None else tuple(dtypes), dims, shown, wanted)


def dtype_names(dtype: str | None) -> tuple[str, ...] | None:
    """The names under which jaxtyping may know a dtype; None if that is not certain."""
    if dtype is None:
        return None
    if dtype.startswith("key<"):
        return ("prng_key",)
    if dtype == "bool":
        return "bool", "bool_"  # by the version of NumPy
    if dtype == "object":
        return ("object_",)
    return (dtype,) if dtype in DTYPES else None


def holds(array_type: Any, value: Value) -> bool | None:
    """Whether a value is an instance of an array type (`Any`: of whatever has a shape and dtype); None: not certain."""
    is_jax = is_jax_array(array_type)
    numpy_array = _of_module("numpy", "ndarray")
    is_numpy = numpy_array is not None and array_type is numpy_array
    is_scalar = is_numpy_scalar(array_type)
    if isinstance(value, ArrayValue):
        if array_type is Any or array_type is Array or is_jax:
            return True
        return False if is_numpy or is_scalar else None
    if isinstance(value, NumPyValue):
        if array_type is Any or (is_numpy and value.is_array):
            return True
        is_other = (is_numpy and value.is_scalar) or (is_scalar and value.is_array)
        return False if is_jax or is_other else None
    return False if array_type is Any or array_type is Array or is_jax or is_numpy else None
