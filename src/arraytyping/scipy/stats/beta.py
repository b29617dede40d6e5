"""The beta distribution, under the names of `jax.scipy.stats.beta`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_intervals as stats_of_intervals  # the definitions

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

cdf: Final = composed("scipy.stats.beta.cdf", "x", "a", "b", "loc", "scale")
logcdf: Final = composed("scipy.stats.beta.logcdf", "x", "a", "b", "loc", "scale")
logpdf: Final = composed("scipy.stats.beta.logpdf", "x", "a", "b", "loc", "scale")
logsf: Final = composed("scipy.stats.beta.logsf", "x", "a", "b", "loc", "scale")
pdf: Final = composed("scipy.stats.beta.pdf", "x", "a", "b", "loc", "scale")
sf: Final = composed("scipy.stats.beta.sf", "x", "a", "b", "loc", "scale")
