"""Iteration: the items of what can be iterated, as far as they are known."""

from __future__ import annotations

import ast
from typing import Final

from arraytyping.checker.flow.state.behaviour import ITERATE, Items
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, ListValue, NumPyValue, Value, type_name
from arraytyping.semantics.sizes.dims import of_dim
from arraytyping.semantics.sizes.polynomials import Size, constant

__all__ = ["MOST_ITEMS", "iterate", "length_of", "not_iterable"]

MOST_ITEMS: Final = 4096
"""Of what has more, one value stands for each item."""


def iterate(it: Interpreter, value: Value, node: ast.AST | None) -> Items:
    """The items, or None and one value that describes each of them (MISSING if there surely are none).

    What an iterator still holds is used up.
    """
    return ITERATE.of(value)(it, value, node)


def not_iterable(it: Interpreter, value: Value, node: ast.AST | None) -> Items:
    """Report that a value has no items."""
    return None, it.fail(node, "array-call", f"TypeError: {type_name(value)!r} object is not iterable")


def length_of(value: Value) -> Size | None:
    """How many items there are, where that is known of them all: a number, or a size with a name."""
    if type(value) is ListValue:
        return value.length if value.items is None else constant(len(value.items))
    shape = value.aval.shape if isinstance(value, ArrayValue) else getattr(value, "shape", None)
    return of_dim(shape[0]) if isinstance(value, ArrayValue | NumPyValue) and shape else None
