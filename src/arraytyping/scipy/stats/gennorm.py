"""The generalized normal distribution, under the names of `jax.scipy.stats.gennorm`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_the_line as stats_of_the_line  # the definitions

__all__ = ["cdf", "logpdf", "pdf"]

cdf: Final = composed("scipy.stats.gennorm.cdf", "x", "beta")
logpdf: Final = composed("scipy.stats.gennorm.logpdf", "x", "beta")
pdf: Final = composed("scipy.stats.gennorm.pdf", "x", "beta")
