"""The normal distribution, under the names of `jax.scipy.stats.norm`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_the_line as stats_of_the_line  # the definitions

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]

cdf: Final = composed("scipy.stats.norm.cdf", "x", "loc", "scale")
logcdf: Final = composed("scipy.stats.norm.logcdf", "x", "loc", "scale")
logpdf: Final = composed("scipy.stats.norm.logpdf", "x", "loc", "scale")
logsf: Final = composed("scipy.stats.norm.logsf", "x", "loc", "scale")
pdf: Final = composed("scipy.stats.norm.pdf", "x", "loc", "scale")
ppf: Final = composed("scipy.stats.norm.ppf", "q", "loc", "scale")
sf: Final = composed("scipy.stats.norm.sf", "x", "loc", "scale")
