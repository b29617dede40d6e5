"""What modules or files import, as a graph: what is reached from some of them, and the same the other way round."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

__all__ = ["importers_of", "reached"]

N = TypeVar("N", bound=Hashable)


def reached(begin: Iterable[N], edges: Mapping[N, set[N]]) -> set[N]:
    """The nodes to which the edges lead from these, by whatever way, and these themselves."""
    found: set[N] = set()
    waiting = list(begin)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += edges.get(node, ())
    return found


def importers_of(imports: Mapping[N, Iterable[N]]) -> dict[N, set[N]]:
    """For each that is imported those that import it."""
    importers: dict[N, set[N]] = {}
    for node, imported in imports.items():
        for other in imported:
            importers.setdefault(other, set()).add(node)
    return importers
