"""`tensorflow_probability.substrates.jax.distributions`: distributions by the arrays that their methods give.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/distributions.
"""

from tensorflow_probability.substrates.jax.distributions.base import (
    AutoCompositeTensorDistribution,
    Distribution,
    RegisterKL,
    kl_divergence,
)
from tensorflow_probability.substrates.jax.distributions.choices import (
    Bernoulli,
    Categorical,
    Deterministic,
    OneHotCategorical,
    Poisson,
)
from tensorflow_probability.substrates.jax.distributions.compounds import (
    Independent,
    MixtureSameFamily,
    Sample,
    TransformedDistribution,
)
from tensorflow_probability.substrates.jax.distributions.scalars import (
    Beta,
    Cauchy,
    Exponential,
    Gamma,
    HalfNormal,
    Laplace,
    Logistic,
    Normal,
    StudentT,
    TruncatedNormal,
    Uniform,
)
from tensorflow_probability.substrates.jax.distributions.vectors import (
    Dirichlet,
    Gumbel,
    LogNormal,
    MultivariateNormalDiag,
    MultivariateNormalFullCovariance,
    MultivariateNormalTriL,
)

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("tfd." + name)
