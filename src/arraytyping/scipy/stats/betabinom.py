"""The beta-binomial distribution, under the names of `jax.scipy.stats.betabinom`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_counts as stats_of_counts  # the definitions

__all__ = ["logpmf", "pmf"]

logpmf: Final = composed("scipy.stats.betabinom.logpmf", "k", "n", "a", "b", "loc")
pmf: Final = composed("scipy.stats.betabinom.pmf", "k", "n", "a", "b", "loc")
