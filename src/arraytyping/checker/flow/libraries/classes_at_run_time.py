"""Classes that a program makes by a call of `type`, and the names that `dir` gives.

Source: https://docs.python.org/3/library/functions.html#dir.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Final

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.classes import make_class
from arraytyping.checker.flow.python.fields import FieldValue
from arraytyping.checker.flow.python.held_containers import is_container
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    ANY_ATTRIBUTE,
    MISSING,
    ClassValue,
    DictValue,
    InstanceValue,
    ListValue,
    ScalarValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["made_by_type"]

_OF_STATEMENTS: Final = ("__firstlineno__", "__static_attributes__") if sys.version_info >= (3, 13) else ()
"""What a class statement gives a class, and a call of `type` does not."""
_OF_FLAX: Final = ("_flax_dataclass", "replace")


def made_by_type(it: Interpreter, call: Call) -> Value:
    """`type(name, bases, namespace)`."""
    name, bases, namespace = call.args
    items = namespace.items if isinstance(namespace, DictValue) else None
    if not _is_text(name) or type(bases) is not tuple or items is None or not all(map(_is_text, items)) or call.kwargs:
        it.engines.havoc(it, call.values)
        return it.unknown("a class that is made by type()")
    return make_class(it, str(name), bases, items, it.frame, call.node)


def _is_text(value: Value) -> bool:
    return type(value) is str


@handles("builtins.dir")
def _dir(it: Interpreter, call: Call) -> Value:
    """The names of a module's, class's or instance's attributes, in order, where all of them are known."""
    value = call.args[0] if len(call.args) == 1 and not call.kwargs else None
    cls = value.cls if isinstance(value, InstanceValue) else value
    attributes = set(value.attributes) if isinstance(value, InstanceValue) else set()
    if not isinstance(cls, ClassValue) or ANY_ATTRIBUTE in attributes or cls.find("__dir__") is not MISSING:
        return ListValue(None, ScalarValue(str))
    names = _names(cls)
    if names is None or (isinstance(value, InstanceValue) and is_container(value)):
        return ListValue(None, ScalarValue(str))
    return ListValue([*sorted(names | attributes)])


def _names(cls: ClassValue) -> set[str] | None:
    """The names in a class and those it derives from; None where a library has made a part of them."""
    if sys.version_info >= (3, 14) or "metaclass" in cls.options or "real class" in cls.options:
        return None
    found = set(dir(type("", (), {})))
    for base in cls.mro:
        if base is object:
            continue
        adapter = base.options.get("adapter") if isinstance(base, ClassValue) else None
        if not isinstance(base, ClassValue) or base.kind not in ("plain", "dataclass") or "__slots__" in base.namespace:
            if getattr(base, "__name__", "") != "PyTreeNode":
                return None
            found |= set(dir(base))
            continue
        is_of_flax = getattr(adapter, "__module__", "").endswith("flax_struct")
        if base.kind == "dataclass":
            if base.pytree is not None and not is_of_flax:  # a decorator has made it one, and may have added names
                return None
            found |= set(dir(dataclasses.make_dataclass("", [], frozen=base.options.get("frozen") is True)))
            found |= {*_OF_FLAX} if is_of_flax else set()
        found |= set(_OF_STATEMENTS) if base.node is not None else set()
        found |= {"__annotations__"} if base.fields else set()
        found |= {name for name, held in base.namespace.items() if not _is_bare_field(held)}
    return found


def _is_bare_field(held: Value) -> bool:
    """Whether it is a field without a default, which `dataclass` takes out of the class."""
    return isinstance(held, FieldValue) and "default" not in held.options
