"""Whether a value is an instance of a class, and which class it has."""

from __future__ import annotations

import collections.abc
import functools
import itertools
import sys
import types
import typing
from typing import Any, Final, TypeGuard

from arraytyping.basearray import Array
from arraytyping.checker.flow.engines.foreign import tree_class
from arraytyping.checker.flow.python.abstract_classes import (
    asked_methods,
    has_registered,
    is_by_inheritance,
    is_protocol,
    protocol_members,
)
from arraytyping.checker.flow.python.attributes import has
from arraytyping.checker.flow.python.enumerations import enum_class
from arraytyping.checker.flow.python.metaclasses import makes_as_type_does
from arraytyping.checker.flow.python.named_tuples import class_of_tuple, is_named_tuple
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MAY_BE_BELOW,
    MISSING,
    OPEN,
    REGISTERS,
    ArrayValue,
    BaseValue,
    BoundMethod,
    ClassUnion,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    JitValue,
    ListValue,
    MethodOf,
    ModuleValue,
    NumPyValue,
    OfNumPy,
    PartialValue,
    ScalarValue,
    SetValue,
    TreeValue,
    Unknown,
    Value,
    class_of_source,
)
from arraytyping.checker.swallowed import swallow

__all__ = ["class_of", "is_instance", "is_subclass"]

_REAL: Final[dict[type, type]] = {
    FunctionValue: types.FunctionType,
    BoundMethod: types.MethodType,
    PartialValue: functools.partial,
    ModuleValue: types.ModuleType,
}

_DESCRIPTORS: Final[dict[str, type]] = {
    "cached_property": functools.cached_property,
    "classmethod": classmethod,
    "property": property,
    "staticmethod": staticmethod,
}


def class_of(it: Interpreter, value: Value) -> Value:
    """What `type(value)` gives; MISSING if that is not known."""
    if isinstance(value, ListValue | DictValue | SetValue):
        return value.kind
    if isinstance(value, ScalarValue):
        return value.kinds[0] if len(value.kinds) == 1 else MISSING
    if isinstance(value, InstanceValue):
        return MISSING if MAY_BE_BELOW in value.cls.options else value.cls
    if isinstance(value, ClassValue):
        if (metaclass := value.options.get("metaclass")) is not None:
            return metaclass if makes_as_type_does(metaclass) else MISSING
        return type if all(map(_is_made_by_type, value.mro)) else MISSING
    if isinstance(value, NumPyValue):
        return _numpy_class(value) or MISSING
    if isinstance(value, TreeValue):
        found = tree_class(value)
        return it.engines.class_of.get(found, found)
    if isinstance(value, Descriptor):
        return _DESCRIPTORS.get(value.kind, MISSING)
    if isinstance(value, BaseValue):
        return _REAL.get(type(value), MISSING)
    if isinstance(value, tuple):
        return class_of_tuple(it, value) or type(value)
    own: Any = it.engines.class_of.get(type(value), type(value))
    return own


def _is_made_by_type(base: Value) -> bool:
    return type(base) is type or isinstance(base, ClassValue) or typing.get_origin(base) is typing.Generic


def _numpy_class(value: NumPyValue) -> type | None:
    found = _numpy_classes(value)
    return found[0] if len(found) == 1 else None


def _numpy_classes(value: NumPyValue) -> tuple[type, ...]:
    """The classes of which it may be, none if these are not known; what has no known rank may be a scalar."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return ()
    if value.is_array:
        return (numpy.ndarray,)
    if value.dtype is None:
        return ()
    try:
        scalar: type = numpy.dtype(value.dtype).type
    except TypeError:
        return ()
    return (scalar,) if value.is_scalar else (numpy.ndarray, scalar)


def is_instance(it: Interpreter, value: Value, classes: Value) -> bool | None:
    """Whether a value is an instance of a class, or of one of several; None if that is not known."""
    return _any_of(it, value, classes, _is_instance_of_one)


def is_subclass(it: Interpreter, cls: Value, classes: Value) -> bool | None:
    """Whether a class is a subclass of one, or of one of several; None if that is not known."""
    return _any_of(it, cls, classes, _is_subclass_of_one)


def _any_of(it: Interpreter, value: Value, classes: Value, check: Any) -> bool | None:
    if isinstance(classes, types.UnionType) or typing.get_origin(classes) is typing.Union:
        classes = typing.get_args(classes)
    elif isinstance(classes, ClassUnion):
        classes = classes.members
    if isinstance(classes, tuple):
        results = [_any_of(it, value, cls, check) for cls in classes]
        return True if True in results else None if None in results else False
    if classes is None:
        classes = type(None)
    origin = typing.get_origin(classes) if getattr(classes, "__module__", "") == "typing" else None
    if origin is not None and not typing.get_args(classes):  # typing.Sequence is collections.abc.Sequence
        classes = origin
    found: bool | None = check(it, value, classes)
    if found is False and (real := class_of_source(classes)) is not None:
        return check(it, value, real)  # type: ignore[no-any-return]
    registers = classes.options.get(REGISTERS) if isinstance(classes, ClassValue) else has_registered(it, classes)
    return None if found is False and registers else found


def _is_subclass_of_one(it: Interpreter, cls: Value, other: Value) -> bool | None:
    if isinstance(cls, ClassValue):
        return _derives(cls, other)
    if isinstance(other, BaseValue) or isinstance(cls, BaseValue):
        return False if isinstance(other, ClassValue) and isinstance(cls, type) else None
    return _really(issubclass, cls, other)


def _really(check: Any, value: Value, cls: Value) -> bool | None:
    try:
        return bool(check(value, cls))
    except Exception as error:
        swallow(error)
        return None


def _is_open(cls: Value) -> TypeGuard[ClassValue]:
    """Whether a class is a stand-in's, which has more than is said of it."""
    return isinstance(cls, ClassValue) and OPEN in cls.options and cls.module is not None and cls.module.is_library


def _is_written_here(cls: Value) -> bool:
    """Whether a class is one of the program or of a stand-in, which says whatever derives from it."""
    if not isinstance(cls, ClassValue) or cls.module is None or is_protocol(cls):
        return False
    return cls.module.is_program or cls.module.is_stand_in


def _has_known_bases(cls: ClassValue) -> bool:
    """Whether it derives from public classes of stand-ins, which derive from each other as those of the library do."""
    if OPEN not in cls.options or "metaclass" in cls.options:
        return False
    public = [base for base in cls.mro if _is_open(base) and not base.name.startswith("_")]
    for base in cls.mro:
        if _is_open(base):
            if not any(base in p.mro for p in public):
                return False
        elif not isinstance(base, ClassValue) and base is not object and not _is_harmless(base):
            return False
    return bool(public)


def _stands_for(cls: ClassValue, real: type) -> bool:
    """Whether a class of a stand-in may be the one that the library really has."""
    return any(
        isinstance(base, ClassValue)
        and base.module is not None
        and base.module.is_stand_in
        and base.name == real.__name__
        for base in cls.mro
    )


def _derives(cls: ClassValue, other: Value) -> bool | None:
    """Whether a class of the program derives from another class."""
    if other is cls or cls.is_subclass(other) or other is object:
        return True
    if cls.kind == "namedtuple" and other is tuple:
        return True
    if MAY_BE_BELOW in cls.options:
        return None
    if _is_written_here(other) and _has_known_bases(cls):
        return False
    if cls.kind == "unknown" or not all(isinstance(b, ClassValue | type) or _is_harmless(b) for b in cls.mro):
        return None
    if isinstance(other, ClassValue):
        return False if (other.kind != "unknown" or _is_open(other)) and not is_protocol(other) else None
    if not isinstance(other, type) or _stands_for(cls, other):
        return None
    if (real := cls.options.get("real class")) is not None:
        return _really(issubclass, real, other)
    if (methods := asked_methods(other)) is not None and "adapter" not in cls.options:
        found = [cls.find(name) for name in methods]
        if MISSING in found or None in found:
            return False if None in found or not any(type(b) is not type for b in _real_bases(cls)) else None
        return True if "__hash__" not in methods or cls.kind == "plain" else None
    for base in cls.mro:
        if isinstance(base, type) and _really(issubclass, base, other):
            return True
    if "adapter" in cls.options and _is_model_class(other):
        return False
    if type(other) is not type and not _is_array_class(other):
        if (
            is_by_inheritance(other)
            and all(b is object for b in _real_bases(cls))
            and cls.options.keys() <= {REGISTERS}
        ):
            return False
        return None
    if other.__module__.partition(".")[0] in ("flax", "equinox", "chex", "haiku"):
        return None
    return cls.kind == "namedtuple" and issubclass(tuple, other)


def _is_of_program_alone(cls: Value) -> bool:
    """Whether all classes that it derives from are the program's: then no library makes an instance of it."""
    if not isinstance(cls, ClassValue) or cls.kind == "unknown":
        return False
    return all(
        base is object or _is_harmless(base) or (_is_written_here(base) and not _is_open(base)) for base in cls.mro
    )


def _real_bases(cls: ClassValue) -> list[Value]:
    """The classes of libraries from which a class of the program derives."""
    return [b for b in cls.mro if isinstance(b, type)]


def _is_harmless(base: Value) -> bool:
    return is_named_tuple(base) or getattr(typing.get_origin(base) or base, "__module__", "") in ("typing", "abc")


def _is_model_class(cls: type) -> bool:
    """Whether a class is a module of Flax or Equinox."""
    return any(b.__name__ == "Module" and b.__module__.startswith(("equinox", "flax")) for b in cls.__mro__)


def _is_array_class(cls: Value) -> bool:
    jax = sys.modules.get("jax")
    return cls is Array if jax is None else cls is getattr(jax, "Array", None)


def _is_instance_of_one(it: Interpreter, value: Value, cls: Any) -> bool | None:
    if isinstance(value, Unknown) or isinstance(cls, Unknown):
        return None
    if is_protocol(cls):
        return _has_members(it, value, cls)
    if isinstance(value, InstanceValue):
        return _derives(value.cls, cls)
    if isinstance(value, ArrayValue):
        return _is_array(value, cls)
    if type(value) in _OF_LIBRARIES and (_is_array_class(cls) or _is_of_program_alone(cls)):
        return False
    if isinstance(cls, ClassValue):
        if isinstance(value, tuple):
            own = class_of_tuple(it, value)
            return own is not None and own.is_subclass(cls)
        if not isinstance(value, BaseValue) and (own := enum_class(it, value)) is not None:
            return own.is_subclass(cls)
        if isinstance(value, NumPyValue) and _numpy_classes(value):
            return False
        found = class_of(it, value)
        if isinstance(found, ClassValue):
            return found.is_subclass(cls)
        return None if isinstance(value, BaseValue) and found is MISSING else False
    if isinstance(cls, BaseValue):
        return None
    if isinstance(value, ScalarValue):
        if OfNumPy in value.kinds:
            return True if cls is object else None
        results = {_really(issubclass, kind, cls) for kind in value.kinds}
        return results.pop() if len(results) == 1 else None
    if isinstance(value, ClassValue):
        return _really(issubclass, type, cls) if class_of(it, value) is type else True if cls is object else None
    if cls is collections.abc.Callable and isinstance(value, _CALLABLE):
        return True
    if isinstance(value, IteratorValue) and isinstance(cls, type):
        if cls in (collections.abc.Iterator, collections.abc.Iterable):
            return True
        return None if issubclass(cls, collections.abc.Generator | types.GeneratorType) else _never(_ITERATORS, cls)
    if isinstance(value, JitValue | MethodOf) and isinstance(cls, type):
        return _never((types.MethodType,), cls)  # a method of an array is written in Python
    if isinstance(value, BoundMethod) and isinstance(cls, type) and _is_model_class(cls):
        return None  # a module's method is a module itself in Equinox
    if isinstance(value, NumPyValue):
        answers = {_really(issubclass, own, cls) for own in _numpy_classes(value)}
        return answers.pop() if len(answers) == 1 else None
    if isinstance(value, BaseValue):
        own_type = tree_class(value) if isinstance(value, TreeValue) else class_of(it, value)
        return None if own_type is MISSING else _really(issubclass, own_type, cls)
    return _really(isinstance, value, cls)


_OF_LIBRARIES: Final = (HandlerValue, JitValue, MethodOf)
"""Callables that a library makes."""
_CALLABLE: Final = (FunctionValue, BoundMethod, MethodOf, PartialValue, JitValue)
_ITERATORS: Final = (zip, map, filter, enumerate, reversed, itertools.chain, itertools.count, itertools.cycle)


def _never(may_be: tuple[type, ...], cls: type) -> bool | None:
    """False if what is of some builtin class is never an instance of a class."""
    if cls is object:
        return True
    if asked_methods(cls) is not None or cls in may_be:
        return None
    known = cls.__module__ in ("builtins", "collections", "collections.abc", "numbers", "enum", "decimal", "numpy")
    return False if known and is_by_inheritance(cls) else None


def _has_members(it: Interpreter, value: Value, protocol: ClassValue) -> bool | None:
    """Whether a value has all that a protocol of the program asks for."""
    if isinstance(value, InstanceValue) and value.cls.is_subclass(protocol):
        return True
    results = [has(it, value, name) for name in protocol_members(protocol)]
    return False if False in results else None if None in results else True


def _is_array(value: ArrayValue, cls: Value) -> bool | None:
    """Whether a JAX array is an instance: a tracer is one of `jax.Array`, too."""
    if isinstance(cls, ClassValue):
        return False
    if cls is object or _is_array_class(cls):
        return True
    if not isinstance(cls, type):
        return None
    if _is_model_class(cls):
        return False
    if cls.__name__ == "Tracer" and value.traced:
        return True
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(cls, numpy.ndarray | numpy.generic):
        return False
    kinds = _array_kinds()
    if kinds and (methods := asked_methods(cls)) is not None:
        have = {all(_method(kind, name) is not None for name in methods) for kind in kinds}
        return have.pop() if len(have) == 1 else None
    if not kinds or not is_by_inheritance(cls):
        return None
    return None if any(issubclass(kind, cls) or issubclass(cls, kind) for kind in kinds) else False


def _method(cls: type, name: str) -> Any:
    """A method of a class's instances; None if there is none."""
    return next((vars(c)[name] for c in cls.__mro__ if name in vars(c)), None)


def _array_kinds() -> tuple[type, ...]:
    """The classes of which arrays are: those with a value, and tracers."""
    private = sys.modules.get(
        "arraytyping.checker.flow.engines.jax_private"
    )  # which is there if jax is, and not asked for here
    return () if private is None else private.array_kinds()
