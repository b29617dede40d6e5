"""`pjit`, the older name of `jit`, under the name of `jax.experimental.pjit`.

Source: https://docs.jax.dev/en/latest/jax.experimental.pjit.html.
"""

from arraytyping.runtime.transformations.jit import jit as pjit

__all__ = ["pjit"]
