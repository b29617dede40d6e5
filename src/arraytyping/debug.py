"""`arraytyping.debug`: what a program shows of its values while it runs.

Source: https://docs.jax.dev/en/latest/jax.debug.html.
"""

from arraytyping.runtime.callbacks.debugging import callback, log, print_ as print
from arraytyping.runtime.effects import DebugEffect, OrderedDebugEffect

__all__ = ["DebugEffect", "OrderedDebugEffect", "callback", "log", "print"]
