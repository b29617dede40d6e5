"""Special functions, under `jax.scipy.special`'s names.

Source: https://docs.jax.dev/en/latest/jax.scipy.html.
"""

from typing import Final

from arraytyping import runtime as runtime  # first: what follows computes with it
from arraytyping.nn.operations import composed

__all__ = ["logsumexp"]

logsumexp: Final = composed("scipy.special.logsumexp", "a", "b", "where")
