"""`dataclasses`: the decorator, fields, and the functions on instances."""

from __future__ import annotations

import ast
import dataclasses
from typing import Any

from arraytyping.checker.flow.libraries.copying import deep_copy
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.annotation_values import annotation_value
from arraytyping.checker.flow.python.fields import FieldValue, fields_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.values import (
    MISSING,
    OPEN,
    BaseValue,
    ClassValue,
    DictValue,
    HandlerValue,
    InstanceValue,
    ListValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    mapped,
)
from arraytyping.checker.flow.values.calls import Call

Kwargs = dict[str, Any]
Node = ast.AST | None

_OPTIONS = ("frozen", "kw_only", "init", "eq", "order", "slots", "repr", "unsafe_hash", "match_args", "weakref_slot")


@handles("dataclasses.dataclass")
def _dataclass(it: Interpreter, call: Call) -> Value:
    if call.args and call.args[0] is not None:
        return make_dataclass(it, call.args[0], call.kwargs)
    return HandlerValue(
        "dataclass",
        lambda it, later: make_dataclass(it, later.args[0], call.kwargs) if later.args else it.unknown("a dataclass"),
    )


def make_dataclass(it: Interpreter, cls: Value, options: Kwargs) -> Value:
    """Make a class of the program a dataclass with these options of the decorator."""
    if not isinstance(cls, ClassValue):
        return cls
    if cls.kind == "plain":
        cls.kind = "unknown" if any(map(_may_be_field, cls.namespace.values())) else "dataclass"
    if "real class" in cls.options:  # which has no `__init__` for the fields
        cls.kind = "unknown"
        cls.options = {k: v for k, v in cls.options.items() if k not in ("real class", "instantiate")}
        return cls
    known = {name: cls.options[name] for name in cls.options if name not in _OPTIONS}
    cls.options = {**known, **options}
    cls.is_record = cls.kind == "dataclass" or OPEN in cls.options
    return cls


def _may_be_field(value: Value) -> bool:
    """Whether it is not known if it describes a field or is its default, or which arguments a field makes."""
    if isinstance(value, FieldValue):
        return not all(isinstance(value.options.get(name), bool | None) for name in ("init", "kw_only"))
    return isinstance(value, UnionValue) and any(isinstance(v, FieldValue) for v in value.values)


@handles("dataclasses.field")
def _field(it: Interpreter, call: Call) -> Value:
    return FieldValue(dict(call.kwargs))


def _names(cls: ClassValue) -> list[str]:
    """The names of the fields, without those which only `__init__` takes."""
    return [name for name, (_, annotation, _) in fields_of(cls).items() if "InitVar" not in ast.unparse(annotation)]


def _refused(it: Interpreter, value: Value, what: str, node: Node) -> Value:
    """What a function of dataclasses gives for what is none."""
    if isinstance(value, Unknown):
        return it.unknown(value.why)
    if isinstance(value, InstanceValue | ClassValue):
        cls = value.cls if isinstance(value, InstanceValue) else value
        if cls.kind == "plain" and not cls.options:
            return it.fail(node, "array-call", f"TypeError: {what}() should be called on dataclass instances")
    elif value is None or isinstance(value, ListValue | DictValue | tuple | int | float | str):
        return it.fail(node, "array-call", f"TypeError: {what}() should be called on dataclass instances")
    return it.unknown(f"dataclasses.{what} of what is not understood")


@handles("dataclasses.replace", "copy.replace")
@by_alternatives
def _replace(it: Interpreter, call: Call) -> Value:
    value = call.positional(0)
    if isinstance(value, TreeValue):
        return it.call(it.get_attribute(value, "replace", call.node), [], call.kwargs, call.node)
    if not isinstance(value, InstanceValue) or value.cls.kind != "dataclass":
        return _refused(it, value, "replace", call.node)
    bound: Kwargs = {}
    for name, (owner, annotation, _) in fields_of(value.cls).items():
        option = owner.namespace.get(name)
        if isinstance(option, FieldValue) and option.options.get("init") is False:
            continue
        if name in value.attributes and "InitVar" not in ast.unparse(annotation):
            bound[name] = value.attributes[name]
    return it.call(value.cls, [], {**bound, **call.kwargs}, call.node)


@handles("dataclasses.asdict")
@by_alternatives
def _asdict(it: Interpreter, call: Call) -> Value:
    value = call.positional(0)
    if call.kwargs or len(call.args) > 1 or not isinstance(value, InstanceValue) or value.cls.kind != "dataclass":
        return _refused(it, value, "asdict", call.node)
    return _converted(it, value, lambda names, values: DictValue(dict(zip(names, values))))


@handles("dataclasses.astuple")
@by_alternatives
def _astuple(it: Interpreter, call: Call) -> Value:
    value = call.positional(0)
    if call.kwargs or len(call.args) > 1 or not isinstance(value, InstanceValue) or value.cls.kind != "dataclass":
        return _refused(it, value, "astuple", call.node)
    return _converted(it, value, lambda names, values: tuple(values))


def _converted(it: Interpreter, value: Value, make: Any) -> Value:
    """A value with each instance of a dataclass in it made into something else."""
    if isinstance(value, InstanceValue) and value.cls.kind == "dataclass":
        names = [name for name in _names(value.cls) if name in value.attributes]
        return make(names, [_converted(it, value.attributes[name], make) for name in names])
    if isinstance(value, tuple) or (isinstance(value, ListValue | DictValue) and value.items is not None):
        return mapped(value, lambda v: _converted(it, v, make))
    return deep_copy(it, value)


@handles("dataclasses.fields")
def _fields(it: Interpreter, call: Call) -> Any:
    value = call.positional(0)
    cls = value.cls if isinstance(value, InstanceValue) else value
    if not isinstance(cls, ClassValue) or cls.kind != "dataclass":
        return _refused(it, value, "fields", call.node)
    return tuple(_described(it, cls, name) for name in _names(cls))


def _described(it: Interpreter, cls: ClassValue, name: str) -> HandlerValue:
    default = cls.find(name)
    options = default.options if isinstance(default, FieldValue) else {}
    _, annotation, frame = fields_of(cls)[name]
    attributes = {
        "name": name,
        "type": annotation_value(it, annotation, frame),
        "default": options.get("default", dataclasses.MISSING) if options or default is MISSING else default,
        "default_factory": options.get("default_factory", dataclasses.MISSING),
        "init": options.get("init", True),
        "metadata": options.get("metadata", DictValue({})),
    }
    return HandlerValue("Field", lambda it, call: it.unknown("a field is called"), (), attributes)


@handles("dataclasses.is_dataclass")
@by_alternatives
def _is_dataclass(it: Interpreter, call: Call) -> Value:
    value = call.positional(0)
    if isinstance(value, Unknown | TreeValue):
        return it.unknown("whether something unknown is a dataclass")
    cls = value.cls if isinstance(value, InstanceValue) else value
    if isinstance(cls, ClassValue):
        return it.unknown("whether a class is a dataclass") if cls.kind == "unknown" else cls.kind == "dataclass"
    return False if isinstance(value, BaseValue | tuple) else dataclasses.is_dataclass(value)


@handles("dataclasses.make_dataclass")
def _make_dataclass(it: Interpreter, call: Call) -> Value:
    return it.unknown("a dataclass that is made at run time")
