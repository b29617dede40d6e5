"""An axis that is taken away from all arrays of a value, as a mapped function sees them, and put on again.

Sources: https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html and
https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html.
"""

from __future__ import annotations

import ast
from functools import partial

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays, to_array
from arraytyping.checker.flow.values import ArrayValue, NumPyValue, RefValue, Value
from arraytyping.checker.flow.values.origins import place_of
from arraytyping.semantics.avals import Shape, ShapedArray
from arraytyping.semantics.sizes.dims import Dim, any_differ

__all__ = ["item_along", "of_one_length", "outside", "stacked_along"]


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


def of_one_length(it: Interpreter, values: list[Value], axes: list[Value], node: ast.AST | None) -> list[Value]:
    """The values with one size along the axes that are mapped: jax takes no others, so it is known from any of them.

    An axis that is no number, since an argument is mapped along several or none, is left as it is.
    """
    sizes: list[Dim] = []
    for value, axis in zip(values, axes):
        if type(axis) is int:
            item_along(it, value, axis, sizes, node)
    known = [*dict.fromkeys(size for size in sizes if size is not None)]
    numbers = [size for size in known if isinstance(size, int)]
    if not known or len(numbers) > 1 or len({*sizes}) == 1 or any(any_differ([known[0], one]) for one in known[1:]):
        return values
    size = (numbers or known)[0]

    def change(leaf: Value, axis: int) -> Value:
        array = to_array(it, leaf, node) if isinstance(leaf, NumPyValue) else leaf
        shape = array.aval.shape if isinstance(array, ArrayValue) else None
        if not isinstance(array, ArrayValue) or array.real is not None or shape is None:
            return leaf
        if _without(shape, axis) is None or shape[axis] == size:
            return leaf
        at = axis % len(shape)
        made = array.another()
        made.aval = ShapedArray((*shape[:at], size, *shape[at + 1 :]), array.aval.dtype, array.aval.weak_type)
        return made

    return [
        map_arrays(it, value, partial(change, axis=axis), node) if type(axis) is int else value
        for value, axis in zip(values, axes)
    ]


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
