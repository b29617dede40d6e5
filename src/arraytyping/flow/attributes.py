"""Attributes: of arrays, instances, classes, modules, and of what Python itself defines."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from typing import Any, Final

from arraytyping.flow.adapters.stateful import is_stateful_class
from arraytyping.flow.classes import FieldValue, class_of_tuple, enum_class, fields_of
from arraytyping.flow.frames import Frame
from arraytyping.flow.instance_dicts import InstanceDict
from arraytyping.flow.interpreter import Interpreter
from arraytyping.flow.joins import join_all
from arraytyping.flow.libraries.os_and_time import module_attribute
from arraytyping.flow.pytree_structure import StructureValue
from arraytyping.flow.values import (
    MISSING,
    ArrayValue,
    AtValue,
    BoundMethod,
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
    OneOf,
    PartialValue,
    RefValue,
    ScalarValue,
    SetValue,
    SuperValue,
    TreeValue,
    Unknown,
    Value,
    is_exact,
)

__all__ = ["get", "has", "put"]

_PYTHON: Final[dict[type, type]] = {IteratorValue: type(iter([]))}


def get(it: Interpreter, value: Any, name: str, node: ast.AST | None) -> Any:
    """An attribute of a value."""
    found = _find(it, value, name, node)
    if found is MISSING:
        return it.fail(node, "array-call", f"AttributeError: {_described(value)} has no attribute {name!r}")
    return found


def has(it: Interpreter, value: Any, name: str) -> bool | None:
    """Whether a value has an attribute; None if that is not known."""
    with it.quietly():
        found = _find(it, value, name, None)
    return False if found is MISSING else None if isinstance(found, Unknown) else True


def _described(value: Any) -> str:
    if isinstance(value, InstanceValue):
        return f"{value.cls.name!r} object"
    if isinstance(value, ClassValue):
        return f"class {value.name!r}"
    if isinstance(value, ModuleValue):
        return f"module {value.module.name!r}"
    if isinstance(value, ArrayValue):
        return "an array"
    if isinstance(value, NumPyValue):
        return "a NumPy array"
    if isinstance(value, ListValue | DictValue | SetValue):
        return f"{value.kind.__name__!r} object"
    if isinstance(value, ScalarValue):
        return f"{value.kinds[0].__name__!r} object"
    return f"{type(value).__name__!r} object"


def _find(it: Interpreter, value: Any, name: str, node: ast.AST | None) -> Any:
    if isinstance(value, Unknown):
        return value
    if isinstance(value, InstanceValue):
        return _of_instance(it, value, name, node)
    if isinstance(value, ArrayValue):
        if name == "at":
            return AtValue(value)
        return it.engines.attribute(it, value, name, node)
    if isinstance(value, NumPyValue):
        return it.engines.numpy_attribute(it, value, name, node)
    if isinstance(value, ModuleValue):
        return it.importer.attribute(it, value, name)
    if isinstance(value, ClassValue):
        return _of_class(it, value, name, node)
    if isinstance(value, OneOf):
        return _of_alternatives(it, value, name, node)
    if isinstance(value, SuperValue):
        return _of_super(it, value, name, node)
    if isinstance(value, tuple):
        return _of_tuple(it, value, name, node)
    if isinstance(value, ListValue | DictValue | SetValue):
        return MethodOf(value, name) if hasattr(value.kind, name) else MISSING
    if isinstance(value, ScalarValue):
        return _of_scalar(it, value, name)
    if isinstance(value, IteratorValue):
        return MethodOf(value, name)
    if isinstance(value, FunctionValue | JitValue | PartialValue | BoundMethod | HandlerValue):
        return _of_function(it, value, name, node)
    if isinstance(value, AtValue):
        return MethodOf(value, name)
    if isinstance(value, RefValue):
        from arraytyping.flow.libraries.jax_refs import ref_attribute  # whose module imports this one

        return ref_attribute(it, value, name, node)
    if isinstance(value, TreeValue):
        return it.engines.tree_attribute(it, value, name, node)
    if isinstance(value, StructureValue):
        return value.attribute(name)
    if isinstance(value, Descriptor):
        if name == "setter":
            return HandlerValue("setter", lambda it, a, k, n: Descriptor(value.kind, value.function, a[0]))
        return it.unknown(f"attribute {name} of a {value.kind}")
    if isinstance(value, MethodOf):
        return it.unknown(f"attribute {name} of a method")
    if isinstance(value, Value):
        return it.unknown(f"attribute {name} of what is not understood")
    return _of_exact(it, value, name)


def _of_alternatives(it: Interpreter, value: OneOf, name: str, node: ast.AST | None) -> Any:
    results = []
    for v in value.values:
        with it.quietly():
            found = _find(it, v, name, node)
        if found is not MISSING:
            results.append(found)
    return join_all(results) if results else MISSING


def bind(it: Interpreter, attribute: Any, receiver: Any, cls: Any, node: ast.AST | None) -> Any:
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
    return attribute if is_exact(attribute) or isinstance(attribute, Value) else it.unknown("a method of a library")


def _of_instance(it: Interpreter, value: InstanceValue, name: str, node: ast.AST | None) -> Any:
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
    if found is not MISSING:
        return bind(it, found, value, cls, node)
    if name == "__class__":
        return cls
    if name == "__dict__":
        return InstanceDict(value)
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
    for base in cls.mro:
        if isinstance(base, type) and hasattr(base, name):
            return it.unknown(f"attribute {name} of the base class {base.__name__}")
    return it.unknown(f"object.{name}") if hasattr(object, name) else MISSING


def _of_class(it: Interpreter, value: ClassValue, name: str, node: ast.AST | None) -> Any:
    found = value.find(name)
    if "metaclass" in value.options and not isinstance(found, FunctionValue | Descriptor):
        return it.unknown(f"attribute {name} of the class {value.name}, whose metaclass is not understood")
    if found is not MISSING:
        if value.kind == "dataclass" and hasattr(found, "options") and name in fields_of(value):
            return found.options.get("default", it.unknown("the default of a field"))
        return bind(it, found, MISSING, value, node)
    if name in ("__name__", "__qualname__"):
        return value.name
    if name == "__dict__":
        return DictValue(dict(value.namespace))
    if name == "__mro__":
        return tuple(value.mro)
    if name == "__annotations__":
        return DictValue({n: it.unknown("an annotation") for n in value.fields})
    if value.kind == "namedtuple":
        if name == "_fields":
            assert value.tuple_type is not None
            return value.tuple_type._fields  # type: ignore[attr-defined]
        if name == "_make":
            return HandlerValue("_make", lambda it, a, k, n: it.call(value, it.iterate(a[0], n)[0] or [], {}, n))
    if value.kind == "unknown" or any(not isinstance(b, ClassValue | type) for b in value.mro):
        return it.unknown(f"attribute {name} of the class {value.name}, which is not understood")
    for base in value.mro:
        if isinstance(base, type) and hasattr(base, name):
            return getattr(base, name)
    if name.startswith("__"):
        return it.unknown(f"attribute {name} of a class")
    return MISSING


def _of_super(it: Interpreter, value: SuperValue, name: str, node: ast.AST | None) -> Any:
    receiver = value.receiver
    if is_stateful_class(type(receiver)):
        real = it.engines.real_class(it, value.after)
        return (
            it.unknown(f"super().{name}")
            if real is None
            else it.engines.library_attribute(it, super(real, receiver), name)
        )
    cls = receiver.cls if isinstance(receiver, InstanceValue) else receiver
    if not isinstance(cls, ClassValue):
        return it.unknown("super() of what is no class of the program")
    mro = cls.mro
    after = next((i for i, c in enumerate(mro) if c is value.after), 0)
    for base in mro[after + 1 :]:
        if isinstance(base, ClassValue) and name in base.namespace:
            instance = receiver if isinstance(receiver, InstanceValue) else MISSING
            return bind(it, base.namespace[name], instance, cls, node)
    if name in ("__init__", "__init_subclass__", "__post_init__", "__setattr__"):
        if name == "__init__" and cls.kind == "dataclass" and isinstance(receiver, InstanceValue):
            return it.unknown("the __init__ of a dataclass through super()")
        return HandlerValue(name, _base_method(receiver, name), (), receiver)
    hook = cls.options.get("super")
    if hook is not None:
        return hook(it, receiver, name, node)
    return it.unknown(f"super().{name}")


def _base_method(receiver: Any, name: str) -> Any:
    """What `object` does in this method."""

    def handle(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
        if (
            name == "__setattr__"
            and len(args) == 2
            and isinstance(args[0], str)
            and isinstance(receiver, InstanceValue)
        ):
            it.journal.touch(receiver)
            receiver.attributes[args[0]] = args[1]
        return None

    return handle


def _of_tuple(it: Interpreter, value: tuple[Any, ...], name: str, node: ast.AST | None) -> Any:
    if (cls := class_of_tuple(it, value)) is not None:
        fields: tuple[str, ...] = value._fields  # type: ignore[attr-defined]
        if name in fields:
            return value[fields.index(name)]
        found = cls.find(name)
        if found is not MISSING:
            return bind(it, found, value, cls, node)
        if name == "__class__":
            return cls
    elif hasattr(value, "_fields") and name in value._fields:
        return value[value._fields.index(name)]
    if name in ("_fields",):
        return getattr(value, name, MISSING)
    return MethodOf(value, name) if hasattr(value, name) else MISSING


def _of_scalar(it: Interpreter, value: ScalarValue, name: str) -> Any:
    kinds = [k for k in value.kinds if hasattr(k, name)]
    if not kinds:
        return MISSING
    if name == "real":
        return value
    return MethodOf(value, name)


def _of_function(it: Interpreter, value: Any, name: str, node: ast.AST | None) -> Any:
    if isinstance(value, FunctionValue):
        if name in value.attributes:
            return value.attributes[name]
        if name in ("__name__", "__qualname__"):
            return value.name
        if name == "__doc__":
            return ast.get_docstring(value.node) if not isinstance(value.node, ast.Lambda) else None
        if name == "__module__":
            return value.frame.module.name
        if name in ("__wrapped__", "defvjp", "defjvp"):
            return MISSING
        return it.unknown(f"attribute {name} of a function") if hasattr(_of_function, name) else MISSING
    if isinstance(value, JitValue):
        if name == "__wrapped__":
            return value.function
        if name in ("__name__", "__qualname__", "__doc__"):
            return get(it, value.function, name, node)
        return MethodOf(value, name)
    if isinstance(value, PartialValue):
        if name == "func":
            return value.function
        if name == "args":
            return value.args
        if name == "keywords":
            return DictValue(dict(value.kwargs))
    if isinstance(value, BoundMethod):
        return value.receiver if name == "__self__" else _find(it, value.function, name, node)
    if isinstance(value, HandlerValue):
        methods = value.identity if isinstance(value.identity, dict) else {}
        if name in methods:
            return methods[name]
        of_class = bool(value.wraps) and isinstance(value.wraps[0], ClassValue)
        if value.wraps and not of_class and name in ("__name__", "__doc__", "__wrapped__", "__qualname__"):
            return value.wraps[0] if name == "__wrapped__" else get(it, value.wraps[0], name, node)
    return it.unknown(f"attribute {name} of a function")


def _of_exact(it: Interpreter, value: Any, name: str) -> Any:
    if (cls := enum_class(it, value)) is not None:
        found = cls.find(name)
        if isinstance(found, FunctionValue | Descriptor):
            return bind(it, found, value, cls, None)
    if not is_exact(value):
        return it.unknown(f"attribute {name} of what is not understood")
    if it.written and ((id(value), name) in it.written or (id(value), None) in it.written):
        return it.unknown("an attribute of a library's object that the program has changed")
    if (found := module_attribute(value, name)) is not MISSING:
        return found
    return it.engines.library_attribute(it, value, name)


def put(it: Interpreter, owner: Any, name: str, value: Any, node: ast.AST | None) -> None:
    """Bind an attribute."""
    if isinstance(owner, InstanceValue):
        _put_on_instance(it, owner, name, value, node)
    elif isinstance(owner, ClassValue):
        it.journal.touch(owner)
        owner.namespace[name] = value
    elif isinstance(owner, FunctionValue):
        it.journal.touch(owner)
        owner.attributes[name] = value
    elif isinstance(owner, ModuleValue):
        it.journal.bind(owner.module.frame, name, value)
    elif isinstance(owner, OneOf):
        it.branch(it.frame, [_putting(it, one, name, value) for one in owner.values])
    elif isinstance(owner, ArrayValue):
        it.fail(
            node, "array-call", f"AttributeError: attribute {name!r} of an array cannot be set; arrays are immutable"
        )
    elif isinstance(owner, tuple):
        it.fail(node, "array-call", f"AttributeError: attribute {name!r} of a tuple cannot be set; use _replace")
    elif isinstance(owner, TreeValue):
        it.engines.put_tree_attribute(it, owner, name, value, node)
    elif isinstance(owner, NumPyValue) and name == "shape":
        it.journal.touch(owner)
        shaped = it.engines.method(it, owner, "reshape", [value], {}, node)
        owner.shape = shaped.shape if isinstance(shaped, NumPyValue) else None
        owner.data = None
    elif is_stateful_class(type(owner)):
        it.engines.objects.put_attribute(it, owner, name, value, node)
    elif not isinstance(owner, Value):
        it.written[id(owner), name if isinstance(owner, type | types.ModuleType) else None] = owner


def _putting(it: Interpreter, owner: Any, name: str, value: Any) -> Callable[[], bool]:
    """Bind an attribute of one of several alternatives."""

    def run() -> bool:
        suspects = it.suspects
        with it.quietly():
            it.put_attribute(owner, name, value, None)
        return it.suspects == suspects

    return run


def _is_being_made(it: Interpreter, cls: ClassValue) -> bool:
    """Whether this may be in the `__init__` of an instance; a library's records may be written all the while."""
    function = it.frame.function
    if function is None:
        return False
    names = {function.name, *(name for name, _, _ in it.chain)} if "adapter" in cls.options else {function.name}
    return "__init__" in names or ("adapter" in cls.options and "__post_init__" in names)


def _put_on_instance(it: Interpreter, owner: InstanceValue, name: str, value: Any, node: ast.AST | None) -> None:
    cls = owner.cls
    found = cls.find(name)
    if isinstance(found, Descriptor) and found.kind == "property":
        if found.setter is not None:
            it.call(found.setter, [owner, value], {}, node)
        else:
            it.fail(node, "array-call", f"AttributeError: property {name!r} of {cls.name!r} has no setter")
        return
    if isinstance(found, InstanceValue) and (setter := found.cls.find("__set__")) is not MISSING:
        it.call(setter, [found, owner, value], {}, node)
        return
    setattr_ = cls.find("__setattr__")
    if isinstance(setattr_, FunctionValue):
        it.call(setattr_, [owner, name, value], {}, node)
        return
    if cls.options.get("frozen") is True and not _is_being_made(it, cls):
        message = f"FrozenInstanceError: cannot assign to field {name!r} of {cls.name}; use dataclasses.replace"
        it.fail(node, "array-call", message)
        return
    for base in cls.mro:
        if isinstance(base, ClassValue) and name in base.fields:
            annotation, frame = base.fields[name]
            what = f"field {name!r} of {cls.name}"
            it.check_annotation(annotation, value, node, frame, Frame(frame, "function", frame.module), what)
            break
    it.journal.touch(owner)
    owner.attributes[name] = value
