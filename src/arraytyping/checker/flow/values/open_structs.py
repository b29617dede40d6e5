"""Concrete objects that describe an array of a size that is not known, such as a `jax.ShapeDtypeStruct`."""

from __future__ import annotations

from arraytyping.checker.flow.values.basic import BaseValue, Value

__all__ = ["holds_open_struct", "is_open_struct"]


def is_open_struct(value: Value) -> bool:
    """Whether a concrete object has a shape with symbols in it."""
    if isinstance(value, BaseValue) or not hasattr(value, "dtype"):
        return False
    shape = getattr(value, "shape", ())
    return isinstance(shape, tuple) and any(not isinstance(size, int) for size in shape)


def holds_open_struct(value: Value) -> bool:
    """Whether it is one, or a tuple with one in it."""
    return any(map(holds_open_struct, value)) if isinstance(value, tuple) else is_open_struct(value)
