"""Bits: logic and shifts of integers, elementwise.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.calling import convert_to, operation
from arraytyping.core import Primitive
from arraytyping.lax import integers as lax
from arraytyping.numpy.promoting import joined, numeric_dtype, one_rank, promoted
from arraytyping.scalars import KINDS

__all__ = [
    "bitwise_and", "bitwise_count", "bitwise_invert", "bitwise_left_shift", "bitwise_not", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor", "invert", "left_shift", "right_shift",
]  # fmt: skip


def _logic(name: str, primitive: Primitive) -> Callable[..., Any]:
    def function(x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
        return primitive.bind(*one_rank(*promoted(x, y)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`jax.numpy.{name}`, elementwise."
    return operation(f"numpy.{name}", "x", "y")(function)


bitwise_and = _logic("bitwise_and", lax.bitwise_and_p)
bitwise_or = _logic("bitwise_or", lax.bitwise_or_p)
bitwise_xor = _logic("bitwise_xor", lax.bitwise_xor_p)


def _not(name: str) -> Callable[..., Any]:
    def function(x: Any, /) -> Any:
        return lax.bitwise_not_p.bind(x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The bits inverted, elementwise: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "x")(function)


bitwise_not, bitwise_invert, invert = _not("bitwise_not"), _not("bitwise_invert"), _not("invert")


def _numeric(x: Any, y: Any) -> list[Any]:
    dtype, weak = joined(x, y)
    number = numeric_dtype(dtype)
    return one_rank(*(convert_to(v, number, weak and number == dtype) for v in (x, y)))


def _left(name: str) -> Callable[..., Any]:
    def function(x: Any, y: Any, /) -> Any:
        return lax.shift_left_p.bind(*_numeric(x, y))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The bits of x moved up by y, elementwise: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "x", "y")(function)


def _right(name: str) -> Callable[..., Any]:
    def function(x1: Any, x2: Any, /) -> Any:
        x, y = _numeric(x1, x2)
        signed = KINDS[x.aval.dtype] == "i"
        return (lax.shift_right_arithmetic_p if signed else lax.shift_right_logical_p).bind(x, y)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The bits of x1 moved down by x2, elementwise, the sign kept: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "x1", "x2")(function)


left_shift, bitwise_left_shift = _left("left_shift"), _left("bitwise_left_shift")
right_shift, bitwise_right_shift = _right("right_shift"), _right("bitwise_right_shift")


@operation("numpy.bitwise_count", "x")
def bitwise_count(x: Any, /) -> Any:
    """The number of bits set in the absolute value, elementwise: `jax.numpy.bitwise_count`."""
    if x.aval.dtype == "bool":
        return convert_to(x, "uint8")
    magnitude = lax.abs_p.bind(x) if KINDS[x.aval.dtype] == "i" else x
    return convert_to(lax.population_count_p.bind(magnitude), "uint8")
