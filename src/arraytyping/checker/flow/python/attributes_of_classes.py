"""Attributes of instances, classes and `super()`, bound as Python's descriptors are."""

from __future__ import annotations

import abc
import ast
import inspect
import sys
import types
import typing
from typing import Any, Final

from arraytyping.checker.flow.python.annotation_values import annotation_value
from arraytyping.checker.flow.python.attribute_writing import put_as_object
from arraytyping.checker.flow.python.deletion import delete_as_object
from arraytyping.checker.flow.python.fields import FieldValue, fields_of, initialize_dataclass
from arraytyping.checker.flow.python.held_containers import aliased_dict, is_container
from arraytyping.checker.flow.python.instantiation import make_instance
from arraytyping.checker.flow.python.metaclasses import makes_as_type_does
from arraytyping.checker.flow.python.slots import has_no_place_for, slots_of
from arraytyping.checker.flow.state.code_places import qualified_name
from arraytyping.checker.flow.state.forgetting import forget_contents
from arraytyping.checker.flow.state.instance_dicts import InstanceDict
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.stateful import is_stateful_class
from arraytyping.checker.flow.values import (
    ANY_ATTRIBUTE,
    ASKS_FOR_EACH,
    MISSING,
    REGISTERS,
    BaseValue,
    BoundMethod,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    JitValue,
    SuperValue,
    TreeValue,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["bind", "found_or_told", "of_class", "of_instance", "of_super"]


def bind(it: Interpreter, attribute: Value, receiver: Value, cls: Value, node: ast.AST | None) -> Value:
    """What an attribute of a class is on an instance (`receiver`) or, with MISSING, on the class itself."""
    if isinstance(attribute, Descriptor):
        if attribute.kind == "staticmethod":
            return attribute.function
        if attribute.kind == "classmethod":
            return BoundMethod(attribute.function, cls)
        if receiver is MISSING:
            return attribute
        return it.call(attribute.function, [receiver], {}, node)
    if isinstance(attribute, InstanceValue) and (getter := attribute.cls.find("__get__")) is not MISSING:
        owner = receiver if receiver is not MISSING else None
        return it.call(getter, [attribute, owner, cls], {}, node)
    if receiver is MISSING:
        return attribute
    if isinstance(attribute, FunctionValue | JitValue) or (isinstance(attribute, HandlerValue) and attribute.wraps):
        return BoundMethod(attribute, receiver)
    if isinstance(attribute, types.FunctionType):
        return BoundMethod(attribute, receiver)
    return (
        attribute if is_concrete(attribute) or isinstance(attribute, BaseValue) else it.unknown("a method of a library")
    )


_MADE_BY_DECORATORS: Final = frozenset(
    {"__dataclass_fields__", "__dataclass_params__", "__match_args__", "_flax_dataclass"}
)


def of_instance(it: Interpreter, value: InstanceValue, name: str, node: ast.AST | None) -> Value:
    """An attribute of an instance, MISSING if it has none of this name."""
    if ASKS_FOR_EACH in value.cls.options:
        return it.call(value.cls.find("__getattribute__"), [value, name], {}, node)
    return _as_found(it, value, name, node)


def _as_found(it: Interpreter, value: InstanceValue, name: str, node: ast.AST | None) -> Value:
    """An attribute of an instance as `object.__getattribute__` finds it, MISSING if there is none of this name."""
    cls = value.cls
    found = cls.find(name)
    if isinstance(found, FieldValue):
        found = found.options.get("default", MISSING)
    if isinstance(found, Descriptor) and found.kind in ("property", "cached_property"):
        if found.kind == "cached_property" and name in value.attributes:
            return value.attributes[name]
        made = it.call(found.function, [value], {}, node)
        if found.kind == "cached_property":
            it.journal.touch(value)
            value.attributes[name] = made
        return made
    if name in value.attributes:
        return value.attributes[name]
    # Something that was not followed may have set it on the instance, where it hides what the class has; methods
    # are taken for what they are, since hardly any program replaces them on an instance.
    is_any = ANY_ATTRIBUTE in value.attributes and name != "__dict__"
    if is_any and not isinstance(found, FunctionValue | Descriptor):
        return value.attributes[ANY_ATTRIBUTE]
    if found is MISSING and not name.startswith("__"):
        found = cls.find(ANY_ATTRIBUTE)
    if found is not MISSING:
        return bind(it, found, value, cls, node)
    if name == "__class__":
        return cls
    if name == "__dict__":
        return MISSING if has_no_place_for(cls, name) else _attributes(it, value)
    if name == "__annotations__" and sys.version_info < (3, 14):
        annotated = next((c for c in cls.mro if isinstance(c, ClassValue) and c.fields), None)
        if annotated is not None:
            return of_class(it, annotated, name, node)
    hook = cls.options.get("attribute")
    if hook is not None and (found := hook(it, value, name, node)) is not MISSING:
        return found
    getattr_ = cls.find("__getattr__")
    if getattr_ is not MISSING:
        return it.call(getattr_, [value, name], {}, node)
    if cls.kind == "unknown" or any(not isinstance(b, ClassValue | type) for b in cls.mro):
        return it.unknown(f"attribute {name} of an instance of {cls.name}, whose class is not understood")
    if name == "replace" and cls.kind == "dataclass":
        return MISSING
    if name in _MADE_BY_DECORATORS and cls.kind == "dataclass":
        return it.unknown(f"attribute {name} of a dataclass")
    for base in cls.mro:
        if isinstance(base, type) and hasattr(base, name):
            return it.unknown(f"attribute {name} of the base class {base.__name__}")
    return it.unknown(f"object.{name}") if hasattr(object, name) else MISSING


def found_or_told(it: Interpreter, value: InstanceValue, name: Value, node: ast.AST | None) -> Value:
    """What `object.__getattribute__` gives of an instance."""
    if not isinstance(name, str):
        return it.unknown("an attribute of unknown name")
    found = _as_found(it, value, name, node)
    message = f"AttributeError: {value.cls.name!r} object has no attribute {name!r}"
    return it.fail(node, "array-call", message) if found is MISSING else found


def _attributes(it: Interpreter, value: InstanceValue) -> Value:
    """`__dict__` of an instance."""
    if (held := aliased_dict(value)) is not None:
        return held
    if _is_of_stand_in(value.cls):
        return it.unknown("the attributes of a library's instance, of which not all names are known")
    if not slots_of(value.cls).isdisjoint(value.attributes):
        return it.unknown("the attributes of an instance, some of which are in slots")
    return it.unknown("the attributes of a container") if is_container(value) else InstanceDict(value)


def _made_of_items(it: Interpreter, cls: ClassValue, call: Call) -> Value:
    """`Pair._make(items)`."""
    items = it.iterate(call.positional(0), call.node)[0]
    return it.unknown("a NamedTuple of unknown items") if items is None else it.call(cls, items, {}, call.node)


def _is_of_stand_in(cls: ClassValue) -> bool:
    """Whether a class stands for one of a library, which has more attributes than are written there."""
    return cls.module is not None and cls.module.is_stand_in


def _leaves_alone(metaclass: Any, name: str) -> bool:
    """Whether a metaclass makes classes as `type` does and finds this attribute in them, as that of `jnp.int8` does."""
    if not (isinstance(metaclass, type) and issubclass(metaclass, type)):
        return False
    added = {n for base in inspect.getmro(metaclass) if base not in (type, object) for n in vars(base)}
    return not added & {"__new__", "__init__", "__prepare__", "__getattribute__", name}


def _new_of_namedtuple(it: Interpreter, cls: ClassValue) -> HandlerValue:
    """`__new__`, whose `__defaults__` older programs set to make the last fields optional."""

    def made(it: Interpreter, call: Call) -> Value:
        return it.call(cls, call.args[1:], call.kwargs, call.node)

    def put(it: Interpreter, call: Call) -> None:
        name, value = call.args
        if name == "__defaults__":
            it.journal.touch(cls)
            names = cls.tuple_type._fields if cls.tuple_type is not None else ()  # type: ignore[attr-defined]
            known = value if isinstance(value, tuple) else [it.unknown("the defaults of a namedtuple")] * len(names)
            defaults = {n: FieldValue({"default": default}) for n, default in zip(reversed(names), reversed(known))}
            cls.namespace = {**{n: v for n, v in cls.namespace.items() if n not in names}, **defaults}

    return HandlerValue("__new__", made, (), {"__setattr__": HandlerValue("__setattr__", put)})


def of_class(it: Interpreter, value: ClassValue, name: str, node: ast.AST | None) -> Value:
    """An attribute of a class, MISSING if it has none of this name."""
    if name == "__module__" and name not in value.namespace and value.module is not None:
        return value.module.frame.variables.get("__name__", it.unknown("the module of a class"))
    found = value.find(name)
    if makes_as_type_does(value.options.get("metaclass")):
        of_metaclass = value.options["metaclass"].find(name)
        if isinstance(of_metaclass, Descriptor) or (found is MISSING and of_metaclass is not MISSING):
            return _of_metaclass(it, value, of_metaclass, node)
    elif (
        "metaclass" in value.options
        and not isinstance(found, FunctionValue | Descriptor)
        and (found is MISSING or not _leaves_alone(value.options["metaclass"], name))
    ):
        return it.unknown(f"attribute {name} of the class {value.name}, whose metaclass is not understood")
    if found is not MISSING:
        if value.kind == "dataclass" and hasattr(found, "options") and name in fields_of(value):
            return found.options.get("default", it.unknown("the default of a field"))
        return bind(it, found, MISSING, value, node)
    if not name.startswith("__") and (found := value.find(ANY_ATTRIBUTE)) is not MISSING:
        return found
    if name in ("__name__", "__qualname__"):
        if name == "__name__":
            return value.name
        return qualified_name(value.module, value.node, value.name) or it.unknown("where a class is defined")
    if name == "__dict__":
        if ANY_ATTRIBUTE in value.namespace or _is_of_stand_in(value):
            return it.unknown("the attributes of a class, of which not all names are known")
        return DictValue(dict(value.namespace))
    if name == "__mro__":
        last = [base for base in value.mro if not isinstance(base, ClassValue)]
        if not set(last) <= {object, abc.ABC}:
            return it.unknown("the bases of a library's class")
        return (*(base for base in value.mro if base is not object), object)
    if name == "__annotations__":
        return DictValue({n: annotation_value(it, annotation, f) for n, (annotation, f) in value.fields.items()})
    if value.kind == "namedtuple":
        if name == "_fields":
            assert value.tuple_type is not None
            return value.tuple_type._fields  # type: ignore[attr-defined]
        if name == "__new__":
            return _new_of_namedtuple(it, value)
        if name == "_make":
            return HandlerValue("_make", lambda it, call: _made_of_items(it, value, call))
    if name == "register" and (REGISTERS in value.options or abc.ABC in value.mro):
        return HandlerValue("register", lambda it, call: _register(value, call))
    if value.kind == "unknown" or any(not isinstance(b, ClassValue | type) and not _is_generic(b) for b in value.mro):
        return it.unknown(f"attribute {name} of the class {value.name}, which is not understood")
    for base in value.mro:
        if isinstance(base, type) and hasattr(base, name):
            return getattr(base, name)
    if name.startswith("__") or hasattr(type, name):
        return it.unknown(f"attribute {name} of a class")
    return it.unknown("a slot of a class") if name in slots_of(value) else MISSING


def _is_generic(base: Value) -> bool:
    """Whether a base only has parameters, as `Generic[T]` and `Protocol[T]` have: there is nothing else in it."""
    return typing.get_origin(base) in (typing.Generic, typing.Protocol)


def _register(cls: ClassValue, call: Call) -> Value:
    """`ABCMeta.register`: another class may be of this one from now on, and of those that it derives from."""
    for base in cls.mro:
        if isinstance(base, ClassValue):
            base.options[REGISTERS] = True
    return call.argument(0, "subclass", None)


def of_super(it: Interpreter, value: SuperValue, name: str, node: ast.AST | None) -> Value:
    """An attribute of `super()`."""
    receiver = value.receiver
    if is_stateful_class(type(receiver)):
        real = it.engines.real_class(it, value.after)
        return (
            it.unknown(f"super().{name}")
            if real is None
            else it.engines.library_attribute(it, super(real, receiver), name)
        )
    if isinstance(receiver, TreeValue):
        return it.engines.tree_super(it, receiver, value.after, name)
    cls = receiver.cls if isinstance(receiver, InstanceValue) else receiver
    if not isinstance(cls, ClassValue):
        return it.unknown("super() of what is no class of the program")
    metaclass = receiver.options.get("metaclass") if isinstance(receiver, ClassValue) else None
    if isinstance(metaclass, ClassValue) and any(base is value.after for base in metaclass.mro):
        return _of_super_metaclass(it, cls, metaclass, value.after, name)
    mro = cls.mro
    after = next((i for i, c in enumerate(mro) if c is value.after), 0)
    for base in mro[after + 1 :]:
        if isinstance(base, ClassValue) and name in base.namespace:
            instance = receiver if isinstance(receiver, InstanceValue) else MISSING
            return bind(it, base.namespace[name], instance, cls, node)
    if name in ("__init__", "__init_subclass__", "__post_init__", "__setattr__"):
        if name == "__init__" and cls.kind == "dataclass" and isinstance(receiver, InstanceValue):
            return HandlerValue(name, _init_of_record(receiver, mro[after + 1 :]), (), receiver)
        return HandlerValue(name, _base_method(receiver, name), (), receiver)
    if name == "__delattr__" and isinstance(receiver, InstanceValue):
        return HandlerValue(name, lambda it, call: delete_as_object(it, receiver, call.positional(0), call.node))
    if name == "__getattribute__" and isinstance(receiver, InstanceValue):
        return HandlerValue(name, lambda it, call: found_or_told(it, receiver, call.positional(0), call.node))
    if name == "__new__" and cls.kind in ("plain", "dataclass") and not any(_makes_itself(base) for base in mro):
        return HandlerValue(name, _object_new)
    hook = cls.options.get("super")
    if hook is not None:
        return hook(it, receiver, name, node)
    return it.unknown(f"super().{name}")


def _init_of_record(receiver: InstanceValue, bases: list[Any]) -> Any:
    """The `__init__` that a decorator has made of the fields of the next base."""
    base = bases[0] if bases else None

    def handle(it: Interpreter, call: Call) -> Value:
        if isinstance(base, ClassValue) and base.is_record and _initializes_by_fields(base):
            initialize_dataclass(it, receiver, call, base)
            return None
        it.journal.touch(receiver)
        forget_contents(receiver, why := "what the __init__ of a record binds through super()")
        return it.unknown(why)

    return handle


def _initializes_by_fields(cls: ClassValue) -> bool:
    return cls.options.get("init", True) is True and not {"adapter", "instantiate"} & {*cls.options}


def _of_metaclass(it: Interpreter, cls: ClassValue, found: Value, node: ast.AST | None) -> Value:
    """An attribute that a class has of its metaclass, as instances have those of their class."""
    if isinstance(found, FunctionValue):
        return BoundMethod(found, cls)
    if isinstance(found, Descriptor):
        is_property = found.kind == "property"
        return it.call(found.function, [cls], {}, node) if is_property else it.unknown("an attribute of a metaclass")
    return found


def _of_super_metaclass(it: Interpreter, cls: ClassValue, metaclass: ClassValue, after: Value, name: str) -> Value:
    """An attribute of `super()` in a method of a metaclass."""
    after_it = metaclass.mro[next(i for i, base in enumerate(metaclass.mro) if base is after) + 1 :]
    for base in after_it:
        if isinstance(base, ClassValue) and isinstance(found := base.namespace.get(name), FunctionValue):
            return BoundMethod(found, cls)
    if name == "__call__":
        return HandlerValue(name, lambda it, call: make_instance(it, cls, call), (), cls)
    if name == "__init__":
        return HandlerValue(name, _base_method(cls, name), (), cls)
    return it.unknown(f"super().{name} of a metaclass")


_NEW: Any = object.__new__


def _makes_itself(base: Value) -> bool:
    """Whether a base that is no class of the program makes its instances in a way of its own."""
    return (
        isinstance(base, type) and getattr(base, "__new__", None) is not object.__new__ and base is not typing.Generic
    )


def _object_new(it: Interpreter, call: Call) -> Value:
    """`object.__new__`."""
    return (
        InstanceValue(call.args[0], {})
        if call.args and isinstance(call.args[0], ClassValue)
        else it.unknown("object.__new__")
    )


def _base_method(receiver: Value, name: str) -> Any:
    """What `object` does in this method."""

    def handle(it: Interpreter, call: Call) -> Value:
        if (
            name == "__setattr__"
            and len(call.args) == 2
            and isinstance(call.args[0], str)
            and isinstance(receiver, InstanceValue)
        ):
            put_as_object(it, receiver, call.args[0], call.args[1], call.node)
        return None

    return handle
