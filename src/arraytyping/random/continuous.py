"""Samples of continuous distributions.

Each is computed from uniform numbers, step by step as JAX does, so that the samples are the same to the last bit.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/random/core.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from arraytyping.basearray import Array
from arraytyping.random.bits_of_keys import bits_of, sampler, two_keys
from arraytyping.runtime.array_likes import array_from, convert_to, python_scalar
from arraytyping.runtime.calling import type_of
from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, mul_p, neg_p, sub_p
from arraytyping.runtime.lax.bitcasting import bitcast_convert_type_p
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import eq_p, ge_p, lt_p, max_p, min_p, nextafter_p
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.elementary import log1p_p, log_p, tan_p
from arraytyping.runtime.lax.gradients import stop_gradient_p
from arraytyping.runtime.lax.integers import (
    abs_p,
    bitwise_and_p,
    bitwise_not_p,
    bitwise_or_p,
    clz_p,
    shift_left_p,
    shift_right_logical_p,
    sign_p,
)
from arraytyping.runtime.lax.special import erf_inv_p, erf_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.np_dtypes import limits_of, np_dtype
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import to_real

__all__ = [
    "cauchy", "exponential", "exponential_of", "float_dtype", "gumbel", "gumbel_of", "in_dtype", "laplace", "leading",
    "logistic", "normal", "normal_of", "sizes", "truncated_normal", "uniform", "uniform_of",
]  # fmt: skip


def sizes(shape: Any) -> tuple[int, ...]:
    """A shape as a tuple of ints: one size, or a sequence of them."""
    return tuple(map(int, shape)) if isinstance(shape, tuple | list) else (int(shape),)


def in_dtype(value: Any, dtype: str) -> Any:
    """A parameter of a distribution in the dtype of the samples; a Python scalar has its default dtype before."""
    array = value if isinstance(value, Array) else array_from(value)
    if type(array) is TypedScalar:
        array = TypedScalar(python_scalar(array.value, array.aval.dtype or ""), array.aval)
    return convert_to(array, dtype)


def leading(x: Any, rank: int) -> Any:
    """The array with dimensions of size 1 before its own; one without any stays so."""
    own = x.aval.shape
    return x if not own or len(own) >= rank else reshape(x, ((1,) * (rank - len(own)) + own))


def uniform_of(key: Any, shape: tuple[int, ...], dtype: str, minval: Any, maxval: Any) -> Any:
    """Numbers from `minval` to before `maxval`: random bits become the mantissa of a number from 1 to before 2."""
    minval, maxval = (leading(in_dtype(v, dtype), len(shape)) for v in (minval, maxval))
    info = limits_of(dtype)
    width = 8 if info.nmant < 8 else info.bits
    unsigned = f"uint{info.bits}"
    bits = convert_to(bits_of(key, width, shape), unsigned)
    mantissa = shift_right_logical_p.bind(bits, constant_like(bits, width - info.nmant))
    one = int(np.array(1.0, np_dtype(dtype)).view(unsigned))
    number = bitcast_convert_type_p.bind(bitwise_or_p.bind(mantissa, constant_like(bits, one)), new_dtype=dtype)
    fraction = sub_p.bind(number, constant_like(number, 1))
    spread = add_p.bind(mul_p.bind(fraction, sub_p.bind(maxval, minval)), minval)
    return max_p.bind(minval, spread)


@sampler("uniform", "minval", "maxval")
def uniform(
    answer: ShapedArray, key: Any, shape: int | Sequence[int] = (), dtype: Any = None, minval: Any = 0.0,
    maxval: Any = 1.0, *, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.uniform`: numbers from `minval` to before `maxval`, all equally likely."""
    return uniform_of(key, *type_of(answer), minval, maxval)


def float_dtype(dtype: Any, operation: str) -> str:
    """The name of the dtype that is asked for, by default the default float."""
    return canonical_dtype(float if dtype is None else dtype, operation)


def _normal_real(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    numpy_dtype = np_dtype(dtype)
    lowest = np.nextafter(np.array(-1.0, numpy_dtype), np.array(0.0, numpy_dtype), dtype=numpy_dtype)
    u = uniform_of(key, shape, dtype, float(lowest), 1.0)
    return mul_p.bind(constant_like(u, math.sqrt(2)), erf_inv_p.bind(u))


@sampler("normal")
def normal(
    answer: ShapedArray, key: Any, shape: int | Sequence[int] = (), dtype: Any = None, *, out_sharding: Any = None
) -> Any:
    """`jax.random.normal`: normally distributed numbers, of mean 0 and variance 1; complex ones too."""
    return normal_of(key, *type_of(answer))


def normal_of(key: Any, size: tuple[int, ...], chosen: str) -> Any:
    """Normally distributed numbers, real or complex."""
    if not chosen.startswith("complex"):
        return _normal_real(key, size, chosen)
    real, imag = (convert_to(_normal_real(k, size, to_real(chosen)), chosen) for k in two_keys(key))
    both = add_p.bind(real, mul_p.bind(TypedScalar(1j, ShapedArray((), chosen, False)), imag))
    return div_p.bind(both, constant_like(both, math.sqrt(2)))


@sampler("truncated_normal", "lower", "upper")
def truncated_normal(
    answer: ShapedArray, key: Any, lower: Any, upper: Any, shape: int | Sequence[int] | None = None, dtype: Any = None,
    *, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.truncated_normal`: normally distributed numbers between two bounds."""
    size, chosen = type_of(answer)
    lower, upper = in_dtype(lower, chosen), in_dtype(upper, chosen)
    root = constant_like(lower, math.sqrt(2))
    a, b = (erf_p.bind(div_p.bind(x, root)) for x in (lower, upper))
    result = mul_p.bind(root, erf_inv_p.bind(uniform_of(key, size, chosen, a, b)))
    least = leading(nextafter_p.bind(stop_gradient_p.bind(lower), constant_like(lower, math.inf)), len(size))
    most = leading(nextafter_p.bind(stop_gradient_p.bind(upper), constant_like(upper, -math.inf)), len(size))
    return min_p.bind(most, max_p.bind(least, result))


@sampler("exponential")
def exponential(
    answer: ShapedArray, key: Any, shape: int | Sequence[int] = (), dtype: Any = None, *, out_sharding: Any = None
) -> Any:
    """`jax.random.exponential`: exponentially distributed numbers, of mean 1."""
    return exponential_of(key, *type_of(answer))


def exponential_of(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Exponentially distributed numbers."""
    u = uniform_of(key, shape, dtype, 0.0, 1.0)
    return neg_p.bind(log1p_p.bind(neg_p.bind(u)))


@sampler("laplace")
def laplace(
    answer: ShapedArray, key: Any, shape: int | Sequence[int] = (), dtype: Any = None, *, out_sharding: Any = None
) -> Any:
    """`jax.random.laplace`: numbers of the Laplace distribution, of mean 0 and scale 1."""
    size, chosen = type_of(answer)
    lowest = -1.0 + float(limits_of(chosen).epsneg)
    u = uniform_of(key, size, chosen, lowest, 1.0)
    return mul_p.bind(sign_p.bind(u), log1p_p.bind(neg_p.bind(abs_p.bind(u))))


@sampler("logistic")
def logistic(
    answer: ShapedArray, key: Any, shape: int | Sequence[int] = (), dtype: Any = None, *, out_sharding: Any = None
) -> Any:
    """`jax.random.logistic`: numbers of the logistic distribution, of mean 0 and scale 1."""
    size, chosen = type_of(answer)
    u = uniform_of(key, size, chosen, _tiny(chosen), 1.0)
    return sub_p.bind(log_p.bind(u), log1p_p.bind(neg_p.bind(u)))


def _tiny(dtype: str) -> Any:
    """The least positive normal number."""
    value = limits_of(dtype).tiny
    return TypedScalar(float(value), ShapedArray((), dtype, False))


@sampler("cauchy")
def cauchy(
    answer: ShapedArray, key: Any, shape: int | Sequence[int] = (), dtype: Any = None, *, out_sharding: Any = None
) -> Any:
    """`jax.random.cauchy`: numbers of the Cauchy distribution, of location 0 and scale 1."""
    size, chosen = type_of(answer)
    u = uniform_of(key, size, chosen, float(limits_of(chosen).eps), 1.0)
    return tan_p.bind(mul_p.bind(constant_like(u, math.pi), sub_p.bind(u, constant_like(u, 0.5))))


def _minus_log(x: Any) -> Any:
    return neg_p.bind(log_p.bind(x))


def _halves(x: Any) -> list[Any]:
    """The two items along the first dimension."""
    return [reshape(slice_along(x, i, i + 1), x.aval.shape[1:]) for i in range(2)]


def gumbel_of(key: Any, shape: tuple[int, ...], dtype: str, mode: str | None) -> Any:
    """Numbers of the Gumbel distribution; `mode` says of how many bits."""
    if mode == "highest" and dtype == "float32":
        return _gumbel_of_64_bits(key, shape)
    if mode in ("high", "highest"):
        info = limits_of(dtype)
        high, low = _halves(uniform_of(key, (2, *shape), dtype, 0.0, 1.0))
        finer = add_p.bind(high, mul_p.bind(constant_like(low, 2.0**-info.nmant), low))
        finer = add_p.bind(finer, constant_like(finer, float(info.tiny)))
        x = select_n_p.bind(ge_p.bind(high, constant_like(high, 0.5)), finer, high)
        return _minus_log(neg_p.bind(log1p_p.bind(neg_p.bind(x))))
    return _minus_log(_minus_log(uniform_of(key, shape, dtype, _tiny(dtype), 1.0)))


def _gumbel_of_64_bits(key: Any, shape: tuple[int, ...]) -> Any:
    """The same of two words: numbers near 0 and near 1 alike have all the bits that float32 holds."""
    high, low = _halves(bits_of(key, 32, (2, *shape)))
    # the negative of both words as one number
    carry = convert_to(eq_p.bind(low, constant_like(low, 0)), "uint32")
    minus_high = add_p.bind(bitwise_not_p.bind(high), carry)
    minus_low = add_p.bind(bitwise_not_p.bind(low), constant_like(low, 1))
    is_small = lt_p.bind(high, constant_like(high, 1 << 31))
    x = _float_of_words(select_n_p.bind(is_small, minus_high, high), select_n_p.bind(is_small, minus_low, low))
    near_zero = _minus_log(neg_p.bind(log1p_p.bind(neg_p.bind(x))))
    return select_n_p.bind(is_small, _minus_log(_minus_log(x)), near_zero)


def _float_of_words(high: Any, low: Any) -> Any:
    """The number from 0 to 1 of which these are the first 64 binary digits, as float32."""
    zeros_high, zeros_low = clz_p.bind(high), clz_p.bind(low)
    is_empty = eq_p.bind(zeros_high, constant_like(high, 32))
    rest = shift_right_logical_p.bind(low, sub_p.bind(constant_like(high, 32), zeros_high))
    digits = bitwise_or_p.bind(
        shift_left_p.bind(high, zeros_high), select_n_p.bind(is_empty, rest, shift_left_p.bind(low, zeros_low))
    )
    digits = bitwise_and_p.bind(
        shift_right_logical_p.bind(digits, constant_like(digits, 8)), constant_like(digits, (1 << 23) - 1)
    )
    zeros = select_n_p.bind(is_empty, zeros_high, add_p.bind(constant_like(low, 32), zeros_low))
    exponent = shift_left_p.bind(sub_p.bind(constant_like(zeros, 126), zeros), constant_like(zeros, 23))
    exponent = bitwise_and_p.bind(exponent, constant_like(exponent, (1 << 30) - (1 << 22)))
    return bitcast_convert_type_p.bind(bitwise_or_p.bind(exponent, digits), new_dtype="float32")


@sampler("gumbel")
def gumbel(
    answer: ShapedArray, key: Any, shape: int | Sequence[int] = (), dtype: Any = None, mode: str | None = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.gumbel`: numbers of the Gumbel distribution; `mode` ("high", "highest") takes more random bits."""
    return gumbel_of(key, *type_of(answer), mode)
