"""Functions of `jax.scipy.cluster`."""

from arraytyping.scipy.cluster import vq as vq
