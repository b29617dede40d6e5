"""Powers, elementwise.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.power.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping import config
from arraytyping.numpy.promoting import (
    chosen,
    in_result_dtype,
    is_inexact,
    kind_of,
    one_rank,
    one_shape,
    promoted_numeric,
)
from arraytyping.runtime.array_likes import python_scalar
from arraytyping.runtime.call_arguments import known_value
from arraytyping.runtime.calling import answered, operation
from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.lax.arithmetic import constant_like, integer_pow_p, mul_p
from arraytyping.runtime.lax.comparisons import eq_p, ne_p
from arraytyping.runtime.lax.integers import bitwise_and_p, shift_right_logical_p
from arraytyping.runtime.lax.powers import pow_p
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import NARROW_INTEGER

__all__ = ["float_power", "pow", "power"]


def _integer_powers(x: Any, y: Any) -> Any:
    """Integers to integer powers, by repeated squaring over the 6 lower bits of the exponent."""
    x, y = one_shape(x, y)
    zero, one = constant_like(x, 0), constant_like(x, 1)
    result = chosen(bitwise_and_p.bind(eq_p.bind(x, zero), ne_p.bind(y, zero)), zero, one)
    for _ in range(6):
        is_set = ne_p.bind(bitwise_and_p.bind(y, one), zero)
        result = chosen(is_set, mul_p.bind(result, x), result)
        x = mul_p.bind(x, x)
        y = shift_right_logical_p.bind(y, one)
    return result


@operation("numpy.power", "x1", "x2")
def _power_of_operands(x1: Any, x2: Any, /) -> Any:
    """The power where the exponent is an operand as the base is."""
    x, y = promoted_numeric(x1, x2)
    if not is_inexact(x):
        return _integer_powers(x, y)
    if is_inexact(x1) and kind_of(x2) in "iu":
        return pow_p.bind(*one_rank(x1, x2))
    return pow_p.bind(*one_rank(x, y))


@operation("numpy.power", "x1", "x2", looks_at=("x2",), how="inline")
def _power_of_arrays(x1: Any, x2: Any, /) -> Any:
    exponent = None if x2.aval.dtype in NARROW_INTEGER else known_value(x2)
    if not isinstance(exponent, int):
        return _power_of_operands(x1, x2)
    return integer_pow_p.bind(*promoted_numeric(x1), y=int(exponent))


@answered("numpy.power", "x1")
def _integer_power(answer: ShapedArray, x1: Any, x2: int, /) -> Any:
    """The base multiplied by itself; the exponent may be any Python int."""
    return integer_pow_p.bind(*in_result_dtype(answer, x1), y=int(x2))


def _power(x1: Any, x2: Any) -> Any:
    if not isinstance(x2, int):
        return _power_of_arrays(x1, x2)
    if type(x1) is int and -(1 << 63) <= x1 < 1 << 64:  # it wraps around, where as an operand it would not fit
        default = config.promotion().default("int")
        x1 = TypedScalar(python_scalar(x1, default), ShapedArray((), default, True))
    return _integer_power(x1, x2)


def power(x1: Any, x2: Any, /) -> Any:
    """The base to the power of the exponent, elementwise: `jax.numpy.power`.

    An integer exponent without dimensions that is known multiplies the base by itself, whatever its dtype.
    """
    return _power(x1, x2)


def pow(x1: Any, x2: Any, /) -> Any:
    """The same as `power`: `jax.numpy.pow`."""
    return _power(x1, x2)


@answered("numpy.float_power", "x", "y")
def float_power(answer: ShapedArray, x: Any, y: Any, /) -> Any:
    """The base to the power of the exponent, in a floating or complex dtype, elementwise: `jax.numpy.float_power`."""
    return pow_p.bind(*one_rank(*in_result_dtype(answer, x, y)))
