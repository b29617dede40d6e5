"""`attrs`: classes whose `__init__` is made of their fields.

Validators change nothing, and are not followed.  Of a class that computes a default from others (`@x.default`), or
converts what is assigned to a field later, nothing is known.

Source: https://www.attrs.org/en/stable/api.html.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.fields import FieldValue, fields_of, initialize_dataclass
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
    {
        "alias", "cmp", "converter", "default", "default_factory", "eq", "hash", "init", "kw_only", "metadata", "order",
        "repr", "type", "validator",
    }
)  # fmt: skip
"""Options of fields that are kept, or do nothing to `__init__`."""
_KEPT: Final = ("eq", "frozen", "kw_only")
_ANNOTATED: Final = ("attr.define", "attrs.define", "attr.mutable", "attrs.mutable")
"""Decorators that take annotated names for fields, unless a field has no annotation."""


@handles(*_ANNOTATED)
def _define(it: Interpreter, call: Call) -> Value:
    return _decorated(it, call.with_kwargs({"auto_attribs": None, **call.kwargs}))


@handles("attr.frozen", "attrs.frozen")
def _frozen(it: Interpreter, call: Call) -> Value:
    return _define(it, call.with_kwargs({"frozen": True, **call.kwargs}))


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
    fields = _options(cls)
    if _converters(fields) or any(name != field for name, field in _arguments(fields).items()):
        cls.namespace["__init__"] = HandlerValue("__init__", _initialize)
    return cls


def _is_followed(cls: ClassValue, options: Kwargs, made: list[str]) -> bool:
    """Whether `__init__` does nothing but convert its arguments and bind them to fields."""
    if options.keys() - _WITHOUT_EFFECT or _has_hooks(cls):
        return False
    fields: list[Kwargs] = [cls.namespace[name].options for name in made]
    if any(field.keys() - _OF_FIELDS for field in fields):
        return False
    converted = [field for field in fields if "converter" in field]
    # What `define` makes converts what is assigned to a field later, too.
    if "auto_attribs" in options and options.get("frozen") is not True and converted:
        return False
    if any(field.get("init") is False for field in converted):
        return False
    functions = [s for s in cls.node.body if isinstance(s, ast.FunctionDef)] if cls.node is not None else []
    decorators = [d for function in functions for d in function.decorator_list]
    return not any(isinstance(d, ast.Attribute) and d.attr == "default" for d in decorators)


def _has_hooks(cls: ClassValue) -> bool:
    """Whether a class does something of its own before its fields are there."""
    return any(name in cls.namespace for name in ("__init__", "__new__", "__attrs_pre_init__", "__attrs_init__"))


def _options(cls: ClassValue) -> dict[str, Kwargs]:
    """What is said of each field of a class."""
    found = {name: owner.namespace.get(name) for name, (owner, _, _) in fields_of(cls).items()}
    return {name: made.options if isinstance(made, FieldValue) else {} for name, made in found.items()}


def _arguments(fields: dict[str, Kwargs]) -> dict[str, str]:
    """The fields by the names that they have in `__init__`."""
    return {options.get("alias", name.lstrip("_")): name for name, options in fields.items()}


def _converters(fields: dict[str, Kwargs]) -> Kwargs:
    """What converts the values of fields."""
    return {name: options["converter"] for name, options in fields.items() if options.get("converter") is not None}


def _initialize(it: Interpreter, call: Call) -> Value:
    """What the `__init__` of a class does that names or converts its arguments."""
    instance: Any = call.args[0]
    options = _options(instance.cls)
    fields = _arguments(options)
    positional = [name for name, said in options.items() if not _is_by_keyword(instance.cls, said)]
    given: Kwargs = dict(zip(positional, call.args[1:]))
    is_refused = len(call.args) - 1 > len(positional)
    for argument, value in call.kwargs.items():
        field = fields.get(argument, "")
        is_refused = is_refused or not field or field in given
        given[field] = value
    if is_refused:
        initialize_dataclass(it, instance, call.with_args(call.args[1:]))  # which says so
        return None
    for name, converter in _converters(options).items():
        if name not in given and "default_factory" in options[name]:
            given[name] = it.call(options[name]["default_factory"], [], {}, call.node)
        if name in given or "default" in options[name]:
            given[name] = it.call(converter, [given.get(name, options[name].get("default"))], {}, call.node)
    initialize_dataclass(it, instance, Call([], given, call.node))
    return None


def _is_by_keyword(cls: ClassValue, options: Kwargs) -> bool:
    return options.get("init") is False or options.get("kw_only", cls.options.get("kw_only")) is True


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
    options = _options(value.cls)
    for argument, name in _arguments(options).items():
        if name in value.attributes and options[name].get("init") is not False:
            kept[argument] = value.attributes[name]
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
