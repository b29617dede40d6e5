"""Finite join-semilattices, given by their cover relation.

A promotion system asks one question of its lattice: what is the least element above these elements?  The
answer is unique exactly if the order is a join-semilattice, so a lattice is verified once, when it is made,
and says what breaks it: two elements with no common upper bound, or with several minimal ones.

Source: JEP 9407, https://docs.jax.dev/en/latest/jep/9407-type-promotion.html, section "Properties of Promotion
Tables"; B. A. Davey and H. A. Priestley, *Introduction to Lattices and Order*, chapters 1 and 2.
"""

from __future__ import annotations

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
        names = ", ".join(elements)
        why = f"several minimal ones: {', '.join(minimal)}" if minimal else "none"
        super().__init__(f"{{{names}}} has no least upper bound: of its common upper bounds there are {why}")
        self.elements = elements
        self.minimal = minimal


@dataclass(frozen=True, slots=True)
class Violation:
    """Two elements without a join, and their minimal common upper bounds: none, or two and more."""

    a: str
    b: str
    minimal: tuple[str, ...]

    def __str__(self) -> str:
        if not self.minimal:
            return f"{self.a} and {self.b} have no common upper bound"
        return f"{self.a} and {self.b} have several minimal upper bounds: {', '.join(self.minimal)}"


@dataclass(frozen=True)
class Lattice:
    """A finite order, given by `covers`: for each element the elements directly above it.

    Raises:
        CycleError: if the covers form a cycle.
        ValueError: if there is no element, or a cover leads to an element that is not listed.
    """

    covers: Mapping[str, tuple[str, ...]]

    def __init__(self, covers: Mapping[str, Iterable[str]]) -> None:
        object.__setattr__(self, "covers", {a: tuple(above) for a, above in covers.items()})
        if not self.covers:
            raise ValueError("a lattice needs at least one element, and none was given")
        for a, above in self.covers.items():
            for b in above:
                if b not in self.covers:
                    raise ValueError(f"{b!r} is said to be above {a!r}, but is no element of the lattice; list it too")
        self._refuse_cycles()

    def _refuse_cycles(self) -> None:
        done: set[str] = set()
        for start in self.covers:
            trail: list[str] = []  # the elements between `start` and the one at hand
            stack = [(start, iter(self.covers[start]))] if start not in done else []
            if stack:
                trail.append(start)
            while stack:
                element, above = stack[-1]
                step = next(above, None)
                if step is None:
                    done.add(element)
                    stack.pop()
                    trail.pop()
                elif step in trail:
                    raise CycleError((*trail[trail.index(step) :], step))
                elif step not in done:
                    stack.append((step, iter(self.covers[step])))
                    trail.append(step)

    @property
    def elements(self) -> tuple[str, ...]:
        """All elements, in the order in which they were given."""
        return tuple(self.covers)

    @cached_property
    def upper_bounds(self) -> Mapping[str, frozenset[str]]:
        """For each element, itself and everything above it."""
        bounds: dict[str, frozenset[str]] = {}

        def of(element: str) -> frozenset[str]:
            if element not in bounds:
                bounds[element] = frozenset({element}).union(*(of(b) for b in self.covers[element]))
            return bounds[element]

        for element in self.covers:
            of(element)
        return bounds

    def le(self, a: str, b: str) -> bool:
        """Whether `a` is at most `b`.

        Raises:
            KeyError: if `a` is no element.
        """
        return b in self.upper_bounds[a]

    def minimal_upper_bounds(self, *elements: str) -> tuple[str, ...]:
        """The minimal common upper bounds of the elements: one exactly if they have a join."""
        common = frozenset.intersection(*(self.upper_bounds[e] for e in elements))
        return tuple(c for c in self.covers if c in common and not any(d != c and self.le(d, c) for d in common))

    def join(self, *elements: str) -> str:
        """The least upper bound of one or more elements.

        Raises:
            JoinError: if they have none, with the minimal upper bounds as witnesses.
            KeyError: for something that is no element.
            ValueError: for no elements at all.
        """
        if not elements:
            raise ValueError("join needs at least one element, and none was given")
        try:
            return self._joins[elements]
        except KeyError:
            pass
        minimal = self.minimal_upper_bounds(*elements)
        if len(minimal) != 1:
            raise JoinError(elements, minimal)
        self._joins[elements] = minimal[0]
        return minimal[0]

    @cached_property
    def _joins(self) -> dict[tuple[str, ...], str]:
        return {}

    def violations(self) -> tuple[Violation, ...]:
        """All pairs without a join, each with its witnesses; empty exactly if this is a join-semilattice."""
        pairs = ((a, b, self.minimal_upper_bounds(a, b)) for a, b in combinations(self.covers, 2))
        return tuple(Violation(a, b, minimal) for a, b, minimal in pairs if len(minimal) != 1)

    def is_join_semilattice(self) -> bool:
        """Whether every two elements have a join."""
        return not self.violations()

    def path(self, a: str, b: str) -> tuple[str, ...] | None:
        """A shortest way up from `a` to `b` along the covers, both ends included; None if there is none."""
        if not self.le(a, b):
            return None
        paths = [(a,)]
        while paths[0][-1] != b:
            paths = [(*p, c) for p in paths for c in self.covers[p[-1]] if self.le(c, b)]
            paths.sort(key=lambda p: p[-1] != b)
        return paths[0]

    def paths_to_join(self, *elements: str) -> tuple[tuple[str, ...], ...]:
        """For each element, the covers from it up to the join of all.

        Raises:
            JoinError: if the elements have no join.
        """
        top = self.join(*elements)
        return tuple(path for e in elements if (path := self.path(e, top)) is not None)
