"""Whether a value is true, as `if` and `not` ask."""

from __future__ import annotations

import ast
import os
from typing import Any

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.not_known import static_advice
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BaseValue,
    DictValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    SetValue,
    UnionValue,
    Unknown,
    Value,
)
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import size_of

__all__ = ["truth"]


def truth(it: Interpreter, value: Value, node: ast.AST | None) -> bool | None:
    """Whether a value is true; None if that is not known.

    A tracer has no truth, and an array of several elements has none: that is a mistake.
    """
    if value is True or value is False:
        return bool(value)
    # Its `__bool__` may raise, as that of a tracer does.
    if isinstance(value, Unknown):
        it.obscure += 1
        return None
    if isinstance(value, ScalarValue):
        # A size has bounds: with rows at all, `if len(x):` is decided although their number is not known.
        if value.size is not None:
            low, high = value.size.bounds()
            if (low is not None and low > 0) or (high is not None and high < 0):
                return True
        return None
    if isinstance(value, ArrayValue):
        return _of_array(it, value, node)
    if isinstance(value, NumPyValue):
        if value.data is not None and value.data.size == 1:
            return bool(value.data)
        if value.shape is not None and (size := size_of(value.shape)) is not None and size > 1:
            it.fail(
                node,
                "array-shape",
                f"the truth of a NumPy array of shape {value.shape} is ambiguous; use .any() or .all()",
            )
        return None
    if isinstance(value, ListValue | DictValue | SetValue):
        if value.items is None:
            return False if value.element is MISSING else None
        return bool(value.items)
    if isinstance(value, UnionValue):
        with it.quietly():
            known = {truth(it, v, node) for v in value.values}
        return known.pop() if len(known) == 1 else None
    if isinstance(value, InstanceValue):
        for name in ("__bool__", "__len__"):
            if (method := value.cls.find(name)) is not MISSING:
                return truth(it, it.call(method, [value], {}, node), node)
        return True
    if isinstance(value, tuple):
        return len(value) > 0
    if isinstance(value, BaseValue):
        return True
    if value is os.environ:
        return None
    try:
        return bool(value)
    except Exception as error:
        swallow(error)
        return None


def _of_array(it: Interpreter, value: ArrayValue, node: ast.AST | None) -> bool | None:
    aval = value.aval
    size = aval.size
    if size is not None and size != 1:
        it.fail(
            node,
            "array-shape",
            f"the truth of an array of shape {_shown(aval.shape)} is ambiguous; use .any() or .all()",
        )
    elif value.traced:
        it.fail(
            node,
            "array-traced",
            f"the truth of a tracer {aval} is asked for, which has no value yet; use jnp.where or jax.lax.cond, or "
            f"{static_advice(it, [value], node) or 'mark the argument as static'}",
        )
    elif aval.value is not None:
        return bool(aval.value)
    return None


def _shown(shape: Any) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
