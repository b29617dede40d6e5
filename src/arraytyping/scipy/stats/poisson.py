"""The Poisson distribution, under the names of `jax.scipy.stats.poisson`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_counts as stats_of_counts  # the definitions

__all__ = ["cdf", "logpmf", "pmf"]

cdf: Final = composed("scipy.stats.poisson.cdf", "k", "mu", "loc")
logpmf: Final = composed("scipy.stats.poisson.logpmf", "k", "mu", "loc")
pmf: Final = composed("scipy.stats.poisson.pmf", "k", "mu", "loc")
