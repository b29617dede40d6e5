"""Functions of `jax.scipy`: those of `special` and `stats` that there are."""

from arraytyping.scipy import special as special, stats as stats
