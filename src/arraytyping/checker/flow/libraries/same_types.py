"""Two values that JAX takes only where their types are the same: what is known of one is known of the other.

What goes into a loop and what comes out of it, and what two branches give, have the same structure, and leaf by leaf
the same dtype and shape; only a weak type gives way to a strong one.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html.
"""

from __future__ import annotations

from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    InstanceValue,
    ListValue,
    TreeValue,
    Unknown,
    Value,
    remake_tuple,
)
from arraytyping.checker.flow.values.origins import place_of
from arraytyping.semantics.avals import Shape, ShapedArray

__all__ = ["same_types"]


def same_types(a: Value, b: Value) -> Value:
    """What is known of either of two values of the same type; where they contradict each other, what joins them."""
    if a is b:
        return a
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return _perhaps_strong(a if isinstance(b, Unknown) else b)
    if type(a) is ArrayValue and type(b) is ArrayValue:
        return _array(a, b)
    if type(a) is not type(b):
        return join(a, b)
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return remake_tuple(a, [same_types(x, y) for x, y in zip(a, b)])
    if isinstance(a, ListValue) and isinstance(b, ListValue) and type(a) is ListValue:
        if a.items is not None and b.items is not None and len(a.items) == len(b.items):
            return ListValue([same_types(x, y) for x, y in zip(a.items, b.items)], kind=a.kind)
    elif isinstance(a, DictValue) and isinstance(b, DictValue):
        if a.items is not None and b.items is not None and a.items.keys() == b.items.keys():
            items = {key: same_types(value, b.items[key]) for key, value in a.items.items()}
            return DictValue(items, kind=a.kind, factory=a.factory)
    elif isinstance(a, InstanceValue) and isinstance(b, InstanceValue):
        if a.cls is b.cls and a.cls.pytree is not None and a.attributes.keys() == b.attributes.keys():
            attributes = {name: same_types(value, b.attributes[name]) for name, value in a.attributes.items()}
            return InstanceValue(a.cls, attributes)
    elif isinstance(a, TreeValue) and isinstance(b, TreeValue) and a.structure == b.structure:
        return TreeValue(a.treedef, tuple(same_types(x, y) for x, y in zip(a.leaves, b.leaves)))
    return join(a, b)


def _perhaps_strong(value: Value) -> Value:
    """An array beside which another of the same type is unknown: one of a weak type may give way, with its dtype."""
    if type(value) is not ArrayValue or value.aval.weak_type is False:
        return value
    return _made(value, value.aval.shape, None, None)


def _array(a: ArrayValue, b: ArrayValue) -> Value:
    if a.aval.dtype == b.aval.dtype:
        dtype = a.aval.dtype
        weak = a.aval.weak_type if a.aval.weak_type is b.aval.weak_type else None
        if dtype is not None and False in (a.aval.weak_type, b.aval.weak_type):
            weak = False
    elif a.aval.dtype is None or b.aval.dtype is None:
        # The unknown one has the dtype of the other, unless that is weak, and gives way.
        known = a if b.aval.dtype is None else b
        is_strong = known.aval.weak_type is False
        dtype, weak = (known.aval.dtype, False) if is_strong else (None, None)
    else:
        dtype = weak = None  # one of them is weak and gives way, or jax refuses
    return _made(a, _shape(a.aval.shape, b.aval.shape), dtype, weak)


def _shape(a: Shape | None, b: Shape | None) -> Shape | None:
    if a is None or b is None:
        return b if a is None else a
    if len(a) != len(b):
        return None
    return tuple(y if x is None else x if y is None or x == y else None for x, y in zip(a, b))


def _made(array: ArrayValue, shape: Shape | None, dtype: str | None, weak: bool | None) -> ArrayValue:
    made = ArrayValue(ShapedArray(shape, dtype, weak), array.traced, place_of(array.origin))
    made.life = array.life
    return made
