"""The geometric distribution, under the names of `jax.scipy.stats.geom`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_counts as stats_of_counts  # the definitions

__all__ = ["logpmf", "pmf"]

logpmf: Final = composed("scipy.stats.geom.logpmf", "k", "p", "loc")
pmf: Final = composed("scipy.stats.geom.pmf", "k", "p", "loc")
