"""Where the nodes of an order stand in a picture: in columns by rank, in rows so that few edges cross.

An edge that passes a rank without a node of its own bends there, at a point that is placed like a node.

Source: K. Sugiyama, S. Tagawa and M. Toda, "Methods for Visual Understanding of Hierarchical System Structures",
IEEE Transactions on Systems, Man, and Cybernetics 11 (1981); rows by least squares in a given order, as in
E. R. Gansner et al., "A Technique for Drawing Directed Graphs", IEEE Transactions on Software Engineering 19 (1993).
"""

from __future__ import annotations

import graphlib
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["Layout", "Point", "lay_out", "ranks", "reduced"]

Covers = Mapping[str, Sequence[str]]
Point = str | tuple[str, str, int]
"""A node, or the bend of an edge at a rank."""

_SWEEPS: Final = 24
_ROUNDS: Final = 60
_BEND: Final = 0.1
"""The height of a bend, where that of a node is 1 and neighbours stay apart by their heights."""


@dataclass(frozen=True)
class Layout:
    """For each node and bend its rank and row, and for each edge the points through which it goes, ends included."""

    rank: Mapping[Point, int]
    row: Mapping[Point, float]
    edges: Mapping[tuple[str, str], tuple[Point, ...]]


def reduced(covers: Covers) -> dict[str, tuple[str, ...]]:
    """The same order without edges that follow from others."""
    above: dict[str, set[str]] = {}
    for node in graphlib.TopologicalSorter(covers).static_order():
        above[node] = {node}.union(*(above[b] for b in covers[node]))
    return {
        a: tuple(b for b in dict.fromkeys(bs) if not any(b in above[c] for c in bs if c != b))
        for a, bs in covers.items()
    }


def ranks(covers: Covers) -> dict[str, int]:
    """For each node how many steps the longest way up to it has; one that nothing is below stands next to the rest."""
    found: dict[str, int] = dict.fromkeys(covers, 0)
    for node in reversed(tuple(graphlib.TopologicalSorter(covers).static_order())):
        for b in covers[node]:
            found[b] = max(found[b], found[node] + 1)
    below = {b for bs in covers.values() for b in bs}
    for node, bs in covers.items():
        if node not in below and bs:
            found[node] = min(found[b] for b in bs) - 1
    return found


def lay_out(covers: Covers, key: Callable[[str], object], heights: Mapping[str, float]) -> Layout:
    """Lay out an order; `key` sorts the nodes of a rank where crossings do not decide, `heights` counts in rows."""
    covers = reduced(covers)
    rank: dict[Point, int] = {}
    rank.update(ranks(covers))
    edges: dict[tuple[str, str], tuple[Point, ...]] = {}
    for a, bs in covers.items():
        for b in bs:
            bends = [(a, b, r) for r in range(rank[a] + 1, rank[b])]
            rank.update((bend, bend[2]) for bend in bends)
            edges[a, b] = (a, *bends, b)
    alone = {a for a in covers if not covers[a] and not any(a in bs for bs in covers.values())}
    rank.update(_in_rows(sorted(alone, key=key), key))  # type: ignore[arg-type]
    columns = _columns(rank, lambda p: key(p if isinstance(p, str) else p[1]))
    steps = [pair for points in edges.values() for pair in itertools.pairwise(points)]
    order = _with_few_crossings(columns, steps)
    return Layout(rank, _rows(order, steps, heights), edges)


def _in_rows(nodes: Sequence[str], key: Callable[[str], object]) -> dict[str, int]:
    """The ranks of nodes without any edge: side by side, as many as there are of their kind."""
    counted: dict[object, int] = {}
    found = {}
    for node in nodes:
        sort = key(node)
        kind = sort[0] if isinstance(sort, tuple) else sort
        found[node] = counted.get(kind, 0)
        counted[kind] = found[node] + 1
    return found


def _columns(rank: Mapping[Point, int], key: Callable[[Point], object]) -> list[list[Point]]:
    columns: list[list[Point]] = [[] for _ in range(max(rank.values()) + 1)]
    for point in sorted(rank, key=key):  # type: ignore[arg-type]
        columns[rank[point]].append(point)
    return columns


def _neighbours(steps: Iterable[tuple[Point, Point]]) -> tuple[dict[Point, list[Point]], dict[Point, list[Point]]]:
    below: dict[Point, list[Point]] = {}
    above: dict[Point, list[Point]] = {}
    for a, b in steps:
        below.setdefault(b, []).append(a)
        above.setdefault(a, []).append(b)
    return below, above


def _with_few_crossings(columns: list[list[Point]], steps: Sequence[tuple[Point, Point]]) -> list[list[Point]]:
    """The columns, each in the order of the means of its neighbours, swept up and down; the best order seen."""
    below, above = _neighbours(steps)
    best, fewest = columns, _crossings(columns, steps)
    current = [list(column) for column in columns]
    for sweep in range(_SWEEPS):
        upwards = sweep % 2 == 0
        neighbours = below if upwards else above
        for column in current if upwards else reversed(current):
            place = {p: i for c in current for i, p in enumerate(c)}
            means = {
                p: sum(place[n] for n in near) / len(near) if (near := neighbours.get(p, ())) else place[p]
                for p in column
            }
            column.sort(key=means.__getitem__)
        crossings = _crossings(current, steps)
        if crossings < fewest:
            best, fewest = [list(column) for column in current], crossings
    return best


def _crossings(columns: list[list[Point]], steps: Sequence[tuple[Point, Point]]) -> int:
    place = {p: i for column in columns for i, p in enumerate(column)}
    rank = {p: r for r, column in enumerate(columns) for p in column}
    by_rank: dict[int, list[tuple[int, int]]] = {}
    for a, b in steps:
        by_rank.setdefault(rank[a], []).append((place[a], place[b]))
    return sum(
        (a - c) * (b - d) < 0 for pairs in by_rank.values() for i, (a, b) in enumerate(pairs) for c, d in pairs[:i]
    )


def _rows(
    columns: list[list[Point]], steps: Sequence[tuple[Point, Point]], heights: Mapping[str, float]
) -> dict[Point, float]:
    """The rows: each point near the mean of its neighbours, as far as the order and the distances allow."""
    below, above = _neighbours(steps)
    height = {p: heights[p] if isinstance(p, str) else _BEND for column in columns for p in column}
    row: dict[Point, float] = {}
    for column in columns:
        row.update((p, i - (len(column) - 1) / 2) for i, p in enumerate(column))
    for round_ in range(_ROUNDS):
        for column in columns if round_ % 2 == 0 else reversed(columns):
            wanted, weights = [], []
            for p in column:
                near = [(row[n], _weight(p, n, below, above)) for n in (*below.get(p, ()), *above.get(p, ()))]
                total = sum(w for _, w in near)
                wanted.append(sum(r * w for r, w in near) / total if near else row[p])
                weights.append(total or 0.1)
            row.update(zip(column, _separated([height[p] for p in column], wanted, weights)))
    lowest = min(r - height[p] / 2 for p, r in row.items())
    return {p: round(r - lowest, 3) for p, r in row.items()}


def _weight(
    p: Point, n: Point, below: Mapping[Point, Sequence[Point]], above: Mapping[Point, Sequence[Point]]
) -> float:
    """How much an edge wants to be straight: one between bends most of all, then one of a chain."""
    if not isinstance(p, str) and not isinstance(n, str):
        return 8.0
    a, b = (p, n) if n in above.get(p, ()) else (n, p)
    return 4.0 if len(above.get(a, ())) == 1 and len(below.get(b, ())) == 1 else 1.0


def _separated(heights: Sequence[float], wanted: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The rows nearest to the wanted ones in which neighbours keep their distance: an isotonic regression."""
    offsets = [0.0]
    for a, b in itertools.pairwise(heights):
        offsets.append(offsets[-1] + (a + b) / 2)
    blocks: list[tuple[float, float, int]] = []  # mean, weight, how many
    for target, weight, offset in zip(wanted, weights, offsets):
        mean, total, count = target - offset, weight, 1
        while blocks and blocks[-1][0] > mean:
            m, w, c = blocks.pop()
            mean, total, count = (m * w + mean * total) / (w + total), w + total, c + count
        blocks.append((mean, total, count))
    flat = [mean for mean, _, count in blocks for _ in range(count)]
    return [z + offset for z, offset in zip(flat, offsets)]
