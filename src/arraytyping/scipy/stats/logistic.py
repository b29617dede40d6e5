"""The logistic distribution, under the names of `jax.scipy.stats.logistic`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_the_line as stats_of_the_line  # the definitions

__all__ = ["cdf", "isf", "logpdf", "pdf", "ppf", "sf"]

cdf: Final = composed("scipy.stats.logistic.cdf", "x", "loc", "scale")
isf: Final = composed("scipy.stats.logistic.isf", "x", "loc", "scale")
logpdf: Final = composed("scipy.stats.logistic.logpdf", "x", "loc", "scale")
pdf: Final = composed("scipy.stats.logistic.pdf", "x", "loc", "scale")
ppf: Final = composed("scipy.stats.logistic.ppf", "x", "loc", "scale")
sf: Final = composed("scipy.stats.logistic.sf", "x", "loc", "scale")
