"""`arraytyping.experimental`: what JAX has under this name.

Source: https://docs.jax.dev/en/latest/jax.experimental.html.
"""

from arraytyping.runtime.callbacks.calling_back import io_callback

__all__ = ["io_callback"]
