"""What is done with iterators and generators."""

from __future__ import annotations

import ast
import types
from functools import partial

from arraytyping.checker.flow.python.methods import call_listed
from arraytyping.checker.flow.python.methods_of_iterators import ITERATOR_METHODS
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, ITERATE, METHOD, Items
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.laziness import spoil
from arraytyping.checker.flow.values import MISSING, IteratorValue, MethodOf, Value

__all__: list[str] = []

METHOD(IteratorValue)(partial(call_listed, ITERATOR_METHODS))


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
