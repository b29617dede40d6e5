"""`attrs`: classes whose `__init__` is made of their fields.

What changes a value on its way into a field, and fields that are named otherwise in `__init__`, are not followed: of
such a class nothing is known.

Source: https://www.attrs.org/en/stable/api.html.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.fields import FieldValue, fields_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.values import ClassValue, DictValue, HandlerValue, InstanceValue, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.frames import Frame

__all__: list[str] = []

Kwargs = dict[str, Any]

_WITHOUT_EFFECT: Final = frozenset(
    {"auto_attribs", "eq", "frozen", "kw_only", "order", "repr", "slots", "unsafe_hash", "weakref_slot"}
)
"""Options of classes with which fields and `__init__` are as they are without."""
_OF_FIELDS: Final = frozenset(
    {"default", "default_factory", "eq", "hash", "init", "kw_only", "metadata", "order", "repr", "type"}
)
"""Options of fields that are kept, or do nothing to `__init__`."""
_KEPT: Final = ("eq", "frozen", "kw_only")
_ANNOTATED: Final = ("attr.define", "attrs.define", "attr.mutable", "attrs.mutable", "attr.frozen", "attrs.frozen")
"""Decorators that take annotated names for fields, unless a field has no annotation."""


@handles(*_ANNOTATED)
def _define(it: Interpreter, call: Call) -> Value:
    return _decorated(it, call.with_kwargs({"auto_attribs": None, **call.kwargs}))


@handles("attr.dataclass")
def _dataclass(it: Interpreter, call: Call) -> Value:
    return _decorated(it, call.with_kwargs({**call.kwargs, "auto_attribs": True}))


@handles("attr.s", "attr.attrs")
def _decorated(it: Interpreter, call: Call) -> Value:
    if not call.args or call.args[0] is None:
        return HandlerValue(
            "define", lambda i, later: _decorated(i, later.with_kwargs({**call.kwargs, **later.kwargs}))
        )
    cls = call.args[0]
    if not isinstance(cls, ClassValue) or cls.kind == "unknown":
        return cls
    it.journal.touch(cls)
    made = [name for name, value in cls.namespace.items() if isinstance(value, FieldValue)]
    all_annotated = all(name in cls.fields for name in made)
    by_annotation = call.kwargs.get("auto_attribs", False)
    if by_annotation is None:
        by_annotation = all_annotated
    if not _is_followed(cls, call.kwargs, made) or not isinstance(by_annotation, bool) or by_annotation > all_annotated:
        cls.kind = "unknown"
        return cls
    if not by_annotation:
        within = Frame(None, "module", it.frame.module)
        cls.fields = {name: cls.fields.get(name, (ast.Name("object", ast.Load()), within)) for name in made}
    cls.kind = "dataclass"
    inherited = {name: value for name, value in cls.options.items() if name not in _KEPT}
    cls.options = {**inherited, **{name: value for name, value in call.kwargs.items() if name in _KEPT}}
    cls.is_record = True
    if "__attrs_post_init__" in cls.namespace:
        cls.namespace["__post_init__"] = cls.namespace["__attrs_post_init__"]
    return cls


def _is_followed(cls: ClassValue, options: Kwargs, made: list[str]) -> bool:
    """Whether `__init__` does nothing but bind its arguments to the fields of the same names."""
    if options.keys() - _WITHOUT_EFFECT or any(name.startswith("_") for name in cls.fields) or _has_hooks(cls):
        return False
    if any(cls.namespace[name].options.keys() - _OF_FIELDS for name in made):
        return False
    functions = [s for s in cls.node.body if isinstance(s, ast.FunctionDef)] if cls.node is not None else []
    decorators = [d for function in functions for d in function.decorator_list]
    return not any(isinstance(d, ast.Attribute) and d.attr in ("default", "validator") for d in decorators)


def _has_hooks(cls: ClassValue) -> bool:
    """Whether a class does something of its own before its fields are there."""
    return any(name in cls.namespace for name in ("__init__", "__new__", "__attrs_pre_init__", "__attrs_init__"))


@handles("attr.ib", "attr.attrib", "attr.field", "attrs.field")
def _field(it: Interpreter, call: Call) -> Value:
    options = dict(call.kwargs)
    if call.args:
        options["default"] = call.args[0]
    if repr(options.get("default")) == "NOTHING":
        del options["default"]
    if "factory" in options:
        options["default_factory"] = options.pop("factory")
    return FieldValue(options)


@handles("attr.evolve", "attrs.evolve")
@by_alternatives
def _evolve(it: Interpreter, call: Call) -> Value:
    value = call.positional(0)
    if not isinstance(value, InstanceValue) or value.cls.kind != "dataclass":
        return it.unknown("attrs.evolve of what is not understood")
    kept: Kwargs = {}
    for name, (owner, _, _) in fields_of(value.cls).items():
        field = owner.namespace.get(name)
        if name in value.attributes and not (isinstance(field, FieldValue) and field.options.get("init") is False):
            kept[name] = value.attributes[name]
    return it.call(value.cls, [], {**kept, **call.kwargs}, call.node)


@handles("attr.asdict", "attrs.asdict")
@by_alternatives
def _asdict(it: Interpreter, call: Call) -> Value:
    value = call.positional(0)
    if not call.has_only(1) or not isinstance(value, InstanceValue) or value.cls.kind != "dataclass":
        return it.unknown("attrs.asdict of what is not understood")
    found = {name: value.attributes[name] for name in fields_of(value.cls) if name in value.attributes}
    if any(isinstance(v, InstanceValue | DictValue | tuple) for v in found.values()):
        return it.unknown("attrs.asdict of fields that hold others")
    return DictValue(dict(found))
