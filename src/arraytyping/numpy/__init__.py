"""NumPy's functions for arrays of this package, under `jax.numpy`'s names and signatures."""

from arraytyping.numpy.arithmetic import *  # noqa: F403
