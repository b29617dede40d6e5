"""Classes of the program: their definition."""

from __future__ import annotations

import abc
import ast
import enum
import typing
from typing import Any

from arraytyping.checker.flow.python.enumerations import make_enum
from arraytyping.checker.flow.python.metaclasses import forget_metaclass, initialize_class, is_made_otherwise
from arraytyping.checker.flow.python.named_tuples import derive_namedtuple, is_named_tuple, make_namedtuple
from arraytyping.checker.flow.python.slots import hide_by_slots
from arraytyping.checker.flow.state.certainty import doubting
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    ASKS_FOR_EACH,
    MISSING,
    REGISTERS,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    InstanceValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["define", "make_class"]


_PLAIN_BASES = ("typing", "typing_extensions", "abc", "builtins", "collections.abc")


def define(it: Interpreter, node: ast.ClassDef, frame: Frame) -> Value:
    """The value of a `class` statement, its decorators applied."""
    bases = []
    for base in node.bases:
        bases.append(it.evaluate(base.value if isinstance(base, ast.Starred) else base, frame))
    keywords = _keywords(it, node, frame)
    body = Frame(frame, "class", frame.module)
    body.mark = it.journal.mark
    with it.in_frame(body), doubting(it, body):
        it.execute(node.body, body)
    cls = ClassValue(node.name, tuple(bases), body.variables, frame.module)
    cls.node = node
    if it.definitions is not None:
        it.definitions.add(node, cls)
    for value in body.variables.values():
        _own(value, cls)
    _inherit(cls, bases)
    hide_by_slots(cls)
    if isinstance(cls.namespace.get("__getattribute__"), FunctionValue):
        cls.options[ASKS_FOR_EACH] = True
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            cls.fields[statement.target.id] = (statement.annotation, body)
    for name in ("__init_subclass__", "__class_getitem__"):
        if isinstance(function := cls.namespace.get(name), FunctionValue):
            cls.namespace[name] = Descriptor("classmethod", function)
    value = _special(it, cls, bases, keywords, node)
    for name, held in list(cls.namespace.items()):
        if isinstance(held, InstanceValue) and (method := held.cls.find("__set_name__")) is not MISSING:
            it.call(method, [held, value, name], {}, node)
    _tell_bases(it, cls, keywords, node)
    initialize_class(it, cls, keywords, node)
    decorators = [it.evaluate(d, frame) for d in node.decorator_list]
    for decorator, at in zip(reversed(decorators), reversed(node.decorator_list)):
        value = it.call(decorator, [value], {}, at)
    return value


def make_class(
    it: Interpreter,
    name: str,
    bases: tuple[Value, ...],
    namespace: dict[str, Value],
    frame: Frame,
    node: ast.AST | None,
) -> Value:
    """The class that `type(name, bases, namespace)` makes; of its fields no types are known."""
    cls = ClassValue(name, bases, dict(namespace), frame.module)
    annotations = cls.namespace.pop("__annotations__", None)
    if isinstance(annotations, DictValue) and annotations.items is not None:
        anything = Frame(None, "module", frame.module)
        anything.variables["Any"] = typing.Any
        cls.fields.update((str(name), (ast.Name("Any", ast.Load()), anything)) for name in annotations.items)
    elif annotations is not None:
        return it.unknown("a class of unknown fields")
    _inherit(cls, list(bases))
    statement = ast.ClassDef(name, [], [], [], [])
    made = _special(it, cls, list(bases), {}, ast.copy_location(statement, node) if node is not None else statement)
    _tell_bases(it, cls, {}, statement)
    initialize_class(it, cls, {}, statement)
    return made


def _keywords(it: Interpreter, node: ast.ClassDef, frame: Frame) -> dict[str, Value]:
    """The keywords of a `class` statement; where some are not known there may be a metaclass among them."""
    keywords: dict[str, Any] = {}
    for keyword in node.keywords:
        value = it.evaluate(keyword.value, frame)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        elif isinstance(value, DictValue) and value.items is not None and all(isinstance(k, str) for k in value.items):
            keywords.update(value.items)
        else:
            keywords["metaclass"] = it.unknown("the keywords of a class")
    return keywords


def _own(value: Value, cls: ClassValue) -> None:
    """Methods know their class, for `super()`; also those below decorators."""
    for _ in range(6):
        if isinstance(value, FunctionValue):
            if value.owner is None and value.frame.kind == "class":
                value.owner = cls
            return
        wrapped = getattr(value, "wraps", None)
        value = wrapped[0] if wrapped else getattr(value, "function", None)


def _inherit(cls: ClassValue, bases: list[Value]) -> None:
    ours = [b for b in bases if isinstance(b, ClassValue)]
    others = [b for b in bases if not isinstance(b, ClassValue)]
    cls.mro = [cls, *_merge([*(list(b.mro) for b in ours), list(ours)]), *others]
    kinds = {base.kind for base in ours}
    cls.kind = next((kind for kind in ("unknown", "dataclass") if kind in kinds), "plain")
    for base in reversed(ours):
        cls.pytree = (
            base.pytree if base.pytree is not None and getattr(base.pytree, "is_inherited", False) else cls.pytree
        )
        cls.options.update(base.options)


def _merge(sequences: list[list[Value]]) -> list[Value]:
    """The C3 linearization, as https://www.python.org/download/releases/2.3/mro/ describes it."""
    merged: list[Value] = []
    sequences = [s for s in sequences if s]
    while sequences:
        for sequence in sequences:
            head = sequence[0]
            if not any(any(head is c for c in s[1:]) for s in sequences):
                break
        else:
            head = sequences[0][0]
        merged.append(head)
        sequences = [r for s in sequences if (r := [c for c in s if c is not head])]
    return merged


def _special(it: Interpreter, cls: ClassValue, bases: list[Any], keywords: dict[str, Any], node: ast.ClassDef) -> Value:
    """What the bases that are no classes of the program make of a class."""
    if (metaclass := keywords.get("metaclass", type)) is not type and metaclass is not abc.ABCMeta:
        cls.options["metaclass"] = metaclass
    if is_made_otherwise(cls):
        cls.kind = "unknown"
        forget_metaclass(it, cls.options["metaclass"])
        return cls
    if metaclass is abc.ABCMeta:
        cls.options.setdefault(REGISTERS, False)
    for base in bases:
        if isinstance(base, ClassValue):
            if (adapter := base.options.get("adapter")) is not None:
                return adapter(it, cls, base, keywords, node)
            if base.kind == "namedtuple" and base.tuple_type is not None:
                return derive_namedtuple(it, cls, base.tuple_type)
            continue
        if is_named_tuple(base):
            return make_namedtuple(it, cls, list(cls.fields))
        if isinstance(base, type) and issubclass(base, enum.Enum):
            return make_enum(it, cls, base, [b for b in bases if isinstance(b, type) and b is not base])
        if isinstance(base, Unknown):
            cls.kind = "unknown"
            cls.options["metaclass"] = base
            continue
        origin = typing.get_origin(base) or base
        is_standard = getattr(origin, "__module__", "") in (
            "builtins",
            "collections",
            "collections.abc",
        )  # `dict[str, int]`
        adapter = it.registry.find_base(origin if is_standard else base)
        if adapter is not None:
            return adapter(it, cls, base, keywords, node)
        module = getattr(origin, "__module__", "") or ""
        if module in _PLAIN_BASES or origin is object:
            own = isinstance(origin, type) and (origin.__module__ == "builtins" or issubclass(origin, type))
            if own and origin is not object and not issubclass(origin, BaseException):
                cls.kind = "unknown"
            continue
        cls.kind = "unknown"
        if isinstance(origin, type) and type(origin) is not type and type(origin) is not abc.ABCMeta:
            cls.options["metaclass"] = type(origin)
    return cls


def _tell_bases(it: Interpreter, cls: ClassValue, keywords: dict[str, Value], node: ast.ClassDef) -> None:
    """The first `__init_subclass__` of the bases learns of a new class."""
    for base in cls.mro[1:]:
        if isinstance(base, ClassValue) and "__init_subclass__" in base.namespace:
            init = base.namespace["__init_subclass__"]
            function = init.function if isinstance(init, Descriptor) else init
            if isinstance(function, FunctionValue):
                it.call(function, [cls], {k: v for k, v in keywords.items() if k != "metaclass"}, node)
            return
