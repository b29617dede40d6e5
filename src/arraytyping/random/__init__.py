"""Random numbers, under `jax.random`'s names, equal to JAX's to the last bit: keys, and functions of them."""

import arraytyping.runtime as _runtime  # noqa: F401 (first: it says which library is missing)

# isort: split
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
from arraytyping.random.discrete import bernoulli, bits, rademacher, randint
from arraytyping.random.draws import categorical, choice, permutation
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
from arraytyping.runtime import whole as whole  # first: what follows computes with it

__all__ = [
    "PRNGKey", "bernoulli", "bits", "categorical", "cauchy", "choice", "clone", "exponential", "fold_in", "gumbel",
    "key", "key_data", "key_dtype", "key_impl", "laplace", "logistic", "normal", "permutation", "rademacher", "randint",
    "split", "truncated_normal", "uniform", "wrap_key_data",
]  # fmt: skip
