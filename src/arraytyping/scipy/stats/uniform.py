"""The uniform distribution on an interval, under the names of `jax.scipy.stats.uniform`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_intervals as stats_of_intervals  # the definitions

__all__ = ["cdf", "logpdf", "pdf", "ppf"]

cdf: Final = composed("scipy.stats.uniform.cdf", "x", "loc", "scale")
logpdf: Final = composed("scipy.stats.uniform.logpdf", "x", "loc", "scale")
pdf: Final = composed("scipy.stats.uniform.pdf", "x", "loc", "scale")
ppf: Final = composed("scipy.stats.uniform.ppf", "q", "loc", "scale")
