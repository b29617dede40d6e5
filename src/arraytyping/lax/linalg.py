"""Linear algebra, under the names of `jax.lax.linalg`."""

from arraytyping.runtime.lax.linalg import *  # noqa: F403
