"""Attributes: of arrays, modules, functions, containers, and of what Python itself defines."""

from __future__ import annotations

import ast
import types
from typing import Final

from arraytyping.checker.flow.python.attributes_of_classes import bind, of_class, of_instance, of_super
from arraytyping.checker.flow.python.classes import class_of_enum, class_of_tuple, enum_class
from arraytyping.checker.flow.python.pytree_structure import StructureValue
from arraytyping.checker.flow.python.references import ref_attribute
from arraytyping.checker.flow.python.run_attributes import module_attribute
from arraytyping.checker.flow.real_calls.removed_attributes import removed_attribute
from arraytyping.checker.flow.real_calls.removed_names import FOLLOWED, replacement_of, what_became_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    AtValue,
    BaseValue,
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
    PartialValue,
    RefValue,
    ScalarValue,
    SetValue,
    SuperValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    is_concrete,
    type_name,
)

__all__ = ["get", "has", "replaced"]

_PYTHON: Final[dict[type, type]] = {IteratorValue: type(iter([]))}


def get(it: Interpreter, value: Value, name: str, node: ast.AST | None) -> Value:
    """An attribute of a value."""
    found = _find(it, value, name, node)
    if found is MISSING:
        if isinstance(value, ArrayValue) and value.aval.dtype is None and value.aval.shape is None:
            # What an array and something unknown give together; that may have operators of its own.
            return it.unknown("an attribute of what may be no array")
        if isinstance(value, types.ModuleType) and (why := what_became_of(f"{value.__name__}.{name}")) is not None:
            return replaced(it, f"{value.__name__}.{name}", f"AttributeError: {why}", node)
        message = f"AttributeError: {_described(value)} has no attribute {name!r}"
        if (removed := removed_attribute(value, name)) is None:
            return it.fail(node, "array-call", message)
        # The program is followed on, as it will be when its author has done what the message says.
        code = "array-jax-version" if removed.is_of_jax else "array-call"
        it.fail(node, code, f"{message} any more; {removed.advice}")
        return _find(it, value, removed.instead, node) if removed.instead else value
    return found


def replaced(it: Interpreter, full_name: str, message: str, node: ast.AST | None) -> Value:
    """Report a name that jax has no more, and go on with what stands for it."""
    diagnostic = it.fail(node, "array-jax-version", message)
    instead = replacement_of(full_name)
    if full_name in FOLLOWED:
        return it.importer.resolve(it, FOLLOWED[full_name])
    if instead is None:
        return diagnostic
    stands = it.registry.find_object(instead)
    return it.engines.from_python(instead) if stands is None else stands(it)


def has(it: Interpreter, value: Value, name: str) -> bool | None:
    """Whether a value has an attribute; None if that is not known."""
    with it.quietly():
        found = _find(it, value, name, None)
    return False if found is MISSING else None if isinstance(found, Unknown) else True


def _described(value: Value) -> str:
    if isinstance(value, ClassValue):
        return f"class {value.name!r}"
    if isinstance(value, ModuleValue):
        return f"module {value.module.name!r}"
    if isinstance(value, ArrayValue):
        return "an array"
    if isinstance(value, NumPyValue):
        return "a NumPy array"
    if isinstance(value, types.ModuleType):
        return f"module {value.__name__!r}"
    return f"{type_name(value)!r} object"


def _find(it: Interpreter, value: Value, name: str, node: ast.AST | None) -> Value:
    if isinstance(value, Unknown):
        return value
    if isinstance(value, InstanceValue):
        return of_instance(it, value, name, node)
    if isinstance(value, ArrayValue):
        if name == "at":
            return AtValue(value)
        return it.engines.attribute(it, value, name, node)
    if isinstance(value, NumPyValue):
        return it.engines.numpy_attribute(it, value, name, node)
    if isinstance(value, ModuleValue):
        return it.importer.attribute(it, value, name)
    if isinstance(value, ClassValue):
        return of_class(it, value, name, node)
    if isinstance(value, UnionValue):
        return _of_alternatives(it, value, name, node)
    if isinstance(value, SuperValue):
        return of_super(it, value, name, node)
    if isinstance(value, tuple):
        return _of_tuple(it, value, name, node)
    if isinstance(value, ListValue | DictValue | SetValue):
        return MethodOf(value, name) if hasattr(value.kind, name) else MISSING
    if isinstance(value, ScalarValue):
        return _of_scalar(it, value, name)
    if isinstance(value, IteratorValue):
        is_method = callable(getattr(types.GeneratorType, name, None))
        return MethodOf(value, name) if is_method else it.unknown(f"attribute {name} of an iterator")
    if isinstance(value, FunctionValue | JitValue | PartialValue | BoundMethod | HandlerValue):
        return _of_function(it, value, name, node)
    if isinstance(value, BaseValue):
        return _of_seldom(it, value, name, node)
    return _of_concrete(it, value, name)


def _of_seldom(it: Interpreter, value: BaseValue, name: str, node: ast.AST | None) -> Value:
    """The attribute of a value that programs seldom look into, so that the others do not wait for it."""
    if isinstance(value, AtValue):
        return MethodOf(value, name)
    if isinstance(value, RefValue):
        return ref_attribute(it, value, name, node)
    if isinstance(value, TreeValue):
        return it.engines.tree_attribute(it, value, name, node)
    if isinstance(value, StructureValue):
        return value.attribute(name)
    if isinstance(value, Descriptor):
        if name in ("getter", "setter", "deleter"):
            return HandlerValue(name, lambda it, call: _changed_property(value, name, call.args[0]))
        return it.unknown(f"attribute {name} of a {value.kind}")
    if isinstance(value, MethodOf):
        return it.unknown(f"attribute {name} of a method")
    return it.unknown(f"attribute {name} of what is not understood")


def _changed_property(value: Descriptor, name: str, function: Value) -> Descriptor:
    parts = {"getter": value.function, "setter": value.setter, "deleter": value.deleter, name: function}
    return Descriptor(value.kind, parts["getter"], parts["setter"], parts["deleter"])


def _of_alternatives(it: Interpreter, value: UnionValue, name: str, node: ast.AST | None) -> Value:
    results = []
    for v in value.values:
        with it.quietly():
            found = _find(it, v, name, node)
        if found is not MISSING:
            results.append(found)
    return join_all(results) if results else MISSING


def _of_tuple(it: Interpreter, value: tuple[Value, ...], name: str, node: ast.AST | None) -> Value:
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


def _of_scalar(it: Interpreter, value: ScalarValue, name: str) -> Value:
    kinds = [k for k in value.kinds if hasattr(k, name)]
    if not kinds:
        return MISSING
    if name == "real":
        return value
    return MethodOf(value, name)


def _of_function(it: Interpreter, value: Value, name: str, node: ast.AST | None) -> Value:
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


def _of_concrete(it: Interpreter, value: Value, name: str) -> Value:
    if (cls := enum_class(it, value)) is not None:
        found = cls.find(name)
        if isinstance(found, FunctionValue | Descriptor):
            return bind(it, found, value, type(value), None)
    if isinstance(value, type) and (cls := class_of_enum(it, value)) is not None:
        found = cls.find(name)
        if isinstance(found, FunctionValue | Descriptor):
            return bind(it, found, MISSING, value, None)
    if not is_concrete(value):
        return it.unknown(f"attribute {name} of what is not understood")
    if it.written and ((id(value), name) in it.written or (id(value), None) in it.written):
        return it.unknown("an attribute of a library's object that the program has changed")
    if (found := module_attribute(it, value, name)) is not MISSING:
        return found
    return it.engines.library_attribute(it, value, name)
