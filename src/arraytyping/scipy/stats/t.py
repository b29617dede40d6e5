"""Student's t distribution, under the names of `jax.scipy.stats.t`."""

from __future__ import annotations

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.semantics.rules import stats_of_the_line as stats_of_the_line  # the definitions

__all__ = ["logpdf", "pdf"]

logpdf: Final = composed("scipy.stats.t.logpdf", "x", "df", "loc", "scale")
pdf: Final = composed("scipy.stats.t.pdf", "x", "df", "loc", "scale")
