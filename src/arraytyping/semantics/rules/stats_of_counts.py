"""Distributions of `jax.scipy.stats` of counts: Bernoulli, binomial, geometric, negative binomial, Poisson, ...

Source: https://docs.jax.dev/en/latest/jax.scipy.html; https://github.com/jax-ml/jax/tree/main/jax/_src/scipy/stats.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.semantics.rules.compositions import Operations, composition
from arraytyping.semantics.rules.distributions import applied, exponential
from arraytyping.semantics.rules.terms import Term, terms

__all__: list[str] = []


def _or(first: Term, *others: Term) -> Term:
    for other in others:
        first = first.made("numpy.logical_or", first, other)
    return first


@composition("scipy.stats.bernoulli.logpmf")
def bernoulli_logpmf(ops: Operations, k: Any, p: Any, loc: Any = 0) -> Any:
    """`jax.scipy.stats.bernoulli.logpmf`: the logarithm of the probability."""
    k, p, loc = terms(ops, "bernoulli.logpmf", k, p, loc)
    zero, one, x = k.constant(0), k.constant(1), k - loc
    result = applied("xlogy", x, p) + applied("xlog1py", one - x, -p)
    return x.made("numpy.where", (x < zero) | (x > one), -math.inf, result).value


@composition("scipy.stats.bernoulli.cdf")
def bernoulli_cdf(ops: Operations, k: Any, p: Any) -> Any:
    """`jax.scipy.stats.bernoulli.cdf`: the distribution function."""
    k, p = terms(ops, "bernoulli.cdf", k, p)
    zero, one = k.constant(0), k.constant(1)
    nowhere = _or(k.isnan(), p.isnan(), p < zero, p > one)
    result = (one - p).where((k >= zero) & (k < one), one)
    return k.made("numpy.where", nowhere, math.nan, zero.where(k < zero, result)).value


@composition("scipy.stats.bernoulli.ppf")
def bernoulli_ppf(ops: Operations, q: Any, p: Any) -> Any:
    """`jax.scipy.stats.bernoulli.ppf`: the quantile."""
    q, p = terms(ops, "bernoulli.ppf", q, p)
    zero, one = q.constant(0), q.constant(1)
    nowhere = _or(q.isnan(), p.isnan(), p < zero, p > one, q < zero, q > one)
    return q.made("numpy.where", nowhere, math.nan, zero.where(q <= one - p, one)).value


exponential("bernoulli", "pmf")


@composition("scipy.stats.betabinom.logpmf")
def betabinom_logpmf(ops: Operations, k: Any, n: Any, a: Any, b: Any, loc: Any = 0) -> Any:
    """`jax.scipy.stats.betabinom.logpmf`: the logarithm of the probability."""
    k, n, a, b, loc = terms(ops, "betabinom.logpmf", k, n, a, b, loc)
    y = k.floor() - loc
    one, zero, rest = y.constant(1), y.constant(0), n - y
    choices = -(n.log1p() + applied("betaln", rest + one, y + one))
    result = choices + (applied("betaln", y + a, rest + b) - applied("betaln", a, b))
    result = y.made("numpy.where", y.equals(zero) & n.equals(zero), 0.0, result)
    result = y.made("numpy.where", ((y < -loc) | (y > n)) | (y + a <= zero), -math.inf, result)
    return y.made("numpy.where", ((n < zero) | (a <= zero)) | (b <= zero), math.nan, result).value


exponential("betabinom", "pmf")


@composition("scipy.stats.binom.logpmf")
def binom_logpmf(ops: Operations, k: Any, n: Any, p: Any, loc: Any = 0) -> Any:
    """`jax.scipy.stats.binom.logpmf`: the logarithm of the probability."""
    k, n, p, loc = terms(ops, "binom.logpmf", k, n, p, loc)
    y = k - loc
    zero = y.constant(0)
    choices = applied("gammaln", n + 1) - (applied("gammaln", y + 1) + applied("gammaln", n - y + 1))
    powers = applied("xlogy", y, p) + applied("xlog1py", n - y, -p)
    is_certain = _or(y.equals(zero) & n.equals(zero), powers.equals(zero))
    result = y.made("numpy.where", is_certain, 0.0, choices + powers)
    return result.where((k >= loc) & (k < loc + n + 1), -math.inf).value


exponential("binom", "pmf")


@composition("scipy.stats.geom.logpmf")
def geom_logpmf(ops: Operations, k: Any, p: Any, loc: Any = 0) -> Any:
    """`jax.scipy.stats.geom.logpmf`: the logarithm of the probability."""
    k, p, loc = terms(ops, "geom.logpmf", k, p, loc)
    x = k - loc
    result = applied("xlog1py", x - k.constant(1), -p) + p.log()
    return x.made("numpy.where", x <= k.constant(0), -math.inf, result).value


exponential("geom", "pmf")


@composition("scipy.stats.nbinom.logpmf")
def nbinom_logpmf(ops: Operations, k: Any, n: Any, p: Any, loc: Any = 0) -> Any:
    """`jax.scipy.stats.nbinom.logpmf`: the logarithm of the probability."""
    k, n, p, loc = terms(ops, "nbinom.logpmf", k, n, p, loc)
    one, y = k.constant(1), k - loc
    choices = applied("gammaln", y + n) - applied("gammaln", n) - applied("gammaln", y + one)
    powers = applied("xlogy", n, p) + applied("xlogy", y, one - p)
    return k.made("numpy.where", k < loc, -math.inf, choices + powers).value


exponential("nbinom", "pmf")


@composition("scipy.stats.poisson.logpmf")
def poisson_logpmf(ops: Operations, k: Any, mu: Any, loc: Any = 0) -> Any:
    """`jax.scipy.stats.poisson.logpmf`: the logarithm of the probability."""
    k, mu, loc = terms(ops, "poisson.logpmf", k, mu, loc)
    x = k - loc
    result = applied("xlogy", x, mu) - applied("gammaln", x + 1) - mu
    nowhere = (x < k.constant(0)) | k.made("numpy.round", k).differs(k)
    return x.made("numpy.where", nowhere, -math.inf, result).value


@composition("scipy.stats.poisson.cdf")
def poisson_cdf(ops: Operations, k: Any, mu: Any, loc: Any = 0) -> Any:
    """`jax.scipy.stats.poisson.cdf`: the distribution function."""
    k, mu, loc = terms(ops, "poisson.cdf", k, mu, loc)
    zero, x = k.constant(0), k - loc
    following = 1 + x
    result = applied("gammaincc", following.made("numpy.floor", following), mu)
    return x.made("numpy.where", x < zero, zero, result).value


exponential("poisson", "pmf")
