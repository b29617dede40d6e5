"""Effects: what an operation does besides giving results, for which an equation stays though nobody reads it.

Operations with *ordered* effects happen in the order in which the program says them.

Source: https://docs.jax.dev/en/latest/external-callbacks.html;
https://github.com/jax-ml/jax/blob/main/jax/_src/effects.py.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "DEBUG", "IO", "NO_DCE", "NO_EFFECTS", "ORDERED_DEBUG", "ORDERED_IO", "DebugEffect", "Effect", "Effects",
    "IOEffect", "NoDCEEffect", "OrderedDebugEffect", "OrderedIOEffect", "has_ordered",
]  # fmt: skip


class Effect:
    """A kind of effect; each has one object."""

    ordered: bool = False

    def __repr__(self) -> str:
        return type(self).__name__.removesuffix("Effect")


class DebugEffect(Effect):
    """What `debug.print` and `debug.callback` do."""


class OrderedDebugEffect(Effect):
    """The same in order."""

    ordered = True


class IOEffect(Effect):
    """What `experimental.io_callback` does."""


class OrderedIOEffect(Effect):
    """The same in order."""

    ordered = True


class NoDCEEffect(Effect):
    """What `lax.dce_sink` is there for."""


DEBUG: Final = DebugEffect()
ORDERED_DEBUG: Final = OrderedDebugEffect()
IO: Final = IOEffect()
ORDERED_IO: Final = OrderedIOEffect()
NO_DCE: Final = NoDCEEffect()

Effects = frozenset[Effect]
"""The effects of an equation, or of a whole jaxpr."""

NO_EFFECTS: Final[Effects] = frozenset()


def has_ordered(effects: Effects) -> bool:
    """Whether something in it happens in order."""
    return any(effect.ordered for effect in effects)
