"""The Pareto distribution, under the names of `jax.scipy.stats.pareto`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_intervals as stats_of_intervals  # the definitions

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]

cdf: Final = composed("scipy.stats.pareto.cdf", "x", "b", "loc", "scale")
logcdf: Final = composed("scipy.stats.pareto.logcdf", "x", "b", "loc", "scale")
logpdf: Final = composed("scipy.stats.pareto.logpdf", "x", "b", "loc", "scale")
logsf: Final = composed("scipy.stats.pareto.logsf", "x", "b", "loc", "scale")
pdf: Final = composed("scipy.stats.pareto.pdf", "x", "b", "loc", "scale")
ppf: Final = composed("scipy.stats.pareto.ppf", "q", "b", "loc", "scale")
sf: Final = composed("scipy.stats.pareto.sf", "x", "b", "loc", "scale")
