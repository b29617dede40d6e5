"""What is done with classes of the program, and with `super()`."""

from __future__ import annotations

import ast
import typing

from arraytyping.checker.flow.python.attributes_of_classes import of_class, of_super
from arraytyping.checker.flow.python.instantiation import instantiate
from arraytyping.checker.flow.python.iteration import not_iterable
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, CALL, ITEM, ITERATE, PUT_ATTRIBUTE, Items
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ClassValue, Descriptor, SuperValue, Value

__all__: list[str] = []

CALL(ClassValue)(instantiate)

ATTRIBUTE(ClassValue)(of_class)
ATTRIBUTE(SuperValue)(of_super)


@ITERATE(ClassValue)
def _iterate(it: Interpreter, value: ClassValue, node: ast.AST | None) -> Items:
    if value.kind == "unknown":
        return None, it.unknown("the items of a class that is not understood")
    return not_iterable(it, value, node)


@ITEM(ClassValue)
def _item(it: Interpreter, owner: ClassValue, index: Value, node: ast.AST | None) -> Value:
    """What a class gives for its parameters: itself, unless it says how."""
    if isinstance(method := owner.find("__class_getitem__"), Descriptor):
        return it.call(method.function, [owner, index], {}, node)
    is_generic = "metaclass" not in owner.options or typing.Generic in owner.mro
    return owner if is_generic else it.unknown("a subscript of a class whose metaclass is not understood")


@PUT_ATTRIBUTE(ClassValue)
def _put_attribute(it: Interpreter, owner: ClassValue, name: str, value: Value, node: ast.AST | None) -> None:
    it.journal.touch(owner)
    owner.namespace[name] = value
