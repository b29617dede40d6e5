"""Operators of arrays: by our own rules where they know enough, else as jax has them."""

from __future__ import annotations

import ast
import operator
from typing import Any, Final

from arraytyping.checker.flow.engines import numpy as numpy_engine
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.engines.index_checks import check_item
from arraytyping.checker.flow.engines.rules import OperatorNames
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.stateful import is_stateful_class
from arraytyping.checker.flow.values import MISSING, ArrayValue, NumPyValue, Value, is_concrete
from arraytyping.checker.flow.values.calls import Call

__all__ = ["binary", "by_rule", "getitem", "unary"]

REFLECTED: Final = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


def by_rule(engines: Together, it: Interpreter, name: str, call: Call) -> Value:
    """What our own rule of this name gives; MISSING if there is none, or if too little is known for it."""
    try:
        return engines.rules.evaluate(it, name, call)
    except Abort:
        return MISSING


def binary(engines: Together, it: Interpreter, op: str, a: Value, b: Value, node: ast.AST | None) -> Value:
    """An operator of which an operand is an array."""
    if not isinstance(a, ArrayValue) and not isinstance(b, ArrayValue):
        return numpy_engine.binary(it, op, a, b, node)
    if is_stateful_class(type(a)) or is_stateful_class(type(b)):
        return engines.call(it, getattr(operator, op), Call([a, b], {}, node))
    stem = OperatorNames.get(op)
    if stem is not None:
        left = isinstance(a, ArrayValue)
        name = f"Array.__{stem}__" if left else f"Array.__{REFLECTED.get(stem, 'r' + stem)}__"
        found = by_rule(engines, it, name, Call([a, b] if left else [b, a], {}, node))
        if found is not MISSING:
            return found
    other = b if isinstance(a, ArrayValue) else a
    if is_concrete(other) and type(other).__module__ not in ("builtins", "numpy", "enum"):
        with it.quietly():  # which may have an operator of its own
            suppressed = it.suppressed
            result = engines.call(it, getattr(operator, op), Call([a, b], {}, node))
        return it.unknown("an operator of a library's object") if it.suppressed > suppressed else result
    return engines.call(it, getattr(operator, op), Call([a, b], {}, node))


def unary(engines: Together, it: Interpreter, op: str, a: Value, node: ast.AST | None) -> Value:
    """A unary operator of an array."""
    if isinstance(a, NumPyValue):
        return numpy_engine.unary(it, op, a, node)
    found = by_rule(engines, it, f"Array.__{op}__", Call([a], {}, node))
    return found if found is not MISSING else engines.call(it, getattr(operator, op), Call([a], {}, node))


def getitem(engines: Together, it: Interpreter, a: ArrayValue, index: Value, node: ast.AST | None) -> Value:
    """`a[index]`."""
    check_item(it, a, index, node)
    found = by_rule(engines, it, "Array.__getitem__", Call([a, index], {}, node))
    return found if found is not MISSING else engines.call(it, _getitem, Call([a, index], {}, node))


def _getitem(a: Any, index: Value) -> Value:
    return a[index]
