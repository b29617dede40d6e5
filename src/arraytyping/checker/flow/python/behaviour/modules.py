"""What is done with modules of the program."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.python.calling import not_callable
from arraytyping.checker.flow.python.iteration import not_iterable
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, CALL, ITERATE, PUT_ATTRIBUTE
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ModuleValue, Value

__all__: list[str] = []

CALL(ModuleValue)(not_callable)

ITERATE(ModuleValue)(not_iterable)


@ATTRIBUTE(ModuleValue)
def _attribute(it: Interpreter, value: ModuleValue, name: str, node: ast.AST | None) -> Value:
    return it.importer.attribute(it, value, name)


@PUT_ATTRIBUTE(ModuleValue)
def _put_attribute(it: Interpreter, owner: ModuleValue, name: str, value: Value, node: ast.AST | None) -> None:
    it.journal.bind(owner.module.frame, name, value)
