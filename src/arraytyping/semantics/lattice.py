"""Finite join-semilattices, given by their cover relation.

A promotion system asks one question of its lattice: what is the least element above these elements?  The
answer is unique exactly if the order is a join-semilattice, so a lattice is verified once, when it is made,
and says what breaks it: two elements with no common upper bound, or with several minimal ones.

Source: JEP 9407, https://docs.jax.dev/en/latest/jep/9407-type-promotion.html, section "Properties of Promotion
Tables"; B. A. Davey and H. A. Priestley, *Introduction to Lattices and Order*, chapters 1 and 2.
"""

from __future__ import annotations

import graphlib
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

__all__ = ["CycleError", "JoinError", "Lattice", "Violation"]


class CycleError(ValueError):
    """The cover relation runs in a circle; `cycle` lists the elements on it, the first one repeated."""

    def __init__(self, cycle: tuple[str, ...]) -> None:
        super().__init__(f"the covers form a cycle, so they are no order: {' -> '.join(cycle)}; remove one of them")
        self.cycle = cycle


class JoinError(ValueError):
    """The elements have no join; `minimal` holds their minimal common upper bounds (none, or two and more)."""

    def __init__(self, elements: tuple[str, ...], minimal: tuple[str, ...]) -> None:
        super().__init__(f"{_listed(elements)} have no least upper bound: {_why(minimal)}")
        self.elements = elements
        self.minimal = minimal


@dataclass(frozen=True, slots=True)
class Violation:
    """Two elements without a join, and their minimal common upper bounds: none, or two and more."""

    a: str
    b: str
    minimal: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.a} and {self.b} have no least upper bound: {_why(self.minimal)}"


def _why(minimal: tuple[str, ...]) -> str:
    if not minimal:
        return "nothing lies above them all"
    return f"{_listed(minimal)} lie above them all, and none of these below another"


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"


class Lattice:
    """A finite order, given by `covers`: for each element the elements directly above it.

    Equal covers make equal lattices.

    Raises:
        CycleError: if the covers form a cycle.
        ValueError: if there is no element, or a cover leads to an element that is not listed.
    """

    def __init__(self, covers: Mapping[str, Iterable[str]]) -> None:
        self.covers: Mapping[str, tuple[str, ...]] = {a: tuple(above) for a, above in covers.items()}
        if not self.covers:
            raise ValueError("a lattice needs at least one element, and none was given")
        for a, above in self.covers.items():
            for b in above:
                if b not in self.covers:
                    raise ValueError(f"{b!r} is said to be above {a!r}, but is no element of the lattice; list it too")
        try:
            self._downward = tuple(graphlib.TopologicalSorter(self.covers).static_order())
        except graphlib.CycleError as error:
            raise CycleError(tuple(reversed(error.args[1]))) from None
        self._joins: dict[tuple[str, ...], str] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lattice) and self.covers == other.covers

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(frozenset(self.covers.items()))

    def __repr__(self) -> str:
        return f"Lattice({self.covers!r})"

    @property
    def elements(self) -> tuple[str, ...]:
        """All elements, in the order in which they were given."""
        return tuple(self.covers)

    @cached_property
    def upper_bounds(self) -> Mapping[str, frozenset[str]]:
        """For each element, itself and everything above it."""
        bounds: dict[str, frozenset[str]] = {}
        for element in self._downward:  # what lies above an element comes before it
            bounds[element] = frozenset((element,)).union(*(bounds[b] for b in self.covers[element]))
        return bounds

    def le(self, a: str, b: str) -> bool:
        """Whether `a` is at most `b`.

        Raises:
            KeyError: for something that is no element.
        """
        if b not in self.covers:
            raise KeyError(b)
        return b in self.upper_bounds[a]

    def minimal_upper_bounds(self, *elements: str) -> tuple[str, ...]:
        """The minimal common upper bounds of the elements: one exactly if they have a join.

        Raises:
            KeyError: for something that is no element.
            ValueError: for no elements at all.
        """
        if not elements:
            raise ValueError("an upper bound needs at least one element, and none was given")
        common = frozenset.intersection(*(self.upper_bounds[e] for e in elements))
        above = {d for c in common for d in self.upper_bounds[c] if d != c}
        return tuple(c for c in self.covers if c in common and c not in above)

    def join(self, *elements: str) -> str:
        """The least upper bound of one or more elements.

        Raises:
            JoinError: if they have none, with the minimal upper bounds as witnesses.
            KeyError: for something that is no element.
            ValueError: for no elements at all.
        """
        try:
            return self._joins[elements]
        except KeyError:
            pass
        minimal = self.minimal_upper_bounds(*elements)
        if len(minimal) != 1:
            raise JoinError(elements, minimal)
        self._joins[elements] = minimal[0]
        return minimal[0]

    def violations(self) -> tuple[Violation, ...]:
        """All pairs without a join, each with its witnesses; empty exactly if this is a join-semilattice."""
        pairs = ((a, b, self.minimal_upper_bounds(a, b)) for a, b in combinations(self.covers, 2))
        return tuple(Violation(a, b, minimal) for a, b, minimal in pairs if len(minimal) != 1)

    def is_join_semilattice(self) -> bool:
        """Whether every two elements have a join."""
        return not self.violations()

    def path(self, a: str, b: str) -> tuple[str, ...] | None:
        """A shortest way up from `a` to `b` along the covers, both ends included; None if there is none.

        Raises:
            KeyError: for something that is no element.
        """
        return self._path_up(a, b) if self.le(a, b) else None

    def _path_up(self, a: str, b: str) -> tuple[str, ...]:
        """The same, for `a` at most `b`."""
        below: dict[str, str] = {}  # from which element the search, breadth first, came to this one
        waiting = deque([a])
        while waiting[0] != b:
            element = waiting.popleft()
            for c in self.covers[element]:
                if c not in below:
                    below[c] = element
                    waiting.append(c)
        path = [b]
        while path[-1] != a:
            path.append(below[path[-1]])
        return tuple(reversed(path))

    def paths_to_join(self, *elements: str) -> tuple[tuple[str, ...], ...]:
        """For each element, the covers from it up to the join of all.

        Raises:
            JoinError: if the elements have no join.
        """
        top = self.join(*elements)
        return tuple(self._path_up(e, top) for e in elements)
