"""Bits, remainders, signs and rounding, elementwise.

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.arithmetic import constant_like, div_p, mul_p, neg_p
from arraytyping.runtime.lax.making import binary_function, unary_function
from arraytyping.runtime.lax.nary import elementwise

__all__ = [
    "abs", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "ceil", "clz", "floor", "population_count", "rem",
    "round", "shift_left", "shift_right_arithmetic", "shift_right_logical", "sign",
]  # fmt: skip

bitwise_and_p: Final = elementwise("bitwise_and")
bitwise_or_p: Final = elementwise("bitwise_or")
bitwise_xor_p: Final = elementwise("bitwise_xor")
bitwise_not_p: Final = elementwise("bitwise_not")
shift_left_p: Final = elementwise("shift_left")
shift_right_arithmetic_p: Final = elementwise("shift_right_arithmetic")
shift_right_logical_p: Final = elementwise("shift_right_logical")
population_count_p: Final = elementwise("population_count")
clz_p: Final = elementwise("clz")
floor_p: Final = elementwise("floor")
ceil_p: Final = elementwise("ceil")
round_p: Final = elementwise("round")


def _towards_zero(x: Any, y: Any) -> Any:
    """The integer part of the quotient, which `rem` takes off."""
    from arraytyping.runtime.lax.choices import select_n_p
    from arraytyping.runtime.lax.comparisons import lt_p

    quotient = div_p.bind(x, y)
    negative = lt_p.bind(quotient, constant_like(quotient, 0))
    return select_n_p.bind(negative, floor_p.bind(quotient), ceil_p.bind(quotient))


rem_p: Final = elementwise(
    "rem",
    lambda g, ans, x, y: g,
    lambda g, ans, x, y: mul_p.bind(neg_p.bind(g), _towards_zero(x, y)),
)


sign_p: Final = elementwise("sign")  # constant in pieces; JAX takes that of complex numbers as constant too


def _abs_tangent(g: Any, ans: Any, x: Any) -> Any:
    if x.aval.dtype.startswith("complex"):
        from arraytyping.runtime.lax.complex_numbers import abs_tangent

        return abs_tangent(g, ans, x)
    from arraytyping.runtime.lax.choices import select_n_p
    from arraytyping.runtime.lax.comparisons import ge_p

    return select_n_p.bind(ge_p.bind(x, constant_like(x, 0)), neg_p.bind(g), g)  # at 0 as of positive ones, as in JAX


abs_p: Final = elementwise("abs", _abs_tangent)

bitwise_and: Final = binary_function(bitwise_and_p)
bitwise_or: Final = binary_function(bitwise_or_p)
bitwise_xor: Final = binary_function(bitwise_xor_p)
shift_left: Final = binary_function(shift_left_p)
shift_right_arithmetic: Final = binary_function(shift_right_arithmetic_p)
shift_right_logical: Final = binary_function(shift_right_logical_p)
rem: Final = binary_function(rem_p)
bitwise_not: Final = unary_function(bitwise_not_p)
population_count: Final = unary_function(population_count_p)
clz: Final = unary_function(clz_p)
floor: Final = unary_function(floor_p)
ceil: Final = unary_function(ceil_p)
sign: Final = unary_function(sign_p)
abs: Final = unary_function(abs_p)


@operation("lax.round", "x", how="inline")
def round(x: Any, rounding_method: int = 0) -> Any:
    """`jax.lax.round`: to the nearest integer, halves away from zero (0) or to even (1)."""
    return round_p.bind(x, rounding_method=int(rounding_method))
