"""The von Mises distribution, under the names of `jax.scipy.stats.vonmises`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_intervals as stats_of_intervals  # the definitions

__all__ = ["logpdf", "pdf"]

logpdf: Final = composed("scipy.stats.vonmises.logpdf", "x", "kappa")
pdf: Final = composed("scipy.stats.vonmises.pdf", "x", "kappa")
