"""Random bits, integers, and samples of discrete distributions.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/random/core.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.basearray import Array
from arraytyping.numpy.arithmetic import multiply, subtract
from arraytyping.numpy.promoting import chosen
from arraytyping.random.bits_of_keys import bits_of, sampler, two_keys
from arraytyping.random.continuous import in_dtype, leading, uniform_of
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.calling import type_of
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, mul_p, sub_p
from arraytyping.runtime.lax.comparisons import gt_p, le_p, lt_p, max_p, min_p
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.integers import bitwise_and_p, rem_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.scalars import bits as width_of
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import ANY_INTEGER, integer_limits

__all__ = ["bernoulli", "bits", "rademacher", "rademacher_of", "randint", "randint_of"]


@sampler("bits")
def bits(
    answer: ShapedArray, key: Any, shape: int | Sequence[int] = (), dtype: Any = None, *, out_sharding: Any = None
) -> Any:
    """`jax.random.bits`: random bits, as unsigned integers."""
    size, asked = type_of(answer)
    return bits_of(key, max(width_of(asked), 8), size)


def _clipped(x: Any, least: int, most: int) -> Any:
    return min_p.bind(constant_like(x, most), max_p.bind(constant_like(x, least), x))


def _clipped_to(x: Any, dtype: str) -> Any:
    """Integers in another dtype, those that it does not hold brought to its bounds."""
    (least, most), (own_least, own_most) = integer_limits(dtype), integer_limits(x.aval.dtype)
    return convert_to(_clipped(x, max(least, own_least), min(most, own_most)), dtype)


def _integers(value: Any) -> Any:
    """A bound as an array of integers."""
    array: Any = value if isinstance(value, Array) else array_from(value)
    return array if array.aval.dtype in ANY_INTEGER else convert_to(array, canonical_dtype(int, "randint"))


def randint_of(key: Any, shape: tuple[int, ...], minval: Any, maxval: Any, dtype: str) -> Any:
    """Integers from `minval` to before `maxval`, of a dtype of 32 or 64 bits.

    Two random words, as one number, are divided by the size of the range; the rest is added to the lower bound.
    """
    minval, maxval = _integers(minval), _integers(maxval)
    beyond = gt_p.bind(
        maxval, constant_like(maxval, min(integer_limits(dtype)[1], integer_limits(maxval.aval.dtype)[1]))
    )
    minval, maxval, beyond = (
        leading(x, len(shape)) for x in (_clipped_to(minval, dtype), _clipped_to(maxval, dtype), beyond)
    )
    width = width_of(dtype)
    unsigned = f"uint{width}"
    high, low = (bits_of(k, width, shape) for k in two_keys(key))
    span = convert_to(sub_p.bind(maxval, minval), unsigned)
    one = constant_like(span, 1)
    # an empty range gives its lower bound; the greatest integer itself is in the range if the bound is beyond it
    is_empty = le_p.bind(maxval, minval)
    span = chosen(is_empty, one, span)
    span = chosen(bitwise_and_p.bind(beyond, gt_p.bind(maxval, minval)), add_p.bind(span, one), span)
    multiplier = rem_p.bind(constant_like(span, 1 << width // 2), span)
    multiplier = rem_p.bind(mul_p.bind(multiplier, multiplier), span)
    offset = add_p.bind(mul_p.bind(rem_p.bind(high, span), multiplier), rem_p.bind(low, span))
    return add_p.bind(minval, convert_to(rem_p.bind(offset, span), dtype))


@sampler("randint", "minval", "maxval")
def randint(
    answer: ShapedArray, key: Any, shape: int | Sequence[int], minval: Any, maxval: Any, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.randint`: integers from `minval` to before `maxval`."""
    size, asked = type_of(answer)
    if width_of(asked) >= 32:
        return randint_of(key, size, minval, maxval, asked)
    least, most = integer_limits(asked)
    minval = _clipped(in_dtype(minval, "int32"), least, most)
    maxval = _clipped(in_dtype(maxval, "int32"), least, most + 1)
    return convert_to(randint_of(key, size, minval, maxval, "int32"), asked)


@sampler("bernoulli", "p")
def bernoulli(
    answer: ShapedArray, key: Any, p: Any = 0.5, shape: int | Sequence[int] | None = None, mode: str = "low", *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.bernoulli`: True with probability `p`; `mode` "high" takes more random bits."""
    array: Any = p if isinstance(p, Array) else array_from(p)
    mean = in_dtype(p, array.aval.dtype)
    size, _ = type_of(answer)
    mean = leading(mean, len(size))
    dtype = mean.aval.dtype
    if mode == "low":
        return lt_p.bind(uniform_of(key, size, dtype, 0.0, 1.0), mean)
    both = uniform_of(key, (2, *size), dtype, 0.0, 1.0)
    coarse, fine = (reshape(slice_along(both, i, i + 1), size) for i in range(2))
    fine = mul_p.bind(fine, constant_like(fine, 2.0 ** -limits_of(dtype).nmant))
    return lt_p.bind(fine, sub_p.bind(mean, coarse))


@sampler("rademacher")
def rademacher(
    answer: ShapedArray, key: Any, shape: int | Sequence[int] = (), dtype: Any = None, *, out_sharding: Any = None
) -> Any:
    """`jax.random.rademacher`: -1 or 1, both equally likely."""
    return rademacher_of(key, *type_of(answer))


def rademacher_of(key: Any, shape: tuple[int, ...], asked: str) -> Any:
    """-1 or 1, of a dtype."""
    default = canonical_dtype(float, "rademacher")
    heads = lt_p.bind(uniform_of(key, shape, default, 0.0, 1.0), _half(default))
    return convert_to(subtract(multiply(2, convert_to(heads, asked)), 1), asked)


def _half(dtype: str) -> Any:
    return in_dtype(0.5, dtype)
