"""The picture of a promotion system, in pixels: boxes by kind, curves from box to box, a line of text above them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from arraytyping.checker.cli.drawing.layout import Layout, lay_out, reduced
from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.promotion.dtype_names import short_name
from arraytyping.semantics.promotion.system import System

__all__ = ["SIZE", "WIDTH", "Box", "Curve", "Picture", "kind_of", "picture", "sort_key", "summary"]

WIDTH: Final = 800
"""How wide a picture is at least, and for which width it is made."""

SIZE: Final = 15
"""The size of the letters, in pixels; those in a box with several nodes are smaller by a fifth."""

_CHARACTER: Final = 0.6
"""The width of a letter of a monospaced font, as a part of its size."""
_LINE: Final = 17.0
_LEAST_WIDTH: Final = 42.0
_BOX_HEIGHT: Final = 30.0
_MARGIN: Final = 18.0
_TOP: Final = 56.0
_LEAST_GAP: Final = 22.0
_MOST_GAP: Final = 78.0
_SPACE: Final = 26.0
"""Between two boxes, one above the other."""
_LEAST_GROUP: Final = 3
_LONGEST_LINE: Final = 14

Curve = tuple[tuple[float, float], ...]
"""Points of cubic Bezier curves, each of which begins where the one before ends: 1 + 3 n of them."""


@dataclass(frozen=True)
class Box:
    """A node: its middle, its size, what is written in it, its kind, and whether it stands for a Python scalar.

    Nodes of one kind that lie directly above the same ones, and below none, share a box.
    """

    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]
    kind: str
    is_scalar: bool

    @property
    def size(self) -> float:
        """The size of its letters."""
        return SIZE if len(self.lines) == 1 and " " not in self.lines[0] else SIZE * 0.8

    @property
    def baselines(self) -> tuple[float, ...]:
        """Where each of its lines stands."""
        first = self.y - _LINE * (len(self.lines) - 1) / 2 + self.size / 3
        return tuple(round(first + _LINE * i, 1) for i in range(len(self.lines)))


@dataclass(frozen=True)
class Picture:
    """What is to be drawn; every curve runs from left to right and ends in an arrow."""

    width: float
    height: float
    title: str
    boxes: tuple[Box, ...]
    curves: tuple[Curve, ...]


def kind_of(node: str) -> str:
    """NumPy's letter for the kind of a node, `o` for one that is no dtype."""
    name = node.removesuffix("*")
    if name in KINDS:
        return KINDS[name]
    return {"uint": "u", "int": "i", "float": "f", "complex": "c"}.get(name, "o")


def sort_key(node: str) -> tuple[int, int, str]:
    """Unsigned above signed integers, these above floats, these above complex; then by width."""
    name = node.removesuffix("*")
    return "obuifc".index(kind_of(node)), bits(name) if name in KINDS else 0, node


def summary(system: System) -> str:
    """Whether the system is a lattice, in words."""
    if system.is_lattice():
        return "a lattice" if set(system.columns) >= set(system.nodes) else "a lattice on the dtypes of its table"
    if system.is_partial_lattice():
        return "a lattice where it is defined; some pairs have no upper bound"
    return "no lattice"


def picture(system: System) -> Picture:
    """The picture of a system: the order of its nodes, laid out by rank."""
    covers = reduced(system.covers)
    groups = _groups(covers)
    kept = {members[0]: _box(members, system) for members in groups}
    covers = {a: tuple(b for b in covers[a] if b in kept) for a in kept}
    layout = lay_out(covers, sort_key, {n: (box.height + _SPACE) / (_BOX_HEIGHT + _SPACE) for n, box in kept.items()})
    middles, widths, total = _columns(layout, kept)
    row = _BOX_HEIGHT + _SPACE
    at = {p: (middles[layout.rank[p]], _TOP - _SPACE / 2 + row * r) for p, r in layout.row.items()}
    boxes = tuple(replace(box, x=at[n][0], y=round(at[n][1], 1)) for n, box in kept.items())
    curves = []
    for (a, b), points in layout.edges.items():
        stops = []
        for point in points:  # level through each column, so that no box is cut
            (x, y), half = at[point], widths[layout.rank[point]] / 2
            left = x if point == a else x - half
            right = x if point == b else x + half
            stops += [(left, y), (right, y)]
        stops[0] = (at[a][0] + kept[a].width / 2, at[a][1])
        stops[-1] = (at[b][0] - kept[b].width / 2, at[b][1])
        curves.append(_curve(stops))
    lowest = max([box.y + box.height / 2 for box in boxes] + [y for curve in curves for _, y in curve])
    return Picture(total, lowest + _MARGIN, f"{system.name}: {summary(system)}", boxes, tuple(curves))


def _groups(covers: Mapping[str, tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The nodes box by box."""
    below: dict[str, list[str]] = {node: [] for node in covers}
    for a, bs in covers.items():
        for b in bs:
            below[b].append(a)
    alike: dict[object, list[str]] = {}
    for node in sorted(covers, key=sort_key):
        key = (kind_of(node), tuple(below[node])) if not covers[node] else node
        alike.setdefault(key, []).append(node)
    every = [tuple(g) for g in alike.values() if len(g) >= _LEAST_GROUP]
    grouped = {node for group in every for node in group}
    return every + [(node,) for node in covers if node not in grouped]


def _box(members: tuple[str, ...], system: System) -> Box:
    """The box of some nodes, anywhere."""
    lines: list[str] = []
    for label in map(short_name, members):
        if lines and len(lines[-1]) + 1 + len(label) <= _LONGEST_LINE:
            lines[-1] += f" {label}"
        else:
            lines.append(label)
    box = Box(0, 0, 0, _BOX_HEIGHT + _LINE * (len(lines) - 1), tuple(lines), kind_of(members[0]), False)
    longest = max(map(len, lines))
    width = max(_LEAST_WIDTH, round(_CHARACTER * box.size * longest + 14, 1))
    return replace(box, width=width, is_scalar=len(members) == 1 and members[0] in system.scalars)


def _columns(layout: Layout, boxes: Mapping[str, Box]) -> tuple[list[float], list[float], float]:
    """The middle and the width of each rank, and the width of the picture."""
    count = max(layout.rank.values()) + 1
    widths = [max((box.width for n, box in boxes.items() if layout.rank[n] == r), default=0.0) for r in range(count)]
    free = WIDTH - 2 * _MARGIN - sum(widths)
    gap = min(_MOST_GAP, max(_LEAST_GAP, free / max(1, count - 1)))
    drawn = sum(widths) + gap * (count - 1)
    total = max(float(WIDTH), drawn + 2 * _MARGIN)
    middles, x = [], (total - drawn) / 2
    for width in widths:
        middles.append(x + width / 2)
        x += width + gap
    return middles, widths, total


def _curve(stops: list[tuple[float, float]]) -> Curve:
    """A smooth way through the stops that is level at each of them."""
    points = [stops[0]]
    for (x1, y1), (x2, y2) in itertools.pairwise(stops):
        if x1 == x2:
            continue
        middle = (x1 + x2) / 2
        points += [(middle, y1), (middle, y2), (x2, y2)]
    return tuple((round(x, 1), round(y, 1)) for x, y in points)
