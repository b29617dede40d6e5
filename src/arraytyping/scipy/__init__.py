"""Functions of `jax.scipy`: those of `special` that there are."""

from arraytyping.scipy import special as special
