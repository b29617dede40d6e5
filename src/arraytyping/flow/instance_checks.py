"""Whether a value is an instance of a class, and which class it has."""

from __future__ import annotations

import abc
import functools
import sys
import types
import typing
from typing import Any, Final

from arraytyping.flow.classes import class_of_tuple, enum_class
from arraytyping.flow.engines.foreign import tree_class
from arraytyping.flow.interpreter import Interpreter
from arraytyping.flow.values import (
    MISSING,
    ArrayValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    ModuleValue,
    NumPyValue,
    PartialValue,
    ScalarValue,
    SetValue,
    TreeValue,
    Unknown,
    Value,
)
from arraytyping.swallowed import swallow

__all__ = ["class_of", "is_instance", "is_subclass"]

_REAL: Final[dict[type, type]] = {
    FunctionValue: types.FunctionType,
    BoundMethod: types.MethodType,
    PartialValue: functools.partial,
    ModuleValue: types.ModuleType,
}


def class_of(it: Interpreter, value: Any) -> Any:
    """What `type(value)` gives; MISSING if that is not known."""
    if isinstance(value, ListValue | DictValue | SetValue):
        return value.kind
    if isinstance(value, ScalarValue):
        return value.kinds[0] if len(value.kinds) == 1 else MISSING
    if isinstance(value, InstanceValue):
        return value.cls
    if isinstance(value, ClassValue):
        return type if all(type(b) is type or isinstance(b, ClassValue) for b in value.mro) else MISSING
    if isinstance(value, NumPyValue):
        return _numpy_class(value) or MISSING
    if isinstance(value, TreeValue):
        return tree_class(value)
    if isinstance(value, Value):
        return _REAL.get(type(value), MISSING)
    if isinstance(value, tuple):
        return class_of_tuple(it, value) or type(value)
    own: Any = it.engines.class_of.get(type(value), type(value))
    return own


def _numpy_class(value: NumPyValue) -> type | None:
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    if not value.is_scalar:
        found: type = numpy.ndarray
        return found
    if value.dtype is None:
        return None
    try:
        return numpy.dtype(value.dtype).type  # type: ignore[no-any-return]
    except TypeError:
        return None


def is_instance(it: Interpreter, value: Any, classes: Any) -> bool | None:
    """Whether a value is an instance of a class, or of one of several; None if that is not known."""
    return _any_of(it, value, classes, _is_instance_of_one)


def is_subclass(it: Interpreter, cls: Any, classes: Any) -> bool | None:
    """Whether a class is a subclass of one, or of one of several; None if that is not known."""
    return _any_of(it, cls, classes, _is_subclass_of_one)


def _any_of(it: Interpreter, value: Any, classes: Any, check: Any) -> bool | None:
    if isinstance(classes, types.UnionType) or typing.get_origin(classes) is typing.Union:
        classes = typing.get_args(classes)
    if isinstance(classes, tuple):
        results = [_any_of(it, value, cls, check) for cls in classes]
        return True if True in results else None if None in results else False
    if classes is None:
        classes = type(None)
    found: bool | None = check(it, value, classes)
    return found


def _is_subclass_of_one(it: Interpreter, cls: Any, other: Any) -> bool | None:
    if isinstance(cls, ClassValue):
        return _derives(cls, other)
    if isinstance(other, Value) or isinstance(cls, Value):
        return False if isinstance(other, ClassValue) and isinstance(cls, type) else None
    return _really(issubclass, cls, other)


def _really(check: Any, value: Any, cls: Any) -> bool | None:
    try:
        return bool(check(value, cls))
    except Exception as error:
        swallow(error)
        return None


def _derives(cls: ClassValue, other: Any) -> bool | None:
    """Whether a class of the program derives from another class."""
    if other is cls or cls.is_subclass(other) or other is object:
        return True
    if cls.kind == "namedtuple" and other is tuple:
        return True
    if cls.kind == "unknown" or not all(isinstance(b, ClassValue | type) or _is_harmless(b) for b in cls.mro):
        return None
    if isinstance(other, ClassValue):
        return False if other.kind != "unknown" else None
    if not isinstance(other, type):
        return None
    for base in cls.mro:
        if isinstance(base, type) and _really(issubclass, base, other):
            return True
    if "adapter" in cls.options and _is_model_class(other):
        return False
    if type(other) is not type and not _is_array_class(other):
        return None  # an abstract base class asks what there is
    if other.__module__.partition(".")[0] in ("flax", "equinox", "chex", "haiku") or "real class" in cls.options:
        return None
    return cls.kind == "namedtuple" and issubclass(tuple, other)


def _is_harmless(base: Any) -> bool:
    return base is typing.NamedTuple or getattr(typing.get_origin(base) or base, "__module__", "") in ("typing", "abc")


def _is_model_class(cls: type) -> bool:
    """Whether a class is a module of Flax or Equinox."""
    return any(b.__name__ == "Module" and b.__module__.startswith(("equinox", "flax")) for b in cls.__mro__)


def _is_array_class(cls: Any) -> bool:
    jax = sys.modules.get("jax")
    return jax is not None and cls is getattr(jax, "Array", None)


def _is_instance_of_one(it: Interpreter, value: Any, cls: Any) -> bool | None:
    if isinstance(value, Unknown) or isinstance(cls, Unknown):
        return None
    if isinstance(value, InstanceValue):
        return _derives(value.cls, cls)
    if isinstance(value, ArrayValue):
        return _is_array(value, cls)
    if isinstance(cls, ClassValue):
        if isinstance(value, tuple):
            own = class_of_tuple(it, value)
            return own is not None and own.is_subclass(cls)
        if not isinstance(value, Value) and (own := enum_class(it, value)) is not None:
            return own.is_subclass(cls)
        if isinstance(own := class_of(it, value), ClassValue):
            return own.is_subclass(cls)
        return None if isinstance(value, Value) and own is MISSING else False
    if isinstance(cls, Value):
        return None
    if isinstance(value, ScalarValue):
        results = {_really(issubclass, kind, cls) for kind in value.kinds}
        return results.pop() if len(results) == 1 else None
    if isinstance(value, ClassValue):
        return True if cls in (type, object) else None
    if isinstance(value, BoundMethod) and isinstance(cls, type) and _is_model_class(cls):
        return None  # a module's method is a module itself in Equinox
    if isinstance(value, Value):
        own_type = class_of(it, value)
        return None if own_type is MISSING else _really(issubclass, own_type, cls)
    return _really(isinstance, value, cls)


def _is_array(value: ArrayValue, cls: Any) -> bool | None:
    """Whether a JAX array is an instance: a tracer is one of `jax.Array`, too."""
    if isinstance(cls, ClassValue):
        return False
    if cls is object or _is_array_class(cls):
        return True
    if not isinstance(cls, type):
        return None
    if _is_model_class(cls):
        return False
    if cls.__module__.startswith(("jax", "chex", "flax", "equinox")):
        return True if cls.__name__ == "Tracer" and value.traced else None
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(cls, numpy.ndarray | numpy.generic):
        return False
    if isinstance(cls, abc.ABCMeta):
        return {"Number": False, "Real": False, "Integral": False, "Complex": False}.get(cls.__name__)
    return False if cls.__module__ in ("builtins", "collections", "types", "functools", "enum", "decimal") else None
