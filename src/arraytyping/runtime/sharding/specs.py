"""`PartitionSpec`: along which axes of a mesh each dimension of an array is cut.

Source: https://docs.jax.dev/en/latest/jax.sharding.html#jax.sharding.PartitionSpec.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final, cast
from weakref import WeakValueDictionary

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
        if any(isinstance(name, tuple | list) for name in names):
            raise ValueError(f"A tuple inside PartitionSpec cannot contain a nested tuple. Got partition: {entry}")
        if any(not isinstance(name, str) for name in names):
            raise ValueError(f"a PartitionSpec takes names of axes, None, or tuples of names, got {entry!r:.60}")
        return None if not names else names[0] if len(names) == 1 else names
    if entry is None or isinstance(entry, str | UnconstrainedSingleton):
        return entry
    raise ValueError(f"a PartitionSpec takes names of axes, None, or tuples of names, got {entry!r:.60}")


class PartitionSpec:
    """For each dimension an axis of a mesh, a tuple of axes, or None; dimensions that it does not reach are whole.

    The devices along the axes `unreduced` hold parts of a sum that is not taken yet, those along `reduced` one that is,
    as a derivative knows it.  Equal specs are one object.

    Raises:
        ValueError: for an entry that is none of these, and for an axis that is named as two of them.
        TypeError: where `unreduced` or `reduced` is no set.
    """

    __slots__ = ("__weakref__", "partitions", "reduced", "unreduced")
    UNCONSTRAINED: Final = UNCONSTRAINED
    partitions: tuple[Any, ...]
    unreduced: frozenset[Any]
    reduced: frozenset[Any]

    def __new__(cls, *partitions: Any, unreduced: Any = frozenset(), reduced: Any = frozenset()) -> PartitionSpec:
        """The spec of these entries; the class says more."""
        entries = tuple(map(_canonical, partitions))
        sums = [_axes("unreduced", unreduced), _axes("reduced", reduced)]
        key = entries, *sums
        found = _specs.get(key)
        if found is None:
            _check_once(entries, *sums)
            found = object.__new__(cls)
            found.partitions, (found.unreduced, found.reduced) = entries, sums
            found = _specs.setdefault(key, found)
        return found

    def __init_subclass__(cls) -> None:
        raise TypeError("Subclassing `jax.P` is prohibited: PartitionSpec has no classes below it")

    @property
    def has_sums(self) -> bool:
        """Whether it says anything of sums over axes."""
        return bool(self.unreduced or self.reduced)

    def __repr__(self) -> str:
        shown = repr(self.partitions)[1:-1]
        if not self.has_sums:
            return f"P({shown})"
        sums = [f"{n}={set(v)!r}" for n, v in (("unreduced", self.unreduced), ("reduced", self.reduced)) if v]
        before = "" if not shown else f"{shown} " if shown.endswith(",") else f"{shown}, "
        return f"P({before}{', '.join(sums)})"

    def __iter__(self) -> Iterator[Any]:
        self._check_plain("*spec", "*spec.partitions")
        return iter(self.partitions)

    def __len__(self) -> int:
        return len(self.partitions)

    def __getitem__(self, number: Any) -> Any:
        self._check_plain("spec[...]", "spec.partitions[...]")
        return self.partitions[number]

    def _check_plain(self, what: str, instead: str) -> None:
        if self.has_sums:
            raise ValueError(f"{what} leaves out what {self!r} says of sums over axes; use {instead}")

    def __add__(self, other: Any) -> PartitionSpec:
        if isinstance(other, PartitionSpec):
            sums = {"unreduced": self.unreduced | other.unreduced, "reduced": self.reduced | other.reduced}
            return PartitionSpec(*self.partitions, *other.partitions, **sums)
        return PartitionSpec(*self, *other)

    def __radd__(self, other: Any) -> PartitionSpec:
        return PartitionSpec(*other, *self)

    def __copy__(self) -> PartitionSpec:
        return self

    def __deepcopy__(self, memo: Any) -> PartitionSpec:
        return self

    def __reduce__(self) -> Any:
        return _spec_of, (self.partitions, self.unreduced, self.reduced)

    def index(self, value: Any) -> int:
        """The number of the first dimension with this entry."""
        return self.partitions.index(_canonical(value))

    def count(self, value: Any) -> int:
        """How many dimensions have this entry."""
        return self.partitions.count(_canonical(value))

    def update(self, partitions: Any = None, unreduced: Any = None, reduced: Any = None) -> PartitionSpec:
        """The same spec with other entries, or other sums."""
        return PartitionSpec(
            *(self.partitions if partitions is None else partitions),
            unreduced=self.unreduced if unreduced is None else unreduced,
            reduced=self.reduced if reduced is None else reduced,
        )


_specs: Final[WeakValueDictionary[Any, PartitionSpec]] = WeakValueDictionary()


def _spec_of(partitions: Any, unreduced: Any, reduced: Any) -> PartitionSpec:
    return PartitionSpec(*partitions, unreduced=unreduced, reduced=reduced)


def _axes(what: str, given: Any) -> frozenset[Any]:
    if not isinstance(given, set | frozenset):
        raise TypeError(f"{what} argument of PartitionSpec should be a set of names of axes, got {given!r:.60}")
    if None in given:
        raise ValueError(f"{what} cannot contain None: all elements in {what} should refer to the mesh axes")
    return frozenset(given)


def _check_once(entries: tuple[Any, ...], unreduced: frozenset[Any], reduced: frozenset[Any]) -> None:
    """Refuse an axis that is named as two of the three."""
    cut = {name for entry in entries for name in (entry if isinstance(entry, tuple) else (entry,))}
    named = {"the entries": cut, "unreduced": unreduced, "reduced": reduced}
    for (first, one), (second, other) in itertools.combinations(named.items(), 2):
        if both := one & other:
            raise ValueError(f"a PartitionSpec names {sorted(both)} among {first} and {second}; an axis is one of them")


def entries_of(spec: PartitionSpec) -> Spec:
    """The entries as the rules of shardings have them.

    Raises:
        NotImplementedError: for one that says anything of sums over axes.
    """
    if spec.has_sums:
        raise NotImplementedError(
            f"{spec} says along which axes sums are not taken yet, or are for a derivative (unreduced, reduced), which "
            "no array of this runtime can be; take them with psum, and leave this out"
        )
    return cast(Spec, read_spec(spec))
