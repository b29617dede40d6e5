"""Fields of dataclasses and NamedTuples: which a class has, and what those of a new instance hold."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.engines.pytrees import ByFields
from arraytyping.checker.flow.sources.node_texts import text_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, OPEN, ClassValue, HandlerValue, InstanceValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.frames import Frame

__all__ = [
    "FieldValue",
    "bind_fields",
    "check_field",
    "fields_of",
    "initialize_dataclass",
    "keyword_fields",
    "positional_fields",
]


class FieldValue(HandlerValue):
    """What `dataclasses.field(...)` gives: the options of a field."""

    __slots__ = ("options",)

    def __init__(self, options: dict[str, Value]) -> None:
        super().__init__("field", lambda it, call: it.unknown("a field is called"))
        self.options: dict[str, Any] = options


def fields_of(cls: ClassValue) -> dict[str, tuple[ClassValue, ast.expr, Frame]]:
    """The fields of a dataclass, or of the first that it derives from; those of its bases first that are such too."""
    fields: dict[str, tuple[ClassValue, ast.expr, Frame]] = {}
    classes = [c for c in cls.mro if isinstance(c, ClassValue)]
    if (cls.kind == "dataclass" or OPEN in cls.options) and (
        record := next((c for c in classes if c.is_record), None)
    ) is not None:
        classes = [c for c in record.mro if isinstance(c, ClassValue) and c.is_record]
    for base in reversed(classes):
        for name, (annotation, frame) in base.fields.items():
            text = text_of(annotation)
            if not text.startswith(("ClassVar", "typing.ClassVar", "t.ClassVar", "KW_ONLY", "dataclasses.KW_ONLY")):
                fields[name] = (base, annotation, frame)
    return fields


def bind_fields(it: Interpreter, cls: ClassValue, names: tuple[str, ...], call: Call) -> dict[str, Value] | None:
    """The values of the fields; None after a mistake."""
    if len(call.args) > len(names):
        it.fail(
            call.node,
            "array-call",
            f"TypeError: {cls.name}() takes {len(names)} arguments, but {len(call.args)} were given",
        )
        return None
    bound = dict(zip(names, call.args))
    for name, value in call.kwargs.items():
        if name not in names or name in bound:
            what = "multiple values for" if name in bound else "an unexpected keyword"
            it.fail(call.node, "array-call", f"TypeError: {cls.name}() got {what} argument {name!r}")
            return None
        bound[name] = value
    for name in names:
        if name not in bound:
            default = _default(it, cls, name, call.node)
            if default is MISSING:
                it.fail(call.node, "array-call", f"TypeError: {cls.name}() is missing the argument {name!r}")
                return None
            bound[name] = default
    return bound


def _default(it: Interpreter, cls: ClassValue, name: str, node: ast.AST | None) -> Value:
    fields = fields_of(cls)
    default = fields[name][0].namespace.get(name, MISSING) if name in fields else cls.find(name)
    if isinstance(default, FieldValue):
        if "default_factory" in default.options:
            return it.call(default.options["default_factory"], [], {}, node)
        return default.options.get("default", MISSING)
    return default


def initialize_dataclass(it: Interpreter, instance: InstanceValue, call: Call, base: ClassValue | None = None) -> None:
    """What the `__init__` of a dataclass does: of the instance's class, or of one that it derives from."""
    cls = base or instance.cls
    names = _initialized(cls)
    positional, only_keywords, passed_on = _parameters(cls, names)
    bound: dict[str, Value] | None = None
    if len(call.args) > len(positional):
        count = len(positional)
        it.fail(
            call.node, "array-call", f"TypeError: {cls.name}() takes {count} arguments, but {len(call.args)} were given"
        )
    else:
        bound = bind_fields(it, cls, (*positional, *only_keywords), call)
    extra: list[Value] = []
    if bound is not None:
        extra = [bound.pop(name) for name in passed_on]
    if bound is None:
        bound = dict.fromkeys(names, Unknown("a field of an instance from wrong arguments"))
    else:
        for name in bound:
            bound[name] = check_field(it, cls, name, bound[name], call.node)
    it.journal.touch(instance)
    instance.attributes.update(bound)
    for name in fields_of(cls):
        if (
            name not in instance.attributes
            and name not in passed_on
            and (default := _default(it, cls, name, call.node)) is not MISSING
        ):
            instance.attributes[name] = default
    post = cls.find("__post_init__")
    if post is not MISSING:
        it.call(instance.cls.find("__post_init__"), [instance, *extra], {}, call.node)


def positional_fields(cls: ClassValue) -> list[str]:
    """The fields of a dataclass that `__init__` and patterns take by their positions, in order."""
    return _parameters(cls, _initialized(cls))[0]


def keyword_fields(cls: ClassValue) -> list[str]:
    """The fields of a dataclass that `__init__` takes by keyword only, in order."""
    return _parameters(cls, _initialized(cls))[1]


def _initialized(cls: ClassValue) -> list[str]:
    """The fields of a dataclass that `__init__` takes."""
    options = {name: owner.namespace.get(name) for name, (owner, _, _) in fields_of(cls).items()}
    return [n for n, o in options.items() if not (isinstance(o, FieldValue) and o.options.get("init") is False)]


def _parameters(cls: ClassValue, names: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Of the fields the positional ones, those by keyword only, and those that are only passed to `__post_init__`."""
    positional: list[str] = []
    only_keywords: list[str] = []
    passed_on: list[str] = []
    for name, (owner, annotation, _) in fields_of(cls).items():
        if name not in names:
            continue
        if "InitVar" in text_of(annotation):
            passed_on.append(name)
        option = owner.namespace.get(name)
        own = option.options.get("kw_only") if isinstance(option, FieldValue) else None
        after_marker = False
        for other, (marker, _) in owner.fields.items():
            if other == name:
                break
            after_marker = after_marker or text_of(marker).endswith("KW_ONLY")
        is_keyword = own if own is not None else after_marker or owner.options.get("kw_only") is True
        (only_keywords if is_keyword else positional).append(name)
    return positional, only_keywords, passed_on


def check_field(it: Interpreter, cls: ClassValue, name: str, value: Value, node: ast.AST | None) -> Value:
    """A field's value, held against its annotation: for the dtype only, since scan and vmap batch what fields hold."""
    for base in cls.mro:
        if isinstance(base, ClassValue) and name in base.fields:
            annotation, frame = base.fields[name]
            what = f"field {name!r} of {cls.name}"
            own = Frame(frame, "function", frame.module)
            return it.check_annotation(annotation, value, node, frame, own, what, is_fixed=_is_fixed(cls, name))
    return value


def _is_fixed(cls: ClassValue, name: str) -> bool:
    """Whether a field of a dataclass is no part of a tree, so that nothing batches or traces what it holds."""
    if cls.kind != "dataclass":
        return False
    return cls.pytree is None or (
        isinstance(cls.pytree, ByFields) and cls.pytree.data is not None and name not in cls.pytree.data
    )
