"""The sentences for what arrays and jitted functions do not allow, which flow and the plugin say alike."""

from __future__ import annotations

from typing import Final

__all__ = ["IMMUTABLE", "unhashable_sentence"]

IMMUTABLE: Final = "TypeError: JAX arrays are immutable, so x[i] = y is not possible; write x = x.at[i].set(y)"


def unhashable_sentence(what: str, kind: str) -> str:
    """Of a static argument that cannot be hashed."""
    return f"ValueError: {what} is static, so it must be hashable, and {kind} is not; give a tuple or a number"
