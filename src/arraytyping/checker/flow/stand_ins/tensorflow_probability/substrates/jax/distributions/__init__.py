"""`tensorflow_probability.substrates.jax.distributions`: distributions by the arrays that their methods give.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/distributions.
"""

from tensorflow_probability.substrates.jax.distributions import kullback_leibler
from tensorflow_probability.substrates.jax.distributions.base import (
    AutoCompositeTensorDistribution,
    Distribution,
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
from tensorflow_probability.substrates.jax.distributions.kullback_leibler import RegisterKL, kl_divergence
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
    MultivariateNormalLinearOperator,
    MultivariateNormalTriL,
)

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("tfd." + name)
