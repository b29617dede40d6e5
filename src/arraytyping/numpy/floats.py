"""How floats are made up: sign, mantissa, exponent, and the numbers next to them; elementwise.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; IEEE 754 for the layout of the bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from arraytyping.numpy.promoting import (
    chosen,
    in_result_dtype,
    in_result_type,
    is_float,
    one_rank,
    promoted_inexact,
)
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import answered, operation
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, mul_p, neg_p, sub_p
from arraytyping.runtime.lax.bitcasting import bitcast_convert_type_p
from arraytyping.runtime.lax.comparisons import eq_p, gt_p, lt_p, ne_p, nextafter_p
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.lax.elementary import exp2_p
from arraytyping.runtime.lax.integers import (
    abs_p,
    bitwise_and_p,
    bitwise_or_p,
    shift_right_arithmetic_p,
)
from arraytyping.runtime.lax.powers import pow_p
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.runtime.transformations.differentiation import float0_zeros
from arraytyping.scalars import bits
from arraytyping.semantics.avals import ShapedArray

__all__ = ["copysign", "frexp", "ldexp", "nextafter", "signbit", "spacing"]


def _bits_of(x: Any) -> Any:
    """The floats as integers of as many bits."""
    return bitcast_convert_type_p.bind(x, new_dtype=f"int{bits(x.aval.dtype)}")


def is_negative(x: Any) -> Any:
    """Whether the sign is minus, of -0.0 and NaN too."""
    if not is_float(x):
        if x.aval.dtype == "bool":
            return full_of(False, ShapedArray(x.aval.shape, "bool", False))
        return lt_p.bind(x, constant_like(x, 0))
    found = _bits_of(x)
    return lt_p.bind(found, constant_like(found, 0))


@operation("numpy.signbit", "x")
def signbit(x: Any, /) -> Any:
    """Whether the sign is minus, of -0.0 and NaN too: `jax.numpy.signbit`."""
    return is_negative(x)


def _with_sign_of(x: Any, y: Any) -> Any:
    magnitude = abs_p.bind(x)
    return chosen(is_negative(y), neg_p.bind(magnitude), magnitude)


@answered("numpy.copysign", "x1", "x2")
def copysign(answer: ShapedArray, x1: Any, x2: Any, /) -> Any:
    """The magnitude of x1 with the sign of x2, elementwise: `jax.numpy.copysign`."""
    return _with_sign_of(*in_result_dtype(answer, x1, x2))


@answered("numpy.nextafter", "x", "y")
def nextafter(answer: ShapedArray, x: Any, y: Any, /) -> Any:
    """The next number from x towards y, elementwise: `jax.numpy.nextafter`."""
    return nextafter_p.bind(*one_rank(*in_result_dtype(answer, x, y)))


@answered("numpy.spacing", "x")
def spacing(answer: ShapedArray, x: Any, /) -> Any:
    """The distance to the next number away from 0, elementwise: `jax.numpy.spacing`."""
    (x,) = in_result_dtype(answer, x)
    infinity = constant_like(x, math.inf)
    if x.aval.dtype == "float16":  # JAX's nextafter of it looks upwards only
        return sub_p.bind(nextafter_p.bind(x, infinity), x)
    distance = sub_p.bind(nextafter_p.bind(x, _with_sign_of(infinity, x)), x)
    least = constant_like(x, float(limits_of(x.aval.dtype).smallest_subnormal))
    return chosen(eq_p.bind(distance, constant_like(x, 0)), _with_sign_of(least, x), distance)


def _frexp_of(x: Any) -> tuple[Any, Any]:
    info = limits_of(x.aval.dtype)
    mask, bias = (1 << info.nexp) - 1, 1 - int(info.minexp)
    tiny = lt_p.bind(abs_p.bind(x), constant_like(x, float(info.smallest_normal)))
    # subnormal numbers have no leading one: they are made normal first
    found = _bits_of(chosen(tiny, mul_p.bind(x, constant_like(x, float(1 << info.nmant))), x))
    field = bitwise_and_p.bind(
        shift_right_arithmetic_p.bind(found, constant_like(found, info.nmant)), constant_like(found, mask)
    )
    shift = chosen(tiny, constant_like(found, -info.nmant), constant_like(found, 0))
    exponent = add_p.bind(shift, sub_p.bind(field, constant_like(found, bias - 1)))
    found = bitwise_and_p.bind(found, constant_like(found, ~(mask << info.nmant)))
    found = bitwise_or_p.bind(found, constant_like(found, (bias - 1) << info.nmant))
    mantissa = bitcast_convert_type_p.bind(found, new_dtype=x.aval.dtype)
    special = bitwise_or_p.bind(
        bitwise_or_p.bind(eq_p.bind(abs_p.bind(x), constant_like(x, math.inf)), ne_p.bind(x, x)),
        eq_p.bind(x, constant_like(x, 0)),
    )
    exponent = chosen(special, constant_like(exponent, 0), exponent)
    return chosen(special, x, mantissa), convert_to(exponent, "int32")


_frexp = custom_jvp(_frexp_of)


@_frexp.defjvp
def _frexp_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    mantissa, exponent = _frexp(x)
    scale = exp2_p.bind(neg_p.bind(convert_to(exponent, t.aval.dtype)))
    return (mantissa, exponent), (mul_p.bind(t, scale), float0_zeros(exponent.aval))


@operation("numpy.frexp", "x")
def frexp(x: Any, /) -> Any:
    """The mantissa, from 0.5 to 1, and the exponent of 2, elementwise: `jax.numpy.frexp`."""
    return _frexp(*promoted_inexact(x))


@answered("numpy.ldexp", "x1", "x2")
def ldexp(answer: ShapedArray, x1: Any, x2: Any, /) -> Any:
    """x1 times 2 to the power of x2, elementwise: `jax.numpy.ldexp`."""
    x, power = in_result_type(answer, x1, x2)
    mantissa, own = _frexp(x)
    exponent = add_p.bind(convert_to(own, x.aval.dtype), power)
    zero, one, two = (constant_like(x, v) for v in (0, 1, 2))
    # the power of 2 of the greatest numbers is infinite, twice its half is not
    is_positive = gt_p.bind(exponent, zero)
    mantissa = chosen(is_positive, mul_p.bind(mantissa, two), mantissa)
    exponent = chosen(is_positive, sub_p.bind(exponent, one), exponent)
    result = mul_p.bind(mantissa, pow_p.bind(two, exponent))
    is_same = bitwise_or_p.bind(eq_p.bind(abs_p.bind(x), constant_like(x, math.inf)), eq_p.bind(x, zero))
    return chosen(is_same, x, result)
