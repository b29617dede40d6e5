"""The Gumbel distribution of least values, under the names of `jax.scipy.stats.gumbel_l`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_the_line as stats_of_the_line  # the definitions

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]

cdf: Final = composed("scipy.stats.gumbel_l.cdf", "x", "loc", "scale")
logcdf: Final = composed("scipy.stats.gumbel_l.logcdf", "x", "loc", "scale")
logpdf: Final = composed("scipy.stats.gumbel_l.logpdf", "x", "loc", "scale")
logsf: Final = composed("scipy.stats.gumbel_l.logsf", "x", "loc", "scale")
pdf: Final = composed("scipy.stats.gumbel_l.pdf", "x", "loc", "scale")
ppf: Final = composed("scipy.stats.gumbel_l.ppf", "p", "loc", "scale")
sf: Final = composed("scipy.stats.gumbel_l.sf", "x", "loc", "scale")
