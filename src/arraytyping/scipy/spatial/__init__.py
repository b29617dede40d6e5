"""Functions of `jax.scipy.spatial`."""

from arraytyping.scipy.spatial import transform as transform
