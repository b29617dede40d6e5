"""The wrapped Cauchy distribution, under the names of `jax.scipy.stats.wrapcauchy`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_intervals as stats_of_intervals  # the definitions

__all__ = ["logpdf", "pdf"]

logpdf: Final = composed("scipy.stats.wrapcauchy.logpdf", "x", "c")
pdf: Final = composed("scipy.stats.wrapcauchy.pdf", "x", "c")
