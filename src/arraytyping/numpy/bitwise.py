"""Bits: logic and shifts of integers, elementwise.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping.numpy.promoting import in_result_dtype, kind_of, one_rank, promoted_numeric
from arraytyping.numpy.ufuncs import binary_ufunc, ufunc
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import answered, operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax import integers as lax
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "bitwise_and", "bitwise_count", "bitwise_invert", "bitwise_left_shift", "bitwise_not", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor", "invert", "left_shift", "right_shift",
]  # fmt: skip


def _logic(name: str, primitive: Primitive, identity: int) -> ufunc:
    def function(answer: ShapedArray, x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
        return primitive.bind(*one_rank(*in_result_dtype(answer, x, y)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`jax.numpy.{name}`, elementwise."
    return binary_ufunc(identity, reduce=name)(answered(f"numpy.{name}", "x", "y")(function))


bitwise_and: Final = _logic("bitwise_and", lax.bitwise_and_p, -1)
bitwise_or: Final = _logic("bitwise_or", lax.bitwise_or_p, 0)
bitwise_xor: Final = _logic("bitwise_xor", lax.bitwise_xor_p, 0)


def _not(name: str) -> Callable[[Any], Any]:
    def function(x: Any, /) -> Any:
        return lax.bitwise_not_p.bind(x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The bits inverted, elementwise: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "x")(function)


bitwise_not: Final = _not("bitwise_not")
bitwise_invert: Final = _not("bitwise_invert")
invert: Final = _not("invert")


def _left(name: str) -> Callable[[Any, Any], Any]:
    def function(answer: ShapedArray, x: Any, y: Any, /) -> Any:
        return lax.shift_left_p.bind(*one_rank(*in_result_dtype(answer, x, y)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The bits of x moved up by y, elementwise: `jax.numpy.{name}`."
    return answered(f"numpy.{name}", "x", "y")(function)


def _right(name: str) -> Callable[[Any, Any], Any]:
    def function(answer: ShapedArray, x1: Any, x2: Any, /) -> Any:
        x, y = one_rank(*in_result_dtype(answer, x1, x2))
        return (lax.shift_right_arithmetic_p if kind_of(x) == "i" else lax.shift_right_logical_p).bind(x, y)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The bits of x1 moved down by x2, elementwise, the sign kept: `jax.numpy.{name}`."
    return answered(f"numpy.{name}", "x1", "x2")(function)


left_shift: Final = _left("left_shift")
bitwise_left_shift: Final = _left("bitwise_left_shift")
right_shift: Final = _right("right_shift")
bitwise_right_shift: Final = _right("bitwise_right_shift")


@operation("numpy.bitwise_count", "x")
def bitwise_count(x: Any, /) -> Any:
    """The number of bits set in the absolute value, elementwise: `jax.numpy.bitwise_count`."""
    (x,) = promoted_numeric(x)
    magnitude = lax.abs_p.bind(x) if kind_of(x) == "i" else x
    return convert_to(lax.population_count_p.bind(magnitude), "uint8")
