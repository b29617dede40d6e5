"""The chi-squared distribution, under the names of `jax.scipy.stats.chi2`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_intervals as stats_of_intervals  # the definitions

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

cdf: Final = composed("scipy.stats.chi2.cdf", "x", "df", "loc", "scale")
logcdf: Final = composed("scipy.stats.chi2.logcdf", "x", "df", "loc", "scale")
logpdf: Final = composed("scipy.stats.chi2.logpdf", "x", "df", "loc", "scale")
logsf: Final = composed("scipy.stats.chi2.logsf", "x", "df", "loc", "scale")
pdf: Final = composed("scipy.stats.chi2.pdf", "x", "df", "loc", "scale")
sf: Final = composed("scipy.stats.chi2.sf", "x", "df", "loc", "scale")
