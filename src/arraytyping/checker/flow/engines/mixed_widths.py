"""Arrays of 64 bits that are left where x64 was switched off again.

Whether jax narrows them hangs on the function, and on what it has compiled before: `jnp.sum` gives 32 bits,
`jax.nn.sigmoid` 64, or 32 if it was first called with x64 off.  So neither is claimed.

Source: https://docs.jax.dev/en/latest/default_dtypes.html.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arraytyping.checker.flow.values import ArrayValue, Value, mapped, walk
from arraytyping.semantics.avals import ShapedArray

__all__ = ["are_wide", "without_width"]

_WIDE: Final = frozenset({"int64", "uint64", "float64", "complex128"})
_EITHER: Final = _WIDE | {"int32", "uint32", "float32", "complex64"}


def are_wide(values: Iterable[Value]) -> bool:
    """Whether there is an array of 64 bits among them, or in them."""
    return any(isinstance(v, ArrayValue) and v.aval.dtype in _WIDE for value in values for v in walk(value))


def without_width(value: Value) -> Value:
    """The value with arrays whose dtype is unknown where it is of 32 or 64 bits."""
    if isinstance(value, ArrayValue):
        if value.aval.dtype not in _EITHER:
            return value
        return value.like(ShapedArray(value.aval.shape, None, None), value.traced)
    return mapped(value, without_width)
