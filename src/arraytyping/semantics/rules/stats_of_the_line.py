"""Distributions of `jax.scipy.stats` on all real numbers: normal, logistic, Laplace, Cauchy, Gumbel, Student's t, ...

Source: https://docs.jax.dev/en/latest/jax.scipy.html; https://github.com/jax-ml/jax/tree/main/jax/_src/scipy/stats.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.semantics.rules.compositions import Operations, composition
from arraytyping.semantics.rules.distributions import applied, exponential, logarithm, scaled
from arraytyping.semantics.rules.terms import Term, terms

__all__: list[str] = []


@composition("scipy.stats.norm.logpdf")
def norm_logpdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.norm.logpdf`: the logarithm of the density."""
    x, loc, scale = terms(ops, "norm.logpdf", x, loc, scale)
    variance = scale.square()
    total = (x.constant(2 * math.pi) * variance).log() + (x - loc).square() / variance
    return (total / x.constant(-2)).value


@composition("scipy.stats.norm.cdf")
def norm_cdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.norm.cdf`: the distribution function."""
    return applied("ndtr", scaled(*terms(ops, "norm.cdf", x, loc, scale))).value


@composition("scipy.stats.norm.logcdf")
def norm_logcdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.norm.logcdf`: the logarithm of the distribution function."""
    return applied("log_ndtr", scaled(*terms(ops, "norm.logcdf", x, loc, scale))).value


@composition("scipy.stats.norm.sf")
def norm_sf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.norm.sf`: the survival function."""
    x, loc, scale = terms(ops, "norm.sf", x, loc, scale)
    return ops("scipy.stats.norm.cdf", (-x).value, (-loc).value, scale.value)


@composition("scipy.stats.norm.logsf")
def norm_logsf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.norm.logsf`: the logarithm of the survival function."""
    x, loc, scale = terms(ops, "norm.logsf", x, loc, scale)
    return ops("scipy.stats.norm.logcdf", (-x).value, (-loc).value, scale.value)


@composition("scipy.stats.norm.ppf")
def norm_ppf(ops: Operations, q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.norm.ppf`: the quantile, of the default dtype."""
    quantile = ops("numpy.add", ops("numpy.multiply", ops("scipy.special.ndtri", q), scale), loc)
    return ops("numpy.asarray", quantile, float)


exponential("norm", "pdf")


@composition("scipy.stats.logistic.logpdf")
def logistic_logpdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.logistic.logpdf`: the logarithm of the density."""
    x, loc, scale = terms(ops, "logistic.logpdf", x, loc, scale)
    z = scaled(x, loc, scale)
    two = z.constant(2)
    half = z / two
    return (-two * half.made("numpy.logaddexp", half, -half) - scale.log()).value


@composition("scipy.stats.logistic.cdf")
def logistic_cdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.logistic.cdf`: the distribution function."""
    return applied("expit", scaled(*terms(ops, "logistic.cdf", x, loc, scale))).value


@composition("scipy.stats.logistic.sf")
def logistic_sf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.logistic.sf`: the survival function."""
    return applied("expit", -scaled(*terms(ops, "logistic.sf", x, loc, scale))).value


@composition("scipy.stats.logistic.ppf")
def logistic_ppf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.logistic.ppf`: the quantile."""
    x, loc, scale = terms(ops, "logistic.ppf", x, loc, scale)
    return (applied("logit", x) * scale + loc).value


@composition("scipy.stats.logistic.isf")
def logistic_isf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.logistic.isf`: the inverse of the survival function."""
    x, loc, scale = terms(ops, "logistic.isf", x, loc, scale)
    return (-applied("logit", x) * scale + loc).value


exponential("logistic", "pdf")


@composition("scipy.stats.laplace.logpdf")
def laplace_logpdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.laplace.logpdf`: the logarithm of the density."""
    x, loc, scale = terms(ops, "laplace.logpdf", x, loc, scale)
    return (-(abs(x - loc) / scale + (x.constant(2) * scale).log())).value


@composition("scipy.stats.laplace.cdf")
def laplace_cdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.laplace.cdf`: the distribution function."""
    x, loc, scale = terms(ops, "laplace.cdf", x, loc, scale)
    half, z = x.constant(0.5), scaled(x, loc, scale)
    right = x.constant(1) - half * (-z).exp()
    return z.made("lax.select", z <= x.constant(0), half * z.exp(), right).value


exponential("laplace", "pdf")


@composition("scipy.stats.cauchy.logpdf")
def cauchy_logpdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.cauchy.logpdf`: the logarithm of the density."""
    x, loc, scale = terms(ops, "cauchy.logpdf", x, loc, scale)
    z = scaled(x, loc, scale)
    return (-((x.constant(math.pi) * scale).log() + (z * z).log1p())).value


@composition("scipy.stats.cauchy.cdf")
def cauchy_cdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.cauchy.cdf`: the distribution function."""
    x, loc, scale = terms(ops, "cauchy.cdf", x, loc, scale)
    z = scaled(x, loc, scale)
    return (x.constant(0.5) + x.constant(1 / math.pi) * z.made("numpy.arctan", z)).value


@composition("scipy.stats.cauchy.sf")
def cauchy_sf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.cauchy.sf`: the survival function."""
    x, loc, scale = terms(ops, "cauchy.sf", x, loc, scale)
    return ops("scipy.stats.cauchy.cdf", (-x).value, (-loc).value, scale.value)


def _cauchy_quantile(is_upper: bool, x: Term, loc: Term, scale: Term) -> Any:
    turn = x.constant(math.pi) * x
    half = x.constant(math.pi / 2)
    return ((half - turn if is_upper else turn - half).tan() * scale + loc).value


@composition("scipy.stats.cauchy.ppf")
def cauchy_ppf(ops: Operations, q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.cauchy.ppf`: the quantile."""
    return _cauchy_quantile(False, *terms(ops, "cauchy.ppf", q, loc, scale))


@composition("scipy.stats.cauchy.isf")
def cauchy_isf(ops: Operations, q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.cauchy.isf`: the inverse of the survival function."""
    return _cauchy_quantile(True, *terms(ops, "cauchy.isf", q, loc, scale))


exponential("cauchy", "pdf")
logarithm("cauchy", "cdf")
logarithm("cauchy", "sf")


@composition("scipy.stats.t.logpdf")
def t_logpdf(ops: Operations, x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.t.logpdf`: the logarithm of the density."""
    x, df, loc, scale = terms(ops, "t.logpdf", x, df, loc, scale)
    z, two = scaled(x, loc, scale), x.constant(2)
    half = df / two
    more = half + x.constant(0.5)
    normal = half.lgamma() + (scale * scale * x.constant(math.pi) * df).log() / two - more.lgamma()
    return (-(normal + more * (z * z / df).log1p())).value


exponential("t", "pdf")


@composition("scipy.stats.gennorm.logpdf")
def gennorm_logpdf(ops: Operations, x: Any, beta: Any) -> Any:
    """`jax.scipy.stats.gennorm.logpdf`: the logarithm of the density."""
    x, beta = terms(ops, "gennorm.logpdf", x, beta)
    normal = (0.5 * beta).log().minus((1 / beta).lgamma())
    return normal.minus(x.made("numpy.power", abs(x), beta)).value


@composition("scipy.stats.gennorm.cdf")
def gennorm_cdf(ops: Operations, x: Any, beta: Any) -> Any:
    """`jax.scipy.stats.gennorm.cdf`: the distribution function."""
    x, beta = terms(ops, "gennorm.cdf", x, beta)
    inside = x.made("lax.igamma", 1 / beta, x.made("numpy.power", abs(x), beta))
    return (0.5 * (1 + x.sign() * inside)).value


exponential("gennorm", "pdf")


def _if_positive(result: Term, scale: Term) -> Any:
    return result.where(scale > scale.constant(0), math.nan).value


def _if_probability(result: Term, p: Term) -> Any:
    return result.where((p > p.constant(0)) & (p < p.constant(1)), math.nan).value


@composition("scipy.stats.gumbel_l.logpdf")
def gumbel_l_logpdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.gumbel_l.logpdf`: the logarithm of the density."""
    x, loc, scale = terms(ops, "gumbel_l.logpdf", x, loc, scale)
    z = scaled(x, loc, scale)
    return _if_positive(z.made("scipy.special.xlogy", -1, scale) + (z - z.exp()), scale)


@composition("scipy.stats.gumbel_l.logcdf")
def gumbel_l_logcdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.gumbel_l.logcdf`: the logarithm of the distribution function."""
    x, loc, scale = terms(ops, "gumbel_l.logcdf", x, loc, scale)
    return _if_positive((-(-scaled(x, loc, scale).exp()).expm1()).log(), scale)


@composition("scipy.stats.gumbel_l.logsf")
def gumbel_l_logsf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.gumbel_l.logsf`: the logarithm of the survival function."""
    x, loc, scale = terms(ops, "gumbel_l.logsf", x, loc, scale)
    return _if_positive(-scaled(x, loc, scale).exp(), scale)


@composition("scipy.stats.gumbel_l.ppf")
def gumbel_l_ppf(ops: Operations, p: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.gumbel_l.ppf`: the quantile."""
    p, loc, scale = terms(ops, "gumbel_l.ppf", p, loc, scale)
    return _if_probability(loc + scale * p.made("scipy.special.xlog1py", -1, -p).log(), p)


for _name in ("pdf", "cdf", "sf"):
    exponential("gumbel_l", _name)


@composition("scipy.stats.gumbel_r.logpdf")
def gumbel_r_logpdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.gumbel_r.logpdf`: the logarithm of the density."""
    x, loc, scale = terms(ops, "gumbel_r.logpdf", x, loc, scale)
    z = scaled(x, loc, scale)
    return _if_positive(z.made("scipy.special.xlogy", -1, scale) + -(z + (-z).exp()), scale)


@composition("scipy.stats.gumbel_r.logcdf")
def gumbel_r_logcdf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.gumbel_r.logcdf`: the logarithm of the distribution function."""
    x, loc, scale = terms(ops, "gumbel_r.logcdf", x, loc, scale)
    return _if_positive(-(-scaled(x, loc, scale)).exp(), scale)


@composition("scipy.stats.gumbel_r.sf")
def gumbel_r_sf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.gumbel_r.sf`: the survival function."""
    x, loc, scale = terms(ops, "gumbel_r.sf", x, loc, scale)
    return _if_positive(x.constant(1) - (-scaled(loc, x, scale).exp()).exp(), scale)


@composition("scipy.stats.gumbel_r.logsf")
def gumbel_r_logsf(ops: Operations, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.gumbel_r.logsf`: the logarithm of the survival function."""
    x, loc, scale = terms(ops, "gumbel_r.logsf", x, loc, scale)
    return _if_positive(x.made("nn.log1mexp", scaled(loc, x, scale).exp()), scale)


@composition("scipy.stats.gumbel_r.ppf")
def gumbel_r_ppf(ops: Operations, p: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`jax.scipy.stats.gumbel_r.ppf`: the quantile."""
    p, loc, scale = terms(ops, "gumbel_r.ppf", p, loc, scale)
    return _if_probability(loc - scale * p.made("scipy.special.xlogy", -1, p).log(), p)


for _name in ("pdf", "cdf"):
    exponential("gumbel_r", _name)
