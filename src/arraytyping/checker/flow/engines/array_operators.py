"""Operators of arrays: by our own rules where they know enough, else as jax has them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from arraytyping.checker.flow.engines import numpy as numpy_engine
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.engines.index_checks import check_item
from arraytyping.checker.flow.engines.rules import OperatorNames
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.state.certainty import with_data_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.stateful import is_stateful_class
from arraytyping.checker.flow.values import MISSING, ArrayValue, NumPyValue, Value, is_concrete
from arraytyping.checker.flow.values.calls import Call

__all__ = ["binary", "by_rule", "by_rule_or_jax", "getitem", "unary"]

REFLECTED: Final = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


def by_rule(engines: Together, it: Interpreter, name: str, call: Call, *, jax_refused: bool = False) -> Value:
    """What our own rule of this name gives; MISSING if there is none, or if too little is known for it."""
    try:
        return engines.rules.evaluate(it, name, call, jax_refused=jax_refused)
    except Abort:
        return MISSING


def by_rule_or_jax(engines: Together, it: Interpreter, name: str, call: Call, function: Value, asked: Call) -> Value:
    """What our own rule gives, or else jax, whose `function` is asked; our rule again where jax cannot tell either.

    That is where sizes meet of which it is not known whether they are the same.
    """
    found = by_rule(engines, it, name, call)
    if found is not MISSING:
        return found
    return engines.call(it, function, asked, partial(by_rule, engines, it, name, call, jax_refused=True))


def binary(engines: Together, it: Interpreter, op: str, a: Value, b: Value, node: ast.AST | None) -> Value:
    """An operator of which an operand is an array."""
    if not isinstance(a, ArrayValue) and not isinstance(b, ArrayValue):
        return with_data_of(numpy_engine.binary(it, op, a, b, node), (a, b))
    if is_stateful_class(type(a)) or is_stateful_class(type(b)):
        return engines.call(it, getattr(operator, op), Call([a, b], {}, node))
    stem = OperatorNames.get(op)
    otherwise: Callable[[], Value] | None = None
    if stem is not None:
        left = isinstance(a, ArrayValue)
        name = f"Array.__{stem}__" if left else f"Array.__{REFLECTED.get(stem, 'r' + stem)}__"
        call = Call([a, b] if left else [b, a], {}, node)
        found = by_rule(engines, it, name, call)
        if found is not MISSING:
            return found
        otherwise = partial(by_rule, engines, it, name, call, jax_refused=True)
    other = b if isinstance(a, ArrayValue) else a
    if is_concrete(other) and type(other).__module__ not in ("builtins", "numpy", "enum"):
        with it.quietly():  # which may have an operator of its own
            suppressed = it.suppressed
            result = engines.call(it, getattr(operator, op), Call([a, b], {}, node))
        return it.unknown("an operator of a library's object") if it.suppressed > suppressed else result
    return engines.call(it, getattr(operator, op), Call([a, b], {}, node), otherwise)


def unary(engines: Together, it: Interpreter, op: str, a: Value, node: ast.AST | None) -> Value:
    """A unary operator of an array."""
    if isinstance(a, NumPyValue):
        return with_data_of(numpy_engine.unary(it, op, a, node), (a,))
    call = Call([a], {}, node)
    return by_rule_or_jax(engines, it, f"Array.__{op}__", call, getattr(operator, op), call)


def getitem(engines: Together, it: Interpreter, a: ArrayValue, index: Value, node: ast.AST | None) -> Value:
    """`a[index]`."""
    check_item(it, a, index, node)
    call = Call([a, index], {}, node)
    return by_rule_or_jax(engines, it, "Array.__getitem__", call, _getitem, call)


def _getitem(a: Any, index: Value) -> Value:
    return a[index]
