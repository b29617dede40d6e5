"""What calling a class of the program makes."""

from __future__ import annotations

import abc
from typing import Final

from arraytyping.checker.flow.python.fields import bind_fields, check_field, initialize_dataclass
from arraytyping.checker.flow.python.metaclasses import call_of_metaclass, is_made_otherwise
from arraytyping.checker.flow.state.branching import of_each
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    REGISTERS,
    ClassValue,
    Descriptor,
    FunctionValue,
    InstanceValue,
    UnionValue,
    Unknown,
    Value,
    class_of_source,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["ABSTRACT", "abstract_names", "initializer", "instantiate", "make_instance"]

ABSTRACT: Final = "__isabstractmethod__"
"""The attribute of functions that are abstract."""


def instantiate(it: Interpreter, cls: ClassValue, call: Call) -> Value:
    """What calling a class gives."""
    if (method := call_of_metaclass(cls)) is not MISSING:
        return it.call(method, *call.preceded_by(cls))
    return make_instance(it, cls, call)


def make_instance(it: Interpreter, cls: ClassValue, call: Call) -> Value:
    """What `type.__call__` makes of a class."""
    make = cls.options.get("instantiate")
    if make is not None and not is_made_otherwise(cls):
        return make(it, cls, call)
    if cls.kind == "unknown":
        it.engines.havoc(it, [cls, *call.values])
        return it.unknown(f"an instance of {cls.name}, whose class is not understood")
    new = cls.find("__new__")
    is_abstract = abc.ABC in cls.mro or REGISTERS in cls.options or any(map(class_of_source, cls.mro))
    if is_abstract and (names := abstract_names(cls)):
        message = f"TypeError: Can't instantiate abstract class {cls.name} without an implementation for "
        return it.fail(call.node, "array-call", message + ", ".join(names))
    if isinstance(new, FunctionValue):
        return _made_by_new(it, new, cls, call)
    if cls.kind == "namedtuple":
        return _namedtuple(it, cls, call)
    return _initialized(it, InstanceValue(cls, {}), call)


def abstract_names(cls: ClassValue) -> list[str]:
    """The abstract methods of a class that nothing implements."""
    names = {name for base in cls.mro if isinstance(base, ClassValue) for name in base.namespace}
    return sorted(name for name in names if _is_abstract(cls.find(name)))


def _is_abstract(value: Value) -> bool:
    function = value.function if isinstance(value, Descriptor) else value
    return isinstance(function, FunctionValue) and function.attributes.get(ABSTRACT) is True


def _made_by_new(it: Interpreter, new: FunctionValue, cls: ClassValue, call: Call) -> Value:
    """What the class's own `__new__` makes; an instance of the class is initialized then."""
    made = it.call(new, *call.preceded_by(cls))
    if isinstance(made, UnionValue):
        return of_each(it, made.values, lambda one: _initialized_if_new(it, one, cls, call))
    return _initialized_if_new(it, made, cls, call)


def _initialized_if_new(it: Interpreter, made: Value, cls: ClassValue, call: Call) -> Value:
    if isinstance(made, InstanceValue) and any(base is cls for base in made.cls.mro):
        return _initialized(it, made, call, cls.find("__init__") is not MISSING)
    if isinstance(made, Unknown):
        it.engines.havoc(it, [cls, *call.values])
    return made


def _initialized(it: Interpreter, instance: InstanceValue, call: Call, checks: bool = True) -> Value:
    cls = instance.cls
    init = initializer(cls)
    if isinstance(init, ClassValue):
        initialize_dataclass(it, instance, call)
    elif init is not MISSING:
        it.call(init, *call.preceded_by(instance))
    elif checks and not call.is_empty and not any(isinstance(b, type) and _takes_arguments(b) for b in cls.mro[1:]):
        return it.fail(call.node, "array-call", f"TypeError: {cls.name}() takes no arguments")
    return instance


def initializer(cls: ClassValue) -> Value:
    """The `__init__` of a class, or the dataclass for whose fields one was made; MISSING if it has neither."""
    for base in cls.mro:
        if not isinstance(base, ClassValue):
            continue
        if "__init__" in base.namespace:
            return base.namespace["__init__"]
        if base.is_record and base.options.get("init") is not False:
            return base
    return MISSING


def _takes_arguments(cls: type) -> bool:
    """Whether a real class has more than what every object has to make an instance."""
    return any("__init__" in vars(base) or "__new__" in vars(base) for base in cls.__mro__ if base is not object)


def _namedtuple(it: Interpreter, cls: ClassValue, call: Call) -> Value:
    assert cls.tuple_type is not None
    names: tuple[str, ...] = cls.tuple_type._fields  # type: ignore[attr-defined]
    bound = bind_fields(it, cls, names, call)
    if bound is None:
        return it.unknown(f"an instance of {cls.name} from wrong arguments")
    for name in names:
        bound[name] = check_field(it, cls, name, bound[name], call.node)
    return tuple.__new__(cls.tuple_type, [bound[name] for name in names])
