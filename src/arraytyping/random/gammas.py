"""Samples of the gamma distribution, and of those that are made of them.

Each sample has a key of its own, and is tried again until it is accepted; its derivative is that of the sample at the
same place of the distribution.

Source: G. Marsaglia, W. W. Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000);
M. Figurnov, S. Mohamed, A. Mnih, "Implicit Reparameterization Gradients", https://arxiv.org/abs/1805.08498;
https://github.com/jax-ml/jax/blob/main/jax/_src/random/core.py, for which key gives which bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from arraytyping.numpy import broadcast_to, exp, sqrt, where
from arraytyping.random.bits_of_keys import keys_of, sampler, split_of, two_keys
from arraytyping.random.continuous import exponential_of, in_dtype, normal_of, uniform_of
from arraytyping.random.implementations import key_type_in_force, using
from arraytyping.random.key_types import THREEFRY, KeyTy
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.calling import type_of
from arraytyping.runtime.lax.control_flow.scan import scan
from arraytyping.runtime.lax.control_flow.while_loop import while_loop
from arraytyping.runtime.lax.elementary import exp_p, log_p
from arraytyping.runtime.lax.incomplete_gamma import random_gamma_grad
from arraytyping.runtime.lax.powers import pow_p
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.runtime.transformations.mapping import vmap
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "beta", "chisquare", "dirichlet", "f", "gamma", "gamma_of", "loggamma", "parameters", "t",
]  # fmt: skip


def parameters(dtype: str, *values: Any) -> list[Any]:
    """The parameters of a distribution, in the dtype of its samples."""
    return [materialized(in_dtype(v, dtype)) for v in values]


def _one_sample(key: Any, alpha: Any, log_space: bool) -> Any:
    """One sample of a number; where it is less than 1, of one more, times a power of a uniform number."""
    dtype = alpha.aval.dtype
    is_least_one = alpha >= 1
    d = where(is_least_one, alpha, alpha + 1) - 1 / 3
    c = materialized(in_dtype(1 / 3, dtype)) / sqrt(d)
    zero, one = (materialized(in_dtype(v, dtype)) for v in (0.0, 1.0))

    def is_refused(carry: Any) -> Any:
        _, square, cube, u = carry
        return (u >= 1 - 0.0331 * (square * square)) & (
            log_p.bind(u) >= square * 0.5 + d * ((1 - cube) + log_p.bind(cube))
        )

    def drawn(carry: Any) -> Any:
        _, normal_key, uniform_key = keys = keys_of(carry[0], 3)

        def next_normal(carry: Any) -> Any:
            key, subkey = two_keys(carry[0])
            x = normal_of(subkey, (), dtype)
            return key, x, 1 + x * c

        _, x, v = while_loop(lambda carry: carry[2] <= 0, next_normal, (normal_key, zero, -one))
        return keys[0], x * x, (v * v) * v, uniform_of(uniform_key, (), dtype, 0.0, 1.0)

    key, boost_key = two_keys(key)
    _, _, cube, _ = while_loop(is_refused, drawn, (key, zero, one, one + one))
    if log_space:
        logarithm = -exponential_of(boost_key, (), dtype)
        boost = where(is_least_one | (logarithm == 0), zero, logarithm * (1 / alpha))
        return (log_p.bind(d) + log_p.bind(cube)) + boost
    boost = where(is_least_one, one, pow_p.bind(1 - uniform_of(boost_key, (), dtype, 0.0, 1.0), 1 / alpha))
    return (d * cube) * boost


def _samples(log_space: bool, key_type: KeyTy, key: Any, alpha: Any) -> Any:
    shape = alpha.aval.shape

    def sample(key: Any, alpha: Any) -> Any:
        return _one_sample(key, alpha, log_space)

    with using(key_type):  # a derivative is asked for when the function that samples has been traced
        keys, alphas = split_of(key, (math.prod(shape),)), alpha.reshape(-1)
        if key_type == THREEFRY:
            return vmap(sample)(keys, alphas).reshape(shape)
        # of a batch of its keys XLA's generator would use the first alone
        _, samples = scan(lambda carry, one: (carry, sample(*one)), (), (keys, alphas))
        return samples.reshape(shape)


_sampled: custom_jvp[[bool, KeyTy, Any, Any], Any] = custom_jvp(_samples, nondiff_argnums=(0, 1))


@_sampled.defjvp
def _gamma_jvp(log_space: bool, key_type: KeyTy, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    key, alpha = primals
    result = _sampled(log_space, key_type, key, alpha)
    sample = result
    if log_space:  # the sample may be too small for a number
        sample = exp_p.bind(result)
        sample = where(sample == 0, float(limits_of(alpha.aval.dtype).tiny), sample)
    slope = random_gamma_grad(alpha, sample)
    return result, tangents[1] * (slope / sample if log_space else slope)


def gamma_of(log_space: bool, key: Any, alpha: Any) -> Any:
    """A sample for each element of an array, or its logarithm."""
    return _sampled(log_space, key_type_in_force(), key, alpha)


def _gamma(answer: ShapedArray, key: Any, a: Any, log_space: bool) -> Any:
    size, chosen = type_of(answer)
    (a,) = parameters(chosen, a)
    return gamma_of(log_space, key, broadcast_to(a, size))


@sampler("gamma", "a")
def gamma(
    answer: ShapedArray, key: Any, a: Any, shape: int | Sequence[int] | None = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.gamma`: numbers of the gamma distribution of `a`, of scale 1."""
    return _gamma(answer, key, a, False)


@sampler("loggamma", "a")
def loggamma(
    answer: ShapedArray, key: Any, a: Any, shape: int | Sequence[int] | None = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.loggamma`: their logarithms, which do not become 0 where `a` is small."""
    return _gamma(answer, key, a, True)


@sampler("beta", "a", "b")
def beta(
    answer: ShapedArray, key: Any, a: Any, b: Any, shape: int | Sequence[int] | None = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.beta`: numbers of the beta distribution of `a` and `b`."""
    size, chosen = type_of(answer)
    a, b = parameters(chosen, a, b)
    first, second = (gamma_of(True, k, broadcast_to(v, size)) for k, v in zip(two_keys(key), (a, b)))
    greatest = where(first > second, first, second)
    first, second = exp(first - greatest), exp(second - greatest)
    return first / (first + second)


@sampler("dirichlet", "alpha")
def dirichlet(
    answer: ShapedArray, key: Any, alpha: Any, shape: int | Sequence[int] | None = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.dirichlet`: vectors of the Dirichlet distribution, whose items sum to 1."""
    size, chosen = type_of(answer)
    (alpha,) = parameters(chosen, alpha)
    from arraytyping.nn import softmax  # its initializers draw random numbers

    return softmax(gamma_of(True, key, broadcast_to(alpha, size)), -1)


@sampler("t", "df")
def t(
    answer: ShapedArray, key: Any, df: Any, shape: int | Sequence[int] | None = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.t`: numbers of Student's t distribution of `df` degrees of freedom."""
    size, chosen = type_of(answer)
    (df,) = parameters(chosen, df)
    normal_key, gamma_key = two_keys(key)
    half = df / 2
    return normal_of(normal_key, size, chosen) * sqrt(half / gamma_of(False, gamma_key, broadcast_to(half, size)))


def _chisquare(key: Any, df: Any, size: tuple[int, ...]) -> Any:
    return exp(gamma_of(True, key, broadcast_to(df / 2, size))) * 2


@sampler("chisquare", "df")
def chisquare(
    answer: ShapedArray, key: Any, df: Any, shape: int | Sequence[int] | None = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.chisquare`: numbers of the chi-square distribution of `df` degrees of freedom."""
    size, chosen = type_of(answer)
    (df,) = parameters(chosen, df)
    return _chisquare(key, df, size)


@sampler("f", "dfnum", "dfden")
def f(
    answer: ShapedArray, key: Any, dfnum: Any, dfden: Any, shape: int | Sequence[int] | None = None, dtype: Any = None,
    *, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.f`: numbers of the F distribution, quotients of two of the chi-square distribution."""
    size, chosen = type_of(answer)
    dfnum, dfden = parameters(chosen, dfnum, dfden)
    below, above = two_keys(key)
    return (_chisquare(above, dfnum, size) / dfnum) / (_chisquare(below, dfden, size) / dfden)
