"""What is done with one of several values: with each of them, as if the others were none."""

from __future__ import annotations

import ast
from functools import partial

from arraytyping.checker.flow.python import attributes
from arraytyping.checker.flow.python.iteration import iterate
from arraytyping.checker.flow.python.subscripts import get_each
from arraytyping.checker.flow.python.truth import truth
from arraytyping.checker.flow.state.behaviour import (
    ATTRIBUTE,
    CALL,
    ITEM,
    ITERATE,
    PUT_ATTRIBUTE,
    PUT_ITEM,
    TRUTH,
    Items,
)
from arraytyping.checker.flow.state.branching import branch, of_each, results_of_each, tried
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, join_all
from arraytyping.checker.flow.values import MISSING, UnionValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

ITEM(UnionValue)(get_each)


@ITERATE(UnionValue)
def _iterate(it: Interpreter, value: UnionValue, node: ast.AST | None) -> Items:
    found = results_of_each(it, value.values, lambda one: iterate(it, one, node))
    lengths = {None if items is None else len(items) for items, _ in found}
    if len(lengths) == 1 and None not in lengths:
        return [join_all(column) for column in zip(*(items or [] for items, _ in found))], MISSING
    return None, join_all(join(join_all(items or ()), element) for items, element in found)


@TRUTH(UnionValue)
def _truth(it: Interpreter, value: UnionValue, node: ast.AST | None) -> bool | None:
    known = {*results_of_each(it, value.values, lambda one: truth(it, one, node))}
    return known.pop() if len(known) == 1 else None


@ATTRIBUTE(UnionValue)
def _attribute(it: Interpreter, value: UnionValue, name: str, node: ast.AST | None) -> Value:
    found = results_of_each(it, value.values, lambda one: attributes.find(it, one, name, node))
    results = [attribute for attribute in found if attribute is not MISSING]
    return join_all(results) if results else MISSING


@PUT_ITEM(UnionValue)
def _put_item(it: Interpreter, owner: UnionValue, index: Value, value: Value, node: ast.AST | None) -> None:
    branch(it, it.frame, [tried(it, partial(it.put_item, one, index, value, None)) for one in owner.values])


@CALL(UnionValue)
def _call(it: Interpreter, function: UnionValue, call: Call) -> Value:
    """Call each in a state of its own; these are joined then."""
    callables = [one for one in function.values if one is not None]
    return of_each(it, callables, lambda one: it.call(one, *call)) if callables else MISSING


@PUT_ATTRIBUTE(UnionValue)
def _put_attribute(it: Interpreter, owner: UnionValue, name: str, value: Value, node: ast.AST | None) -> None:
    branch(it, it.frame, [tried(it, partial(it.put_attribute, one, name, value, None)) for one in owner.values])
