"""Values without names of sizes that are no longer those of one thing: sizes that are made of them are not known."""

from __future__ import annotations

from collections.abc import Collection

from arraytyping.checker.flow.values import ArrayValue, InstanceValue, ListValue, NumPyValue, ScalarValue, Value, mapped
from arraytyping.semantics.avals import Shape, ShapedArray
from arraytyping.semantics.sizes.dims import of_dim
from arraytyping.semantics.sizes.polynomials import Size

__all__ = ["without_names"]


def without_names(value: Value, names: Collection[str], depth: int = 0) -> Value:
    """The value where each size that depends on one of these symbols is unknown; containers are others then."""
    if not names or depth > _DEPTH:
        return value
    if isinstance(value, ArrayValue):
        shape = _shape(value.aval.shape, names)
        if shape == value.aval.shape:
            return value
        array = value.another()
        array.aval = ShapedArray(shape, value.aval.dtype, value.aval.weak_type)
        return array
    if isinstance(value, NumPyValue):
        shape = _shape(value.shape, names)
        return value if shape == value.shape else NumPyValue(shape, value.dtype, origin=value.origin)
    if isinstance(value, ScalarValue):
        return ScalarValue(*value.kinds, is_data=value.is_data) if _is_of(value.size, names) else value
    if isinstance(value, InstanceValue):
        held = {name: without_names(part, names, depth + 1) for name, part in value.attributes.items()}
        return value if all(held[n] is p for n, p in value.attributes.items()) else InstanceValue(value.cls, held)
    if isinstance(value, ListValue) and _is_of(value.length, names):
        value.length = None
    changes = [0]

    def change(part: Value) -> Value:
        made = without_names(part, names, depth + 1)
        changes[0] += made is not part
        return made

    made = mapped(value, change)
    return made if changes[0] else value


_DEPTH = 12
"""How deep values are looked into; what is below it are no arrays of a program."""


def _is_of(size: Size | None, names: Collection[str]) -> bool:
    return size is not None and any(symbol.name in names for symbol in size.symbols)


def _shape(shape: Shape | None, names: Collection[str]) -> Shape | None:
    if shape is None:
        return None
    return tuple(None if not isinstance(dim, int) and _is_of(of_dim(dim), names) else dim for dim in shape)
