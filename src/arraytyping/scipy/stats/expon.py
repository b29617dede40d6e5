"""The exponential distribution, under the names of `jax.scipy.stats.expon`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_intervals as stats_of_intervals  # the definitions

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]

cdf: Final = composed("scipy.stats.expon.cdf", "x", "loc", "scale")
logcdf: Final = composed("scipy.stats.expon.logcdf", "x", "loc", "scale")
logpdf: Final = composed("scipy.stats.expon.logpdf", "x", "loc", "scale")
logsf: Final = composed("scipy.stats.expon.logsf", "x", "loc", "scale")
pdf: Final = composed("scipy.stats.expon.pdf", "x", "loc", "scale")
ppf: Final = composed("scipy.stats.expon.ppf", "q", "loc", "scale")
sf: Final = composed("scipy.stats.expon.sf", "x", "loc", "scale")
