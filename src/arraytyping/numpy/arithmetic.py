"""Sums, differences and products, elementwise.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.calling import operation
from arraytyping.lax import arithmetic as lax
from arraytyping.numpy.promoting import one_rank, promoted, promoted_inexact

__all__ = ["add", "divide", "multiply", "subtract", "true_divide"]


@operation("numpy.add", "x", "y")
def add(x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """Sum, elementwise: `jax.numpy.add`."""
    x, y = one_rank(*promoted(x, y))
    if x.aval.dtype == "bool":
        from arraytyping.numpy.bitwise import bitwise_or

        return bitwise_or(x, y)
    return lax.add_p.bind(x, y)


@operation("numpy.subtract", "x", "y")
def subtract(x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """Difference, elementwise: `jax.numpy.subtract`."""
    return lax.sub_p.bind(*one_rank(*promoted(x, y)))


@operation("numpy.multiply", "x", "y")
def multiply(x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """Product, elementwise: `jax.numpy.multiply`."""
    x, y = one_rank(*promoted(x, y))
    if x.aval.dtype == "bool":
        from arraytyping.numpy.bitwise import bitwise_and

        return bitwise_and(x, y)
    return lax.mul_p.bind(x, y)


@operation("numpy.true_divide", "x", "y")
def true_divide(x: Any, y: Any, /) -> Any:
    """Quotient, elementwise: `jax.numpy.true_divide`."""
    return lax.div_p.bind(*one_rank(*promoted_inexact(x, y)))


@operation("numpy.divide", "x", "y")
def divide(x: Any, y: Any, /) -> Any:
    """Quotient, elementwise: `jax.numpy.divide`."""
    return lax.div_p.bind(*one_rank(*promoted_inexact(x, y)))
