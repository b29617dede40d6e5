"""Attributes that values had in earlier releases of their libraries, and what stands in their place.

Source: https://docs.jax.dev/en/latest/changelog.html; https://github.com/google/flax/blob/main/CHANGELOG.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arraytyping.checker.flow.values import ArrayValue, DictValue, Value

__all__ = ["Removed", "removed_attribute"]


@dataclass(frozen=True)
class Removed:
    """An attribute that is gone: what a message advises, and the attribute with which a program is followed on.

    The empty text in place of an attribute stands for the value itself.
    """

    advice: str
    instead: str
    is_of_jax: bool = True


_OF_ARRAYS: Final[dict[str, Removed]] = {
    "block_host_until_ready": Removed("write block_until_ready in its place", "block_until_ready"),
    "device_buffer": Removed("write addressable_data(0) in its place", ""),
    "to_py": Removed("write numpy.asarray(x) in its place", "__array__"),
}
_OF_DICTS: Final[dict[str, Removed]] = {
    "unfreeze": Removed("the variables of Flax are plain dicts since its release 0.7: leave it out", "copy", False),
}


def removed_attribute(value: Value, name: str) -> Removed | None:
    """What became of an attribute that values of this sort had; None if they never had it."""
    if isinstance(value, ArrayValue):
        return _OF_ARRAYS.get(name)
    return _OF_DICTS.get(name) if isinstance(value, DictValue) and value.kind is dict else None
