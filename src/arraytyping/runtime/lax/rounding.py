"""How halves are rounded.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.RoundingMethod.html.
"""

from __future__ import annotations

import enum

__all__ = ["RoundingMethod"]


class RoundingMethod(enum.IntEnum):
    """What `round` makes of a half: the next integer away from zero, or the even one."""

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1
