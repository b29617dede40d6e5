"""Functions of neural networks, under `jax.nn`'s names."""

from arraytyping.nn import initializers as initializers
from arraytyping.nn.activations import *  # noqa: F403
from arraytyping.nn.attention import *  # noqa: F403
from arraytyping.nn.normalizing import *  # noqa: F403
from arraytyping.runtime import whole as whole  # first: what follows computes with it
