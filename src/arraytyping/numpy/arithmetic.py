"""Sums, differences and products, elementwise.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.numpy.promoting import one_rank, promoted, promoted_inexact
from arraytyping.numpy.ufuncs import binary_ufunc
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax import arithmetic as lax
from arraytyping.runtime.lax.integers import bitwise_and_p, bitwise_or_p

__all__ = ["add", "divide", "multiply", "subtract", "true_divide"]


@binary_ufunc(0, reduce="sum", accumulate="cumsum", at="add")
@operation("numpy.add", "x", "y")
def add(x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """Sum, elementwise: `jax.numpy.add`."""
    x, y = one_rank(*promoted(x, y))
    return (bitwise_or_p if x.aval.dtype == "bool" else lax.add_p).bind(x, y)


@binary_ufunc(None, at="subtract")
@operation("numpy.subtract", "x", "y")
def subtract(x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """Difference, elementwise: `jax.numpy.subtract`."""
    return lax.sub_p.bind(*one_rank(*promoted(x, y)))


@binary_ufunc(1, reduce="prod", accumulate="cumprod", at="mul")
@operation("numpy.multiply", "x", "y")
def multiply(x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """Product, elementwise: `jax.numpy.multiply`."""
    x, y = one_rank(*promoted(x, y))
    return (bitwise_and_p if x.aval.dtype == "bool" else lax.mul_p).bind(x, y)


@operation("numpy.true_divide", "x1", "x2")
def true_divide(x1: Any, x2: Any, /) -> Any:
    """Quotient, elementwise: `jax.numpy.true_divide`."""
    return lax.div_p.bind(*one_rank(*promoted_inexact(x1, x2)))


@operation("numpy.divide", "x1", "x2")
def divide(x1: Any, x2: Any, /) -> Any:
    """Quotient, elementwise: `jax.numpy.divide`."""
    return lax.div_p.bind(*one_rank(*promoted_inexact(x1, x2)))
