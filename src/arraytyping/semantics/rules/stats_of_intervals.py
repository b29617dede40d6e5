"""Distributions of `jax.scipy.stats` on positive numbers and on intervals: exponential, gamma, beta, uniform, ...

Source: https://docs.jax.dev/en/latest/jax.scipy.html; https://github.com/jax-ml/jax/tree/main/jax/_src/scipy/stats.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.semantics.rules.compositions import Operations, composition
from arraytyping.semantics.rules.distributions import applied, clamped, exponential, logarithm, scaled
from arraytyping.semantics.rules.terms import Term, terms

__all__: list[str] = []


def _no_probability(q: Term) -> Term:
    return q.made("numpy.logical_or", q.made("numpy.logical_or", q.isnan(), q < 0), q > 1)


@composition("scipy.stats.uniform.logpdf")
def uniform_logpdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.uniform.logpdf`: the logarithm of the density."""
    x, loc, scale = terms(ops, "uniform.logpdf", x, loc, scale)
    outside = (x > loc + scale) | (x < loc)
    return x.made("numpy.where", outside, -math.inf, -scale.log()).value


@composition("scipy.stats.uniform.cdf")
def uniform_cdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.uniform.cdf`: the distribution function."""
    x, loc, scale = terms(ops, "uniform.cdf", x, loc, scale)
    below, above = x < loc, x > loc + scale
    inside = scaled(x, loc, scale).where((x >= loc) & (x <= loc + scale), x.strong(0))
    return x.made("numpy.where", below, x.strong(0), x.strong(1).where(above, inside)).value


@composition("scipy.stats.uniform.ppf")
def uniform_ppf(ops: Operations, q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.uniform.ppf`: the quantile."""
    q, loc, scale = terms(ops, "uniform.ppf", q, loc, scale)
    return q.made("numpy.where", _no_probability(q), math.nan, loc + scale * q).value


exponential("uniform", "pdf")


@composition("scipy.stats.expon.logpdf")
def expon_logpdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.expon.logpdf`: the logarithm of the density."""
    x, loc, scale = terms(ops, "expon.logpdf", x, loc, scale)
    return x.made("numpy.where", x < loc, -math.inf, -(scaled(x, loc, scale) + scale.log())).value


@composition("scipy.stats.expon.cdf")
def expon_cdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.expon.cdf`: the distribution function."""
    x, loc, scale = terms(ops, "expon.cdf", x, loc, scale)
    z = (loc - x) / scale
    return x.made("numpy.where", x < loc, z.made("numpy.zeros_like", z), -z.expm1()).value


@composition("scipy.stats.expon.logsf")
def expon_logsf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.expon.logsf`: the logarithm of the survival function."""
    x, loc, scale = terms(ops, "expon.logsf", x, loc, scale)
    z = (loc - x) / scale
    return x.made("numpy.where", x < loc, z.made("numpy.zeros_like", z), z).value


exponential("expon", "pdf")
exponential("expon", "sf")


@composition("scipy.stats.expon.logcdf")
def expon_logcdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.expon.logcdf`: the logarithm of the distribution function."""
    return ops("lax.log1p", ops("lax.neg", ops("scipy.stats.expon.sf", x, loc, scale)))


@composition("scipy.stats.expon.ppf")
def expon_ppf(ops: Operations, q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.expon.ppf`: the quantile."""
    q, loc, scale = terms(ops, "expon.ppf", q, loc, scale)
    return q.made("numpy.where", _no_probability(q), math.nan, loc - scale * (-q).log1p()).value


@composition("scipy.stats.gamma.logpdf")
def gamma_logpdf(ops: Operations, x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.gamma.logpdf`: the logarithm of the density."""
    x, a, loc, scale = terms(ops, "gamma.logpdf", x, a, loc, scale)
    inside, one = x >= loc, x.constant(1)
    y = scaled(x, loc, scale).where(inside, one)
    return ((applied("xlogy", a - one, y) - y) - (applied("gammaln", a) + scale.log())).where(inside, -math.inf).value


@composition("scipy.stats.gamma.cdf")
def gamma_cdf(ops: Operations, x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.gamma.cdf`: the distribution function."""
    x, a, loc, scale = terms(ops, "gamma.cdf", x, a, loc, scale)
    return applied("gammainc", a, clamped(scaled(x, loc, scale))).value


@composition("scipy.stats.gamma.sf")
def gamma_sf(ops: Operations, x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.gamma.sf`: the survival function."""
    x, a, loc, scale = terms(ops, "gamma.sf", x, a, loc, scale)
    y = scaled(x, loc, scale)
    return y.made("numpy.where", y < y.constant(0), 1, applied("gammaincc", a, y)).value


exponential("gamma", "pdf")
logarithm("gamma", "cdf")
logarithm("gamma", "sf")


@composition("scipy.stats.chi2.logpdf")
def chi2_logpdf(ops: Operations, x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.chi2.logpdf`: the logarithm of the density."""
    x, df, loc, scale = terms(ops, "chi2.logpdf", x, df, loc, scale)
    one, two, y = x.constant(1), x.constant(2), scaled(x, loc, scale)
    half = df / two
    kernel = (half - one) * y.log() - y / two
    normal = -(half.lgamma() + x.constant(math.log(2)) * df / two)
    return x.made("numpy.where", x < loc, -math.inf, (normal - scale.log()) + kernel).value


def _chi2(name: str, x: Term, df: Term, loc: Term, scale: Term) -> Any:
    two = scale.constant(2)
    return applied(name, df / two, clamped((x - loc) / (scale * two))).value


@composition("scipy.stats.chi2.cdf")
def chi2_cdf(ops: Operations, x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.chi2.cdf`: the distribution function."""
    return _chi2("gammainc", *terms(ops, "chi2.cdf", x, df, loc, scale))


@composition("scipy.stats.chi2.sf")
def chi2_sf(ops: Operations, x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.chi2.sf`: the survival function."""
    return _chi2("gammaincc", *terms(ops, "chi2.sf", x, df, loc, scale))


exponential("chi2", "pdf")
logarithm("chi2", "cdf")
logarithm("chi2", "sf")


@composition("scipy.stats.beta.logpdf")
def beta_logpdf(ops: Operations, x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.beta.logpdf`: the logarithm of the density."""
    x, a, b, loc, scale = terms(ops, "beta.logpdf", x, a, b, loc, scale)
    one, zero, y = x.constant(1), x.constant(0), scaled(x, loc, scale)
    powers = applied("xlogy", a - one, y) + applied("xlog1py", b - one, -y)
    result = -applied("betaln", a, b) + powers - scale.log()
    outside = (x > loc + scale) | (x < loc)
    result = x.made("numpy.where", outside, -math.inf, result)
    return x.made("numpy.where", ((a <= zero) | (b <= zero)) | (scale <= zero), math.nan, result).value


@composition("scipy.stats.beta.cdf")
def beta_cdf(ops: Operations, x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.beta.cdf`: the distribution function."""
    x, a, b, loc, scale = terms(ops, "beta.cdf", x, a, b, loc, scale)
    return applied("betainc", a, b, clamped(scaled(x, loc, scale), 1)).value


@composition("scipy.stats.beta.sf")
def beta_sf(ops: Operations, x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.beta.sf`: the survival function."""
    x, a, b, loc, scale = terms(ops, "beta.sf", x, a, b, loc, scale)
    return applied("betainc", b, a, 1 - clamped(scaled(x, loc, scale), 1)).value


exponential("beta", "pdf")
logarithm("beta", "cdf")
logarithm("beta", "sf")


@composition("scipy.stats.pareto.logpdf")
def pareto_logpdf(ops: Operations, x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.pareto.logpdf`: the logarithm of the density."""
    x, b, loc, scale = terms(ops, "pareto.logpdf", x, b, loc, scale)
    result = -((scale / b).log() + (b + x.constant(1)) * scaled(x, loc, scale).log())
    return x.made("numpy.where", x < loc + scale, -math.inf, result).value


def _power(x: Term, exponent: Term) -> Term:
    return x.made("lax.pow", x, exponent)


@composition("scipy.stats.pareto.cdf")
def pareto_cdf(ops: Operations, x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.pareto.cdf`: the distribution function."""
    x, b, loc, scale = terms(ops, "pareto.cdf", x, b, loc, scale)
    result = x.constant(1) - _power(scaled(x, loc, scale), -b)
    return x.made("numpy.where", x < loc + scale, x.constant(0), result).value


@composition("scipy.stats.pareto.logcdf")
def pareto_logcdf(ops: Operations, x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.pareto.logcdf`: the logarithm of the distribution function."""
    x, b, loc, scale = terms(ops, "pareto.logcdf", x, b, loc, scale)
    result = (-_power(scaled(x, loc, scale), -b)).log1p()
    return x.made("numpy.where", x < loc + scale, -math.inf, result).value


@composition("scipy.stats.pareto.logsf")
def pareto_logsf(ops: Operations, x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.pareto.logsf`: the logarithm of the survival function."""
    x, b, loc, scale = terms(ops, "pareto.logsf", x, b, loc, scale)
    result = -(b * scaled(x, loc, scale).log())
    return x.made("numpy.where", x < loc + scale, x.constant(0), result).value


@composition("scipy.stats.pareto.ppf")
def pareto_ppf(ops: Operations, q: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.pareto.ppf`: the quantile."""
    q, b, loc, scale = terms(ops, "pareto.ppf", q, b, loc, scale)
    one = q.constant(1)
    return q.made("numpy.where", _no_probability(q), math.nan, loc + scale * _power(one - q, -(one / b))).value


exponential("pareto", "pdf")
exponential("pareto", "sf")


@composition("scipy.stats.vonmises.logpdf")
def vonmises_logpdf(ops: Operations, x: Any, kappa: Any) -> Any:
    """`jax.scipy.stats.vonmises.logpdf`: the logarithm of the density."""
    x, kappa = terms(ops, "vonmises.logpdf", x, kappa)
    scale = 2 * math.pi * kappa.made("lax.bessel_i0e", kappa)
    result = x.made("numpy.multiply", kappa, x.made("numpy.cos", x) - 1).minus(scale.made("numpy.log", scale))
    return result.where(kappa > kappa.constant(0), math.nan).value


exponential("vonmises", "pdf")


@composition("scipy.stats.wrapcauchy.logpdf")
def wrapcauchy_logpdf(ops: Operations, x: Any, c: Any) -> Any:
    """`jax.scipy.stats.wrapcauchy.logpdf`: the logarithm of the density."""
    x, c = terms(ops, "wrapcauchy.logpdf", x, c)
    square = c * c
    result = square.made("numpy.log", 1 - square) - math.log(2 * math.pi)
    spread = (1 + square).minus(x.made("numpy.multiply", 2 * c, x.made("numpy.cos", x)))
    result = result.minus(spread.made("numpy.log", spread))
    inside = (x >= x.constant(0)) & (x <= x.constant(2 * math.pi))
    return result.where(inside, -math.inf).where((c > c.constant(0)) & (c < c.constant(1)), math.nan).value


exponential("wrapcauchy", "pdf")
