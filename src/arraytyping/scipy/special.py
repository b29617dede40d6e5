"""Special functions, under `jax.scipy.special`'s names.

Source: https://docs.jax.dev/en/latest/jax.scipy.html.
"""

from typing import Final

from arraytyping.nn.operations import composed
from arraytyping.runtime import whole as whole  # first: what follows computes with it

__all__ = ["logsumexp"]

logsumexp: Final = composed("scipy.special.logsumexp", "a", "b", "where")
