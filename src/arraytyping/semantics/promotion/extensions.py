"""What can be added to a graph of promotions so that they stay joins: an edge, or a node.

JEP 9407 asks this of its candidates: can `i64 -> f64` and `u64 -> f64` complete the first, where can bfloat16 stand?
A graph stays sound as long as no two nodes have several minimal upper bounds: these would be several answers.  Two
nodes with none have no promotion, which is no contradiction.

Source: JEP 9407, https://docs.jax.dev/en/latest/jep/9407-type-promotion.html, "Mixed Promotion: Integer and Floating".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from arraytyping.semantics.lattice import CycleError, Lattice, Violation

__all__ = ["Edge", "Extension", "ambiguities", "every_edge", "every_place", "extended", "try_edges"]

Edge = tuple[str, str]
"""A step from one node up to another."""


@dataclass(frozen=True)
class Extension:
    """A graph with further edges; `lattice` is None where they close a circle, which `cycle` then lists."""

    edges: tuple[Edge, ...]
    lattice: Lattice | None
    cycle: tuple[str, ...] = ()

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """The pairs of nodes with several answers."""
        return () if self.lattice is None else ambiguities(self.lattice)

    @property
    def possible(self) -> bool:
        """Whether the promotions are joins with these edges too, where they are defined."""
        return self.lattice is not None and not self.violations

    @property
    def complete(self) -> bool:
        """Whether every two nodes have a promotion with these edges."""
        return self.lattice is not None and self.lattice.is_join_semilattice()

    def __str__(self) -> str:
        edges = ", ".join(f"{a} -> {b}" for a, b in self.edges)
        if self.lattice is None:
            return f"{edges}: no, they close the circle {' -> '.join(self.cycle)}"
        if self.violations:
            return f"{edges}: no, {self.violations[0]}"
        return f"{edges}: yes, and every two nodes have a promotion" if self.complete else f"{edges}: yes"


def ambiguities(lattice: Lattice) -> tuple[Violation, ...]:
    """The pairs of nodes with several minimal upper bounds: a partial lattice has none."""
    return tuple(v for v in lattice.violations() if v.minimal)


def extended(lattice: Lattice, *edges: Edge) -> Lattice:
    """The lattice with further edges, and with the nodes that they bring in.

    Raises:
        CycleError: if the edges close a circle.
    """
    covers = {node: list(above) for node, above in lattice.covers.items()}
    for a, b in edges:
        above = covers.setdefault(a, [])
        covers.setdefault(b, [])
        if b not in above:
            above.append(b)
    return Lattice(covers)


def try_edges(lattice: Lattice, *edges: Edge) -> Extension:
    """The lattice with all of these edges, whether it stays sound or not."""
    try:
        return Extension(edges, extended(lattice, *edges))
    except CycleError as error:
        return Extension(edges, None, error.cycle)


def every_edge(lattice: Lattice) -> Iterator[Extension]:
    """Every single edge between nodes of the lattice that says something new and keeps it sound."""
    for a in lattice.elements:
        for b in lattice.elements:
            if not (lattice.le(a, b) or lattice.le(b, a)):
                extension = try_edges(lattice, (a, b))
                if extension.possible:
                    yield extension


def every_place(lattice: Lattice, node: str) -> Iterator[Extension]:
    """Every place where a new node can be put, with edges from and to its neighbours, that keeps the lattice sound.

    The order of the other nodes stays as it is.  Places without any neighbour are left out.
    """
    anti = _antichains(lattice)
    for below in anti:
        room = [above for above in anti if all(lattice.le(a, b) and a != b for a in below for b in above)]
        for above in room:
            edges = (*((a, node) for a in below), *((node, b) for b in above))
            if edges and _sound(lattice, below, above):
                extension = try_edges(lattice, *edges)
                if extension.possible:
                    yield extension


def _antichains(lattice: Lattice) -> list[tuple[str, ...]]:
    """Every set of nodes of which none is below another, the empty one too."""
    found: list[tuple[str, ...]] = [()]
    for node in lattice.elements:
        found += [(*a, node) for a in found if not any(lattice.le(n, node) or lattice.le(node, n) for n in a)]
    return found


def _sound(lattice: Lattice, below: tuple[str, ...], above: tuple[str, ...]) -> bool:
    """Whether no node gets several minimal bounds with the new one, and no two below it get several.

    Only a first, cheap look at what is most often wrong: two nodes below the new one, whose bound was another.
    """
    upper = {b for a in above for b in lattice.upper_bounds[a]}
    lower = {n for n in lattice.elements if any(lattice.le(n, a) for a in below)}
    for a, b in combinations(lower, 2):
        bounds = lattice.minimal_upper_bounds(a, b)
        if bounds and not any(m in lower for m in bounds) and not set(bounds) <= upper:
            return False
    return True
