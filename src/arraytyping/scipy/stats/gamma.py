"""The gamma distribution, under the names of `jax.scipy.stats.gamma`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_intervals as stats_of_intervals  # the definitions

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

cdf: Final = composed("scipy.stats.gamma.cdf", "x", "a", "loc", "scale")
logcdf: Final = composed("scipy.stats.gamma.logcdf", "x", "a", "loc", "scale")
logpdf: Final = composed("scipy.stats.gamma.logpdf", "x", "a", "loc", "scale")
logsf: Final = composed("scipy.stats.gamma.logsf", "x", "a", "loc", "scale")
pdf: Final = composed("scipy.stats.gamma.pdf", "x", "a", "loc", "scale")
sf: Final = composed("scipy.stats.gamma.sf", "x", "a", "loc", "scale")
