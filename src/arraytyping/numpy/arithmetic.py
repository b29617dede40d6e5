"""Sums, differences and products, elementwise.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.numpy.promoting import in_result_dtype, one_rank
from arraytyping.numpy.ufuncs import binary_ufunc
from arraytyping.runtime.calling import answered
from arraytyping.runtime.lax import arithmetic as lax
from arraytyping.runtime.lax.integers import bitwise_and_p, bitwise_or_p
from arraytyping.semantics.avals import ShapedArray

__all__ = ["add", "divide", "multiply", "subtract", "true_divide"]


@binary_ufunc(0, reduce="sum", accumulate="cumsum", at="add")
@answered("numpy.add", "x", "y")
def add(answer: ShapedArray, x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """Sum, elementwise: `jax.numpy.add`."""
    x, y = one_rank(*in_result_dtype(answer, x, y))
    return (bitwise_or_p if x.aval.dtype == "bool" else lax.add_p).bind(x, y)


@binary_ufunc(None, at="subtract")
@answered("numpy.subtract", "x", "y")
def subtract(answer: ShapedArray, x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """Difference, elementwise: `jax.numpy.subtract`."""
    return lax.sub_p.bind(*one_rank(*in_result_dtype(answer, x, y)))


@binary_ufunc(1, reduce="prod", accumulate="cumprod", at="mul")
@answered("numpy.multiply", "x", "y")
def multiply(answer: ShapedArray, x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """Product, elementwise: `jax.numpy.multiply`."""
    x, y = one_rank(*in_result_dtype(answer, x, y))
    return (bitwise_and_p if x.aval.dtype == "bool" else lax.mul_p).bind(x, y)


@answered("numpy.true_divide", "x1", "x2")
def true_divide(answer: ShapedArray, x1: Any, x2: Any, /) -> Any:
    """Quotient, elementwise: `jax.numpy.true_divide`."""
    return lax.div_p.bind(*one_rank(*in_result_dtype(answer, x1, x2)))


@answered("numpy.divide", "x1", "x2")
def divide(answer: ShapedArray, x1: Any, x2: Any, /) -> Any:
    """Quotient, elementwise: `jax.numpy.divide`."""
    return lax.div_p.bind(*one_rank(*in_result_dtype(answer, x1, x2)))
