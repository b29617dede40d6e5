"""Samples of distributions of counts: Poisson's, the geometric, the binomial and the multinomial one.

All samples of an array are tried again until each is accepted.

Source: W. Hörmann, "The transformed rejection method for generating Poisson random variables", Insurance: Mathematics
and Economics 12 (1993), and "The generation of binomial random variates", Journal of Statistical Computation and
Simulation 46 (1993); D. Knuth, *The Art of Computer Programming*, volume 2, 3.4.1; V. Kachitvichyanukul, B. Schmeiser,
"Binomial random variate generation", CACM 31 (1988), for the tail of Stirling's series;
https://github.com/jax-ml/jax/blob/main/jax/_src/random/core.py, for which key gives which bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from arraytyping.numpy import broadcast_to, ceil, floor, full, isinf, isnan, log, log1p, moveaxis, sqrt, where, zeros
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.random.bits_of_keys import keys_of, sampler, split_of, two_keys
from arraytyping.random.continuous import uniform_of
from arraytyping.random.gammas import parameters
from arraytyping.random.implementations import key_type_in_force
from arraytyping.random.key_types import THREEFRY
from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.runtime.calling import type_of
from arraytyping.runtime.lax.control_flow.scan import scan
from arraytyping.runtime.lax.control_flow.while_loop import while_loop
from arraytyping.runtime.lax.cumulative import cumsum_p
from arraytyping.runtime.lax.special import lgamma_p
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import integer_limits

__all__ = ["binomial", "geometric", "multinomial", "poisson"]


def _until(
    is_open: Callable[..., Any], step: Callable[..., Any], limit: Any, start: tuple[Any, ...]
) -> tuple[Any, ...]:
    """What `step` makes of `start` again and again, until no element is open, or as often as the limit says."""
    loop = while_loop(
        lambda carry: is_open(*carry[1]).any() & (carry[0] < limit),
        lambda carry: (carry[0] + 1, step(*carry[1])),
        (0, start),
    )
    return loop[1]  # type: ignore[no-any-return]


def _by_products(key: Any, lam: Any, dtype: str, limit: Any) -> Any:
    """Of a small rate: how many uniform numbers can be multiplied before the product is less than exp(-rate)."""
    shape = lam.aval.shape

    def step(count: Any, key: Any, logarithm: Any) -> Any:
        key, subkey = two_keys(key)
        count = where(logarithm > -lam, count + 1, count)
        return count, key, logarithm + log(uniform_of(subkey, shape, "float32", 0.0, 1.0))

    start = zeros(shape, dtype), key, zeros(shape, "float32")
    return _until(lambda count, key, logarithm: logarithm > -lam, step, limit, start)[0] - 1


def _by_rejection(key: Any, lam: Any, dtype: str, limit: Any) -> Any:
    """Of a great rate: Hörmann's transformed rejection."""
    shape = lam.aval.shape
    b = 0.931 + 2.53 * sqrt(lam)
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    quick = 0.9277 - 3.6224 / (b - 2)
    log_lam = log(lam)

    def step(found: Any, accepted: Any, key: Any) -> Any:
        key, first, second = keys_of(key, 3)
        u = uniform_of(first, shape, "float32", 0.0, 1.0) - 0.5
        v = uniform_of(second, shape, "float32", 0.0, 1.0)
        us = 0.5 - abs(u)
        k = floor((2 * a / us + b) * u + lam + 0.43)
        likely = log(v * inverse / (a / (us * us) + b)) <= -lam + k * log_lam - lgamma_p.bind(k + 1)
        refused = (k < 0) | ((us < 0.013) & (v > us))
        taken = ((us >= 0.07) & (v <= quick)) | (~refused & likely)
        return where(taken, k, found), accepted | taken, key

    start = full(shape, -1, "float32"), zeros(shape, bool), key
    return convert_to(_until(lambda found, accepted, key: ~accepted, step, limit, start)[0], dtype)


@sampler("poisson", "lam")
def poisson(
    answer: ShapedArray, key: Any, lam: Any, shape: int | Sequence[int] | None = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.poisson`: numbers of the Poisson distribution of rate `lam`."""
    if key_type_in_force() != THREEFRY:
        raise NotImplementedError(
            f"`poisson` is only implemented for the threefry2x32 RNG, not {key_type_in_force().impl}, as in JAX"
        )
    size, chosen = type_of(answer)
    (lam,) = parameters("float32", lam)
    lam = broadcast_to(lam, size)
    limit = np.array(integer_limits(chosen)[1], chosen)
    is_small = isnan(lam) | (lam < 10)
    small = _by_products(key, where(is_small, lam, 0.0), chosen, limit)
    great = _by_rejection(key, where(is_small, 1e5, lam), chosen, limit)
    result = where(is_small, small, great)
    return where(lam == 0, zeros(result.aval.shape, chosen), result)


@sampler("geometric", "p")
def geometric(
    answer: ShapedArray, key: Any, p: Any, shape: int | Sequence[int] | None = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.geometric`: how often one tries until what has probability `p` comes."""
    size, chosen = type_of(answer)
    (p,) = map(materialized, promoted_inexact(array_from(p)))
    u = uniform_of(key, size, p.aval.dtype, 0.0, 1.0)
    u = where(u == 0, 1, u)
    return convert_to(floor(log(u) / broadcast_to(log1p(-p), size)) + 1, chosen)


def _by_gaps(key: Any, count: Any, p: Any, dtype: str, limit: Any) -> Any:
    """Of a small mean: how many gaps, which are distributed geometrically, fit into the count."""
    shape, of = p.aval.shape, p.aval.dtype
    log_rest = log1p(-p)

    def step(number: Any, total: Any, key: Any) -> Any:
        subkey, key = two_keys(key)
        number = where(total <= count, number + 1, number)
        return number, total + ceil(log(uniform_of(subkey, shape, of, 0.0, 1.0)) / log_rest), key

    start = zeros(shape, of), zeros(shape, of), key
    return convert_to(_until(lambda number, total, key: total <= count, step, limit, start)[0] - 1, dtype)


_TAIL: Final = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.010411265261972, 0.00925546218271273, 0.00833056343336287,
)  # fmt: skip
"""log k! less Stirling's formula, of the k from 0 to 9."""


def _stirling_tail(k: Any) -> Any:
    """What log k! is more than Stirling's formula."""
    is_listed = k <= 9
    k = where(k < 0, 0.0, where(k > 9, 9.0, k))
    square = (k + 1) * (k + 1)
    series = (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)
    table = array_from(np.array(_TAIL)).astype(k.aval.dtype)
    return where(is_listed, table[convert_to(floor(k), "int32")], series)


def _by_transformed_rejection(key: Any, count: Any, p: Any, dtype: str, limit: Any) -> Any:
    """Of a great mean: Hörmann's transformed rejection with squeeze."""
    shape, of = p.aval.shape, p.aval.dtype
    deviation = sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = count * p + 0.5
    quick = 0.92 - 4.2 / b
    odds = p / (1 - p)
    alpha = (2.83 + 5.1 / b) * deviation
    m = floor((count + 1) * p)

    def step(found: Any, accepted: Any, key: Any) -> Any:
        key, first, second = keys_of(key, 3)
        u = uniform_of(first, shape, of, 0.0, 1.0)
        v = uniform_of(second, shape, of, 0.0, 1.0)
        u = u - 0.5
        us = 0.5 - abs(u)
        at_once = (us >= 0.07) & (v <= quick)
        k = floor((2 * a / us + b) * u + c)
        refused = (k < 0) | (k > count)
        bound = (
            (m + 0.5) * log((m + 1) / (odds * (count - m + 1)))
            + (count + 1) * log((count - m + 1) / (count - k + 1))
            + (k + 0.5) * log(odds * (count - k + 1) / (k + 1))
            + _stirling_tail(m)
            + _stirling_tail(count - m)
            - _stirling_tail(k)
            - _stirling_tail(count - k)
        )
        taken = at_once | (~refused & (log(v * alpha / (a / (us * us) + b)) <= bound))
        return where(taken, k, found), accepted | taken, key

    start = full(shape, -1, of), zeros(shape, bool), key
    return convert_to(_until(lambda found, accepted, key: ~accepted, step, limit, start)[0], dtype)


def _binomial(key: Any, count: Any, p: Any, size: tuple[int, ...], dtype: str) -> Any:
    """How often something comes, of which the rarer one of it and its contrary is counted."""
    (p,) = map(materialized, promoted_inexact(p))
    count, p = (broadcast_to(v, size) for v in (convert_to(count, p.aval.dtype), p))
    is_rare = p < 0.5
    q = where(is_rare, p, 1 - p)
    no_count, is_infinite, no_chance = isnan(count) | (count < 0), isinf(count), isnan(q)
    is_negative = q < 0
    q = where(no_chance | is_negative, 0.01, q)
    is_small = no_count | (count * q <= 10)
    count = floor(count)
    limit = np.array(limits_of(dtype).max, dtype)
    small = _by_gaps(key, where(is_small, count, 0.0), q, dtype, limit)
    great = _by_transformed_rejection(key, where(is_small, 1e4, count), where(is_small, 0.5, q), dtype, limit)
    found = where(is_small, small, great)
    invalid = is_negative | no_chance | no_count
    found = where(is_infinite & ~invalid, np.inf, where(invalid, np.nan, found))
    return where(is_rare | no_count | no_chance | is_infinite, found, convert_to(count, dtype) - found)


@sampler("binomial", "n", "p")
def binomial(
    answer: ShapedArray, key: Any, n: Any, p: Any, shape: int | Sequence[int] | None = None, dtype: Any = None
) -> Any:
    """`jax.random.binomial`: how often what has probability `p` comes in `n` trials, as floats."""
    n, p = materialized(array_from(n)), materialized(array_from(p))
    return _binomial(key, n, p, *type_of(answer))


@sampler("multinomial", "n", "p")
def multinomial(
    answer: ShapedArray, key: Any, n: Any, p: Any, *, shape: int | Sequence[int] | None = None, dtype: Any = None,
    unroll: int | bool = 1,
) -> Any:  # fmt: skip
    """`jax.random.multinomial`: how often each of several outcomes comes in `n` trials, as floats."""
    n, p = map(materialized, promoted_inexact(array_from(n), array_from(p)))
    size, chosen = type_of(answer)
    n, p = broadcast_to(n, size[:-1]), moveaxis(broadcast_to(p, size), -1, 0)
    of = n.aval.dtype
    left = cumsum_p.bind(p, axis=0, reverse=True)
    shares = p / where(left == 0, 1, left)

    def step(rest: Any, given: Any) -> Any:
        share, key = given
        count = _binomial(key, rest, share.clip(0, 1), rest.aval.shape, of)
        return rest - count, count

    _, counts = scan(step, n, (shares, split_of(key, (size[-1],))), unroll=unroll)
    return moveaxis(counts, 0, -1).astype(chosen)
