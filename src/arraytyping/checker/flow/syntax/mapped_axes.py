"""An axis that is taken away from all arrays of a value, as a mapped function sees them, and put on again.

Sources: https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html and
https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html.
"""

from __future__ import annotations

import ast

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays, to_array
from arraytyping.checker.flow.values import ArrayValue, RefValue, Value
from arraytyping.checker.flow.values.origins import place_of
from arraytyping.semantics.avals import Shape, ShapedArray
from arraytyping.semantics.sizes.dims import Dim

__all__ = ["item_along", "outside", "stacked_along"]


def item_along(it: Interpreter, value: Value, axis: int, sizes: list[Dim], node: ast.AST | None) -> Value:
    """A tracer of one item of each array along an axis, whose sizes are noted as far as there is this axis."""

    def change(leaf: Value) -> Value:
        if isinstance(leaf, RefValue):
            aval = leaf.aval
            return RefValue(ShapedArray(_without(aval.shape, axis), aval.dtype, aval.weak_type), leaf.origin)
        array = to_array(it, leaf, node)
        if not isinstance(array, ArrayValue):
            return leaf
        shape = array.aval.shape
        rest = _without(shape, axis)
        if shape is not None and rest is not None:
            sizes.append(shape[axis])
        return ArrayValue(ShapedArray(rest, array.aval.dtype, array.aval.weak_type), True, place_of(array.origin))

    return map_arrays(it, value, change, node)


def stacked_along(it: Interpreter, value: Value, axis: int, size: Dim, is_inside: bool, node: ast.AST | None) -> Value:
    """Each array with an axis of this size more; it is a tracer if the call is inside of a trace."""

    def change(leaf: Value) -> Value:
        array = to_array(it, leaf, node)
        if not isinstance(array, ArrayValue):
            return leaf
        aval, shape = array.aval, None
        if aval.shape is not None and -len(aval.shape) <= axis + (axis < 0) <= len(aval.shape):
            place = axis % (len(aval.shape) + 1)
            shape = (*aval.shape[:place], size, *aval.shape[place:])
        return outside(it, array, ShapedArray(shape, aval.dtype, aval.weak_type), is_inside)

    return map_arrays(it, value, change, node)


def outside(it: Interpreter, array: ArrayValue, aval: ShapedArray, is_inside: bool) -> ArrayValue:
    """What an array of an inner trace is outside of it."""
    made = ArrayValue(aval, is_inside, place_of(array.origin))
    made.life = it.life if is_inside else None
    return made


def _without(shape: Shape | None, axis: int) -> Shape | None:
    """The shape of an item along an axis; None if there is none."""
    if shape is None or not -len(shape) <= axis < len(shape):
        return None
    return tuple(dim for i, dim in enumerate(shape) if i != axis % len(shape))
