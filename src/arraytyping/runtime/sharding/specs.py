"""`PartitionSpec`: along which axes of a mesh each dimension of an array is cut.

Source: https://docs.jax.dev/en/latest/jax.sharding.html#jax.sharding.PartitionSpec.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from arraytyping.semantics.shardings import Spec, read_spec

__all__ = ["PartitionSpec", "UNCONSTRAINED", "UnconstrainedSingleton", "entries_of"]


class UnconstrainedSingleton:
    """The type of `PartitionSpec.UNCONSTRAINED`: the compiler decides how the dimension is cut."""

    def __repr__(self) -> str:
        return "UNCONSTRAINED"

    def __reduce__(self) -> str:
        return "UNCONSTRAINED"


UNCONSTRAINED: Final = UnconstrainedSingleton()


def _canonical(entry: Any) -> Any:
    """An entry as it is kept: several axes as a tuple, one as itself, none as None.

    Raises:
        ValueError: for what names no axes.
    """
    if isinstance(entry, tuple | list):
        names = tuple(entry)
        if any(not isinstance(name, str) for name in names):
            raise ValueError(f"a PartitionSpec takes names of axes, None, or tuples of names, got {entry!r:.60}")
        return None if not names else names[0] if len(names) == 1 else names
    if entry is None or isinstance(entry, str | UnconstrainedSingleton):
        return entry
    raise ValueError(f"a PartitionSpec takes names of axes, None, or tuples of names, got {entry!r:.60}")


class PartitionSpec:
    """For each dimension an axis of a mesh, a tuple of axes, or None; dimensions that it does not reach are whole.

    Raises:
        ValueError: for an entry that is none of these.
    """

    __slots__ = ("__weakref__", "partitions")
    UNCONSTRAINED: Final = UNCONSTRAINED

    def __init__(self, *partitions: Any) -> None:
        self.partitions: tuple[Any, ...] = tuple(map(_canonical, partitions))

    def __repr__(self) -> str:
        return f"P({repr(self.partitions)[1:-1]})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PartitionSpec) and self.partitions == other.partitions

    def __hash__(self) -> int:
        return hash(self.partitions)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.partitions)

    def __len__(self) -> int:
        return len(self.partitions)

    def __getitem__(self, number: Any) -> Any:
        return self.partitions[number]

    def __add__(self, other: Any) -> PartitionSpec:
        return PartitionSpec(*self, *other)

    def __radd__(self, other: Any) -> PartitionSpec:
        return PartitionSpec(*other, *self)

    def __reduce__(self) -> Any:
        return PartitionSpec, self.partitions

    def index(self, value: Any) -> int:
        """The number of the first dimension with this entry."""
        return self.partitions.index(_canonical(value))

    def count(self, value: Any) -> int:
        """How many dimensions have this entry."""
        return self.partitions.count(_canonical(value))

    def update(self, partitions: Any = None) -> PartitionSpec:
        """The same spec with other entries."""
        return PartitionSpec(*(self.partitions if partitions is None else partitions))


def entries_of(spec: PartitionSpec) -> Spec:
    """The entries as the rules of shardings have them."""
    return cast(Spec, read_spec(spec))
