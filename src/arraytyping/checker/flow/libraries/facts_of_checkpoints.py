"""`arraytyping.facts.restored`: what comes back from a checkpoint of such a value."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays, to_array
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    InstanceValue,
    NumPyValue,
    ScalarValue,
    UnionValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.avals import ShapedArray

Node = ast.AST | None

__all__ = ["restored"]


def restored(it: Interpreter, target: Value, node: Node) -> Value:
    """What is restored into `target`: its structure, dtypes and shapes, with other values.

    Where there is no checkpoint yet it is `target` itself; one of another state would be a mistake in any case.
    """
    if target is None or isinstance(target, Unknown):
        return it.unknown("what a file holds")
    return map_arrays(it, target, lambda leaf: _leaf(it, leaf, node), node, is_sorted=False)


def _leaf(it: Interpreter, leaf: Value, node: Node) -> Value:
    if isinstance(leaf, NumPyValue):
        return NumPyValue(leaf.shape, leaf.dtype)
    if isinstance(leaf, bool | int | float | complex | str | bytes):
        return ScalarValue(type(leaf))
    if leaf is None or isinstance(leaf, ScalarValue | UnionValue | Unknown):
        return leaf
    if isinstance(leaf, InstanceValue) and leaf.cls.find("set_state") is not MISSING:
        return leaf  # an iterator of a data set, which is given its state back
    jax = it.engines.jax
    if isinstance(leaf, jax.ShapeDtypeStruct):
        return ArrayValue(ShapedArray(tuple(leaf.shape), jax.dtype_name(leaf.dtype), False))
    array = to_array(it, leaf, node)
    if not isinstance(array, ArrayValue):
        return it.unknown("what a file holds")
    aval = array.aval
    return ArrayValue(ShapedArray(aval.shape, aval.dtype, False if aval.weak_type is False else None))


@handles("arraytyping.facts.restored")
def _restored(it: Interpreter, call: Call) -> Value:
    target = call.argument(0, "target")
    return restored(it, target, call.node)
