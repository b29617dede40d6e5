"""Concrete objects of Python and of libraries: where they are from, what values they are, and their attributes."""

from __future__ import annotations

import types
from typing import Any, Final

from arraytyping.checker.flow.engines import numpy as numpy_engine
from arraytyping.checker.flow.engines.conversion import number_from_jax
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.real_calls.own_names import stands_alone
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.stateful import is_stateful_class
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BaseValue,
    DictValue,
    IteratorValue,
    ListValue,
    SetValue,
    Value,
)
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import ShapedArray

__all__ = ["from_concrete", "from_python", "library_attribute", "package_of"]

_INNARDS: Final = frozenset({
    "__globals__", "__builtins__", "__closure__", "__code__", "__func__", "__loader__", "__spec__", "__subclasses__",
    "f_globals", "f_locals", "gi_frame", "tb_frame", "__reduce__", "__reduce_ex__", "__init_subclass__",
})  # fmt: skip
"""Attributes that lead from an object to what a library keeps to itself."""

_ITERATORS: Final = frozenset({
    "dict_keys", "dict_values", "dict_items", "map", "zip", "enumerate",
    "reversed", "filter", "list_iterator", "generator", "tuple_iterator",
})  # fmt: skip
"""The types of Python's own iterators and views, by their names."""


_PLAIN: Final = frozenset({int, str, bool, float, type(None), complex, bytes})
_OF_THEMSELVES: Final = (bool, str, bytes, type)


def from_python(engines: Together, value: Any) -> Value:
    """The value of a concrete object that Python or a library gives."""
    if type(value) in _PLAIN or isinstance(value, _OF_THEMSELVES):
        return value
    if isinstance(value, BaseValue):
        return value
    if isinstance(value, tuple):
        if type(value) is tuple:
            return tuple(map(engines.from_python, value))
        return value
    if type(value) is list:
        return ListValue([engines.from_python(v) for v in value])
    if type(value) is dict:
        return DictValue({k: engines.from_python(v) for k, v in value.items()})
    if type(value) in (set, frozenset):
        return SetValue(dict.fromkeys(value), kind=type(value))
    kind = type(value).__module__.partition(".")[0]
    if kind in ("numpy", "ml_dtypes") and hasattr(value, "dtype") and hasattr(value, "shape"):
        return numpy_engine.from_array(value)
    if engines.has_jax and engines.jax.is_array(value):
        return from_concrete(engines, value)
    if engines.has_jax and engines.jax.is_symbolic(value):
        return number_from_jax(engines.jax, value)
    if type(value).__name__ in _ITERATORS:
        return IteratorValue([engines.from_python(v) for v in value])
    return value


def from_concrete(engines: Together, value: Value) -> ArrayValue:
    """The value of an array that a library holds."""
    aval = engines.jax.aval(value)
    described = ShapedArray(tuple(aval.shape), engines.jax.dtype_name(aval.dtype), bool(aval.weak_type))
    return ArrayValue(described).at(engines.jax.place(aval))


def library_attribute(engines: Together, it: Interpreter, value: Any, name: str) -> Value:
    """An attribute of a concrete object; MISSING if it has none."""
    if name in _INNARDS or (
        isinstance(value, types.ModuleType) and value.__name__.startswith("arraytyping.checker.flow")
    ):
        return it.unknown(f"attribute {name}, which is not looked at")
    if type(value).__module__.partition(".")[0] in ("ctypes", "_ctypes"):
        return it.unknown("an attribute of a library that is loaded at run time")
    if is_stateful_class(type(value)):
        return engines.objects.attribute(it, value, name, it.chain[-1][2] if it.chain else None)
    try:
        found = getattr(value, name)
    except AttributeError:
        if isinstance(value, types.ModuleType):
            return it.importer.library_submodule(it, value.__name__, name)
        if not isinstance(value, type) and hasattr(type(value), "__getattr__"):
            return it.unknown(f"attribute {name} of a library's object, which makes it up")
        return MISSING
    except Exception as error:
        swallow(error)
        return it.unknown(f"attribute {name} of a library's object")
    if isinstance(found, types.ModuleType) and it.importer.stands_in(found.__name__):
        return it.importer.library_submodule(it, value.__name__, name)
    stands = it.registry.find_object(found)
    is_table = stands is None and type(found) is dict and isinstance(value, types.ModuleType)
    if is_table and (value.__name__.startswith("jax") or any(isinstance(key, type) for key in found)):
        return it.unknown("a table of a library, which programs may add to")
    return engines.from_python(found) if stands is None else stands(it)


def package_of(function: Any) -> str:
    """The package of a function, class or object of a library."""
    module = getattr(function, "__module__", None)
    if not isinstance(module, str):
        module = getattr(type(function), "__module__", "") or ""
    if module in ("builtins", "") and getattr(function, "__self__", None) is not None:
        owner = function.__self__
        module = owner.__name__ if isinstance(owner, types.ModuleType) else type(owner).__module__
    package = module.partition(".")[0]
    is_own = package == "arraytyping" and not module.startswith("arraytyping.checker")
    return "jax" if is_own and stands_alone() else package
