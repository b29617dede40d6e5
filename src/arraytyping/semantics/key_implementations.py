"""The implementations of random numbers that JAX comes with: their names, and of how many words their keys are.

Source: https://docs.jax.dev/en/latest/jax.random.html; the names in dtypes are those of `key<fry>` and its kin.
"""

from __future__ import annotations

from typing import Final

__all__ = ["KEY_SIZES", "KEY_TAGS"]

KEY_TAGS: Final = {
    "threefry2x32": "fry", "rbg": "rbg", "unsafe_rbg": "urbg", "threefry4x32": "fry4", "philox2x32": "phx2",
    "philox4x32": "phx4",
}  # fmt: skip
"""The name in the dtype of the keys of each implementation."""

KEY_SIZES: Final = {"fry": 2, "rbg": 4, "urbg": 4, "phx2": 1, "phx4": 2, "fry4": 4}
"""The words of 32 bits of a key, by the name in its dtype."""
