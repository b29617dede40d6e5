"""Quotients and remainders of whole numbers, and common divisors, elementwise.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping.numpy.parts import magnitude
from arraytyping.numpy.promoting import (
    chosen,
    in_result_dtype,
    in_result_type,
    is_float,
    joined,
    kind_of,
    one_rank,
)
from arraytyping.runtime.calling import answered
from arraytyping.runtime.lax.aggregates import reduce_or_p
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, mul_p, sub_p
from arraytyping.runtime.lax.comparisons import eq_p, lt_p, ne_p
from arraytyping.runtime.lax.complex_numbers import ones_like
from arraytyping.runtime.lax.control_flow import while_loop
from arraytyping.runtime.lax.integers import bitwise_and_p, rem_p, round_p, sign_p
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray

__all__ = ["divmod", "floor_divide", "fmod", "gcd", "lcm", "mod", "remainder"]


def _is_not_zero(x: Any) -> Any:
    return ne_p.bind(x, constant_like(x, 0))


def _float_divmod(x: Any, y: Any) -> tuple[Any, Any]:
    """The quotient, rounded down, and the remainder, of the divisor's sign."""
    rest = rem_p.bind(x, y)
    numerator = chosen(eq_p.bind(y, constant_like(y, 0)), x, sub_p.bind(x, rest))
    quotient = div_p.bind(numerator, y)
    differs = bitwise_and_p.bind(_is_not_zero(rest), ne_p.bind(sign_p.bind(y), sign_p.bind(rest)))
    rest = chosen(differs, add_p.bind(rest, y), rest)
    quotient = chosen(differs, sub_p.bind(quotient, constant_like(quotient, 1)), quotient)
    return round_p.bind(quotient, rounding_method=0), rest


def _floor_divide(x: Any, y: Any) -> Any:
    kind = kind_of(x)
    if kind == "u":
        return div_p.bind(x, y)
    if kind == "f":
        return _float_divmod(x, y)[0]
    quotient = div_p.bind(x, y)
    differs = bitwise_and_p.bind(ne_p.bind(sign_p.bind(x), sign_p.bind(y)), _is_not_zero(rem_p.bind(x, y)))
    return chosen(differs, sub_p.bind(quotient, constant_like(quotient, 1)), quotient)


def _remainder(x: Any, y: Any) -> Any:
    """The remainder, of the divisor's sign; of a division of an integer by 0 it is 0."""
    if not is_float(x):
        y = chosen(_is_not_zero(y), y, ones_like(y))
    rest = rem_p.bind(x, y)
    zero = constant_like(rest, 0)
    is_of_other_sign = ne_p.bind(lt_p.bind(rest, zero), lt_p.bind(y, zero))
    return chosen(bitwise_and_p.bind(is_of_other_sign, _is_not_zero(rest)), add_p.bind(rest, y), rest)


def _of_two(name: str, compute: Callable[[Any, Any], Any], doc: str) -> Callable[[Any, Any], Any]:
    def function(answer: ShapedArray | tuple[ShapedArray, ...], x1: Any, x2: Any, /) -> Any:
        both = answer[0] if isinstance(answer, tuple) else answer
        return compute(*one_rank(*in_result_dtype(both, x1, x2)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc}, elementwise: `jax.numpy.{name}`."
    return answered(f"numpy.{name}", "x1", "x2")(function)


def _divmod(x: Any, y: Any) -> tuple[Any, Any]:
    return _float_divmod(x, y) if is_float(x) else (_floor_divide(x, y), _remainder(x, y))


floor_divide: Final = _of_two("floor_divide", _floor_divide, "The quotient, rounded down")
remainder: Final = _of_two("remainder", _remainder, "The remainder, of the divisor's sign")
mod: Final = _of_two("mod", _remainder, "The remainder, of the divisor's sign")
divmod: Final = _of_two("divmod", _divmod, "The quotient, rounded down, and the remainder")


@answered("numpy.fmod", "x1", "x2")
def fmod(answer: ShapedArray, x1: Any, x2: Any, /) -> Any:
    """The remainder, of the sign of what is divided, elementwise: `jax.numpy.fmod`."""
    x, y = one_rank(*in_result_dtype(answer, x1, x2))
    if KINDS[joined(x1, x2).dtype] in "iu":  # of bool JAX divides by 0
        y = chosen(_is_not_zero(y), y, ones_like(y))
    return rem_p.bind(x, y)


def _gcd(x: Any, y: Any) -> Any:
    """Euclid's algorithm, on all elements at once, of two arrays of one shape that are not negative."""

    def goes_on(pair: tuple[Any, Any]) -> Any:
        rest = _is_not_zero(pair[1])
        axes = tuple(range(len(rest.aval.shape)))
        return reduce_or_p.bind(rest, axes=axes) if axes else rest

    def step(pair: tuple[Any, Any]) -> tuple[Any, Any]:
        a, b = pair
        is_left = _is_not_zero(b)
        # not 0 where it divides: what that would give is not chosen, but is an error on some devices
        rest = rem_p.bind(a, chosen(is_left, b, ones_like(b)))
        return chosen(is_left, b, a), chosen(is_left, rest, constant_like(b, 0))

    return while_loop(goes_on, step, (x, y))[0]


@answered("numpy.gcd", "x1", "x2")
def gcd(answer: ShapedArray, x1: Any, x2: Any) -> Any:
    """The greatest common divisor, elementwise: `jax.numpy.gcd`."""
    return _gcd(*map(magnitude, in_result_type(answer, x1, x2)))


@answered("numpy.lcm", "x1", "x2")
def lcm(answer: ShapedArray, x1: Any, x2: Any) -> Any:
    """The least common multiple, elementwise: `jax.numpy.lcm`."""
    x, y = map(magnitude, in_result_type(answer, x1, x2))
    divisor = _gcd(x, y)
    is_some = _is_not_zero(divisor)
    multiple = mul_p.bind(x, _floor_divide(y, chosen(is_some, divisor, ones_like(divisor))))
    return chosen(is_some, multiple, constant_like(divisor, 0))
