"""Subscripts: items of containers, and indexing of arrays, which an engine does."""

from __future__ import annotations

import ast
import itertools

from arraytyping.checker.flow.state.behaviour import ITEM, PUT_ITEM
from arraytyping.checker.flow.state.branching import of_each
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, NumPyValue, UnionValue, Value, type_name

__all__ = ["as_index", "get", "get_each", "not_subscriptable", "put"]


def get(it: Interpreter, owner: Value, index: Value, node: ast.AST | None) -> Value:
    """`owner[index]`."""
    if type(index) is UnionValue and type(owner) is not ArrayValue:
        return get_each(it, owner, index, node)
    return ITEM.of(owner)(it, owner, index, node)


def put(it: Interpreter, owner: Value, index: Value, value: Value, node: ast.AST | None) -> None:
    """`owner[index] = value`."""
    PUT_ITEM.of(owner)(it, owner, as_index(index), value, node)


def get_each(it: Interpreter, owner: Value, index: Value, node: ast.AST | None) -> Value:
    """`owner[index]` where the owner, the index or both are one of several values."""
    owners = owner.values if isinstance(owner, UnionValue) else (owner,)
    indices = index.values if isinstance(index, UnionValue) else (index,)
    return of_each(it, [*itertools.product(owners, indices)], lambda pair: get(it, *pair, node))


def not_subscriptable(it: Interpreter, owner: Value, index: Value, node: ast.AST | None) -> Value:
    """Report that a value has no items that an index names."""
    return it.fail(node, "array-call", f"TypeError: {type_name(owner)!r} object is not subscriptable")


def as_index(index: Value) -> Value:
    """An index of a sequence as a Python int, where it is known."""
    if (
        isinstance(index, NumPyValue)
        and index.data is not None
        and index.data.ndim == 0
        and index.data.dtype.kind in "iu"
    ):
        return int(index.data)
    if isinstance(index, slice):
        return slice(*(as_index(part) for part in (index.start, index.stop, index.step)))
    if isinstance(index, ArrayValue) and type(index.aval.value) is int and not index.traced:
        return index.aval.value
    return index
