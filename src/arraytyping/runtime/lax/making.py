"""Public functions of `jax.lax` that are one elementwise primitive each.

They are made from the primitive, since they have nothing of their own: the name, the rule and what they compute are
the primitive's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive

__all__ = ["accurate_function", "binary_function", "unary_function"]


def unary_function(primitive: Primitive) -> Callable[..., Any]:
    """The function of one array that is this primitive."""

    def function(x: Any) -> Any:
        return primitive.bind(x)

    return _named(function, primitive, "x")


def accurate_function(primitive: Primitive) -> Callable[..., Any]:
    """The same, with JAX's parameter `accuracy`, which is left to XLA."""

    def function(x: Any, *, accuracy: Any = None) -> Any:
        return primitive.bind(x)

    return _named(function, primitive, "x")


def binary_function(primitive: Primitive) -> Callable[..., Any]:
    """The function of two arrays that is this primitive."""

    def function(x: Any, y: Any) -> Any:
        return primitive.bind(x, y)

    return _named(function, primitive, "x", "y")


def _named(function: Callable[..., Any], primitive: Primitive, *arrays: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = primitive.name
    function.__doc__ = f"`jax.lax.{primitive.name}`, elementwise, of operands of one dtype."
    return operation(f"lax.{primitive.name}", *arrays, how="inline")(function)
