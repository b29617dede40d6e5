"""The Cauchy distribution, under the names of `jax.scipy.stats.cauchy`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_the_line as stats_of_the_line  # the definitions

__all__ = ["cdf", "isf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]

cdf: Final = composed("scipy.stats.cauchy.cdf", "x", "loc", "scale")
isf: Final = composed("scipy.stats.cauchy.isf", "q", "loc", "scale")
logcdf: Final = composed("scipy.stats.cauchy.logcdf", "x", "loc", "scale")
logpdf: Final = composed("scipy.stats.cauchy.logpdf", "x", "loc", "scale")
logsf: Final = composed("scipy.stats.cauchy.logsf", "x", "loc", "scale")
pdf: Final = composed("scipy.stats.cauchy.pdf", "x", "loc", "scale")
ppf: Final = composed("scipy.stats.cauchy.ppf", "q", "loc", "scale")
sf: Final = composed("scipy.stats.cauchy.sf", "x", "loc", "scale")
