"""Whether a value is true, as `if` and `not` ask."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.state.behaviour import TRUTH
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import Value

__all__ = ["truth"]


def truth(it: Interpreter, value: Value, node: ast.AST | None) -> bool | None:
    """Whether a value is true; None if that is not known.

    A tracer has no truth, and an array of several elements has none: that is a mistake.
    """
    if value is True or value is False:
        return bool(value)
    return TRUTH.of(value)(it, value, node)
