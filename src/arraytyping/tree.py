"""Pytrees, under the names of `jax.tree`."""

from arraytyping.runtime.tree import *  # noqa: F403
