"""What is done with a tree of unknown structure: a dict or another node of which only the leaves are known, or a leaf.

What only an array can do, or is asked of one, is done with a leaf: of a node it would be an error of the program.
"""

from __future__ import annotations

import ast
from typing import Final

from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, CALL, ITEM, ITERATE, PUT_ITEM, Items
from arraytyping.checker.flow.state.forgetting import forget_reachable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    ArrayValue,
    HandlerValue,
    IteratorValue,
    OpenTree,
    Unknown,
    Value,
    walk,
)
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_OF_DICTS: Final = ("copy", "get", "items", "keys", "pop", "setdefault", "unfreeze", "values")
"""What a dict of parameters has; what else it has is not known."""
_OF_ARRAYS: Final = frozenset({
    "T", "aval", "all", "any", "astype", "at", "block_until_ready", "clip", "dot", "dtype", "flatten", "item",
    "itemsize", "max", "mean", "min", "nbytes", "ndim", "ravel", "reshape", "shape", "size", "squeeze", "std", "sum",
    "swapaxes", "transpose", "var",
})  # fmt: skip


@ITERATE(OpenTree)
def _iterate(it: Interpreter, value: OpenTree, node: ast.AST | None) -> Items:
    it.obscure += 1  # a leaf may be no sequence
    return None, Unknown(value.why)  # keys, or parts


@ATTRIBUTE(OpenTree)
def _attribute(it: Interpreter, value: OpenTree, name: str, node: ast.AST | None) -> Value:
    leaf = value.leaf
    if leaf is None:
        return Unknown(value.why)
    if name in _OF_ARRAYS and value.is_of_dicts:  # of a record it may be a field
        it.path_uncertain += 1
        try:
            return it.get_attribute(leaf, name, node)
        finally:
            it.path_uncertain -= 1
    if name not in _OF_DICTS:
        if not name.startswith("__") and name not in _OF_ARRAYS:  # it may be a method that writes into it
            _write(it, value, Unknown(value.why))
        return Unknown(value.why)
    return HandlerValue(name, lambda i, call: _method(i, value, name, call), (), (name, id(value)))


def _method(it: Interpreter, value: OpenTree, name: str, call: Call) -> Value:
    """What a method of a dict gives."""
    part = value.part()
    if name in ("copy", "unfreeze"):
        return Unknown(value.why) if call.values else value.of(value.leaf)
    if name in ("get", "pop", "setdefault"):
        if name == "setdefault":
            _write(it, value, *call.args[1:])
        # Of `FrozenDict` it is a pair, which what is done with a tree is not done with.
        return part if len(call.args) == 1 and not call.kwargs else Unknown(value.why)
    if name == "keys":
        return Unknown(value.why)
    return IteratorValue(None, part if name == "values" else (Unknown(value.why), part))


@ITEM(OpenTree)
def _item(it: Interpreter, owner: OpenTree, index: Value, node: ast.AST | None) -> Value:
    return owner.part()


@PUT_ITEM(OpenTree)
def _put_item(it: Interpreter, owner: OpenTree, index: Value, value: Value, node: ast.AST | None) -> None:
    it.obscure += 1
    _write(it, owner, value)


def _write(it: Interpreter, owner: OpenTree, *values: Value) -> None:
    """Something is written into a tree; what it is a part of is known as before if that is as its leaves are."""
    leaf = owner.leaf
    if leaf is None or all(_is_as(leaf, value) for value in values):
        return
    it.engines.havoc(it, list(values))
    forget_reachable(it.journal.touch, owner, "what was written into a tree")


def _is_as(leaf: ArrayValue, value: Value) -> bool:
    """Whether all leaves of a value are as one is."""
    arrays = [v for v in walk(value) if isinstance(v, ArrayValue)]
    is_of_arrays = value.leaf is not None if isinstance(value, OpenTree) else isinstance(value, ArrayValue)
    known = (leaf.aval.dtype, leaf.aval.weak_type)
    return is_of_arrays and all((a.aval.dtype, a.aval.weak_type) == known and a.traced is leaf.traced for a in arrays)


@CALL(OpenTree)
def _call(it: Interpreter, function: OpenTree, call: Call) -> Value:
    it.engines.havoc(it, call.values)
    return it.unknown(function.why)
