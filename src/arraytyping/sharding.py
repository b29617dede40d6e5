"""Where arrays lie, under the names of `jax.sharding`."""

from arraytyping.runtime.sharding import *  # noqa: F403
