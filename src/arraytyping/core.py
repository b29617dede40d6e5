"""Primitives, traces and tracers, under the names of `jax.core`."""

from arraytyping.runtime.core import *  # noqa: F403
