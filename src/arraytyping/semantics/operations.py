"""What tracing and calling need of the primitives above them; `lax` fills it when it is imported.

Zeros for a symbolic zero, sums of cotangents, batch dimensions moved, dtypes converted: each is a function of arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

__all__ = ["OPERATIONS", "Operations"]


class Operations:
    """Functions of arrays, by what they are needed for."""

    add: Callable[[Any, Any], Any]
    """The sum of two arrays of one type."""
    array_from: Callable[[Any], Any]
    """The array that an array-like is."""
    broadcast_at: Callable[[Any, int, int], Any]
    """An array repeated along a new dimension: its size, its place."""
    broadcast_to: Callable[[Any, tuple[int, ...]], Any]
    """An array repeated to a shape, dimensions aligned at the end."""
    convert: Callable[..., Any]
    """An array in another dtype: `convert(x, new_dtype=..., weak_type=...)`."""
    full_of: Callable[[Any, Any], Any]
    """An array of one value, with this abstract value."""
    moveaxis: Callable[[Any, int, int], Any]
    """An array with one dimension at another place."""
    reduce_sum: Callable[[Any, tuple[int, ...]], Any]
    """The sum over dimensions."""
    lying_as: Callable[[Any, Any], Any]
    """An array cut along explicit axes as this abstract value says."""
    on_auto_axes: Callable[[Any], Any]
    """An array of a type that says nothing of how it is cut."""
    computed_into: Callable[[str, Callable[..., Any], Any, Any, Any], Any]
    """The result of a function of arrays, cut as an `out_sharding` says."""
    reshape: Callable[[Any, tuple[int, ...]], Any]
    """The elements in another shape."""


OPERATIONS: Final = Operations()
