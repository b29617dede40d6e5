"""Random numbers, under `jax.random`'s names, equal to JAX's to the last bit: keys, and functions of them."""

import arraytyping.runtime as _runtime  # noqa: F401 (first: it says which library is missing)

# isort: split
from arraytyping.random import key_operations as key_operations  # functions of numpy take keys, too
from arraytyping.random.continuous import (
    cauchy,
    exponential,
    gumbel,
    laplace,
    logistic,
    normal,
    truncated_normal,
    uniform,
)
from arraytyping.random.counts import binomial, geometric, multinomial, poisson
from arraytyping.random.discrete import bernoulli, bits, rademacher, randint
from arraytyping.random.draws import categorical, choice, permutation
from arraytyping.random.gammas import beta, chisquare, dirichlet, f, gamma, loggamma, t
from arraytyping.random.keys import (
    PRNGKey,
    clone,
    fold_in,
    key,
    key_data,
    key_dtype,
    key_impl,
    split,
    wrap_key_data,
)
from arraytyping.random.transformed import (
    ball,
    double_sided_maxwell,
    generalized_normal,
    lognormal,
    maxwell,
    multivariate_normal,
    orthogonal,
    pareto,
    rayleigh,
    triangular,
    wald,
    weibull_min,
)
from arraytyping.runtime import whole as whole  # first: what follows computes with it

__all__ = [
    "PRNGKey", "ball", "bernoulli", "beta", "binomial", "bits", "categorical", "cauchy", "chisquare", "choice",
    "clone", "dirichlet", "double_sided_maxwell", "exponential", "f", "fold_in", "gamma", "generalized_normal",
    "geometric", "gumbel", "key", "key_data", "key_dtype", "key_impl", "laplace", "loggamma", "logistic",
    "lognormal", "maxwell", "multinomial", "multivariate_normal", "normal", "orthogonal", "pareto", "permutation",
    "poisson", "rademacher", "randint", "rayleigh", "split", "t", "triangular", "truncated_normal", "uniform",
    "wald", "weibull_min", "wrap_key_data",
]  # fmt: skip
