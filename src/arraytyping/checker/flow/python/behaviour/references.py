"""References to arrays that can be written, as JAX has them: their items and attributes.

Source: https://docs.jax.dev/en/latest/array_refs.html.
"""

from __future__ import annotations

import ast

from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, ITEM
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, ArrayValue, RefValue, Value
from arraytyping.semantics.avals import ShapedArray

__all__ = ["content"]


def content(it: Interpreter, ref: RefValue) -> ArrayValue:
    """The array as it is now; while a function is followed live, how a gradient goes through it is not followed."""
    aval = ref.aval
    weak = None if it.engines.is_live and aval.weak_type is not False else aval.weak_type
    return ArrayValue(ShapedArray(aval.shape, aval.dtype, weak), it.staged > 0, ref.origin)


@ITEM(RefValue)
def _item(it: Interpreter, ref: RefValue, index: Value, node: ast.AST | None) -> Value:
    array = content(it, ref)
    if index is Ellipsis:
        return array
    found = it.engines.getitem(it, array, index, node)
    if isinstance(found, ArrayValue) and array.aval.weak_type is not False:
        return ArrayValue(ShapedArray(found.aval.shape, found.aval.dtype, None), found.traced, found.origin)
    return found


@ATTRIBUTE(RefValue)
def _attribute(it: Interpreter, ref: RefValue, name: str, node: ast.AST | None) -> Value:
    if name in ("shape", "dtype", "ndim", "size", "weak_type"):
        return it.engines.attribute(it, content(it, ref), name, node)
    if hasattr(it.engines.jax.private.REF, name):
        return it.unknown(f"attribute {name} of a reference")
    return MISSING if not hasattr(it.engines.jax.jax.Array, name) else it.unknown(f"attribute {name} of a reference")
