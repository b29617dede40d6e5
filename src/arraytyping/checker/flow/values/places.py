"""Where an array lies: the sharding that is part of its type, and the axes of a mesh along which it varies.

In jax these are part of an abstract value: the sharding where axes of the mesh are explicit, the axes along which it
varies inside of `shard_map`.

Source: https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html and
https://docs.jax.dev/en/latest/notebooks/shard_map.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.shardings import Spec

__all__ = ["NOWHERE", "Place"]


class Place:
    """Where jax says that an array lies; `real` is what jax has of it, by which two are equal.

    `axes` is there where the sharding is part of the type; `varying` are the axes of a `shard_map` along which the
    array is not the same.
    """

    __slots__ = ("axes", "real", "varying")

    def __init__(self, real: Any, axes: Spec | None, varying: frozenset[str]) -> None:
        self.real: Any = real
        self.axes: Spec | None = axes
        self.varying: frozenset[str] = varying

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self.real == other.real

    def __hash__(self) -> int:
        return hash(self.real)

    def __repr__(self) -> str:
        return f"Place({self.axes}, {sorted(self.varying)})"


NOWHERE: Final = Place(None, None, frozenset())
"""That of an array of which no mesh says anything."""
