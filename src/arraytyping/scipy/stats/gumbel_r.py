"""The Gumbel distribution of greatest values, under the names of `jax.scipy.stats.gumbel_r`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_the_line as stats_of_the_line  # the definitions

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]

cdf: Final = composed("scipy.stats.gumbel_r.cdf", "x", "loc", "scale")
logcdf: Final = composed("scipy.stats.gumbel_r.logcdf", "x", "loc", "scale")
logpdf: Final = composed("scipy.stats.gumbel_r.logpdf", "x", "loc", "scale")
logsf: Final = composed("scipy.stats.gumbel_r.logsf", "x", "loc", "scale")
pdf: Final = composed("scipy.stats.gumbel_r.pdf", "x", "loc", "scale")
ppf: Final = composed("scipy.stats.gumbel_r.ppf", "p", "loc", "scale")
sf: Final = composed("scipy.stats.gumbel_r.sf", "x", "loc", "scale")
