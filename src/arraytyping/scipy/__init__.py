"""Functions of `jax.scipy`: those of `linalg`, `special` and `stats` that there are."""

from arraytyping.scipy import linalg as linalg, special as special, stats as stats
