"""Statistics, under `jax.scipy.stats`'s names: of samples, and a module for each distribution.

Source: https://docs.jax.dev/en/latest/jax.scipy.html.
"""

from arraytyping.runtime import whole as whole  # first: what follows computes with it
from arraytyping.scipy.density import gaussian_kde as gaussian_kde
from arraytyping.scipy.samples import mode as mode, rankdata as rankdata, sem as sem
from arraytyping.scipy.stats import (
    bernoulli as bernoulli,
    beta as beta,
    betabinom as betabinom,
    binom as binom,
    cauchy as cauchy,
    chi2 as chi2,
    expon as expon,
    gamma as gamma,
    gennorm as gennorm,
    geom as geom,
    gumbel_l as gumbel_l,
    gumbel_r as gumbel_r,
    laplace as laplace,
    logistic as logistic,
    nbinom as nbinom,
    norm as norm,
    pareto as pareto,
    poisson as poisson,
    t as t,
    uniform as uniform,
    vonmises as vonmises,
    wrapcauchy as wrapcauchy,
)
