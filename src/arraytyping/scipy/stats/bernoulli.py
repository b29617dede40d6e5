"""The Bernoulli distribution, under the names of `jax.scipy.stats.bernoulli`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_counts as stats_of_counts  # the definitions

__all__ = ["cdf", "logpmf", "pmf", "ppf"]

cdf: Final = composed("scipy.stats.bernoulli.cdf", "k", "p")
logpmf: Final = composed("scipy.stats.bernoulli.logpmf", "k", "p", "loc")
pmf: Final = composed("scipy.stats.bernoulli.pmf", "k", "p", "loc")
ppf: Final = composed("scipy.stats.bernoulli.ppf", "q", "p")
