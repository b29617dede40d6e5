"""The Laplace distribution, under the names of `jax.scipy.stats.laplace`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_the_line as stats_of_the_line  # the definitions

__all__ = ["cdf", "logpdf", "pdf"]

cdf: Final = composed("scipy.stats.laplace.cdf", "x", "loc", "scale")
logpdf: Final = composed("scipy.stats.laplace.logpdf", "x", "loc", "scale")
pdf: Final = composed("scipy.stats.laplace.pdf", "x", "loc", "scale")
