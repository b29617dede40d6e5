"""What is done with iterators and generators."""

from __future__ import annotations

import ast
import types

from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, ITERATE, Items
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.laziness import spoil
from arraytyping.checker.flow.values import MISSING, IteratorValue, MethodOf, Value

__all__: list[str] = []


@ITERATE(IteratorValue)
def _iterate(it: Interpreter, value: IteratorValue, node: ast.AST | None) -> Items:
    spoil(it, value)
    if value.items is None:
        return None, value.element
    items = list(value.items)
    if not value.infinite and items:
        it.journal.touch(value)
        value.items = []
    return items, MISSING


@ATTRIBUTE(IteratorValue)
def _attribute(it: Interpreter, value: IteratorValue, name: str, node: ast.AST | None) -> Value:
    is_method = callable(getattr(types.GeneratorType, name, None))
    return MethodOf(value, name) if is_method else it.unknown(f"attribute {name} of an iterator")
