"""Pictures as text: plain, for Mermaid, for Graphviz, and as SVG; the same system always gives the same text.

Source: https://mermaid.js.org/syntax/flowchart.html; https://graphviz.org/doc/info/lang.html.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from arraytyping.checker.cli.drawing.layout import ranks, reduced
from arraytyping.checker.cli.drawing.picture import SIZE, Box, kind_of, picture, sort_key, summary
from arraytyping.semantics.promotion.dtype_names import short_name
from arraytyping.semantics.promotion.system import System

__all__ = ["COLORS", "as_dot", "as_mermaid", "as_svg", "as_text"]

COLORS: Final = {
    "o": ("#f4f4f4", "#555555"),
    "b": ("#eeeeee", "#555555"),
    "u": ("#dff3ea", "#1b7a52"),
    "i": ("#dfeafa", "#1f5fae"),
    "f": ("#fdebd3", "#b3610a"),
    "c": ("#efe2f7", "#7a3a9f"),
}
"""For each kind the colours of a box and of its border and text."""

FONT: Final = "'DejaVu Sans Mono', Menlo, Consolas, monospace"


def as_text(system: System) -> str:
    """The nodes by rank, each with those directly above it."""
    covers = reduced(system.covers)
    rank = ranks(covers)
    width = max(len(node) for node in covers)
    lines = [f"{system.name}: {system.title}", f"{summary(system)}: rank, node, and the nodes directly above it"]
    before = None
    for node in sorted(covers, key=lambda n: (rank[n], sort_key(n))):
        number = "" if rank[node] == before else str(rank[node])
        before = rank[node]
        lines.append(f"{number:>4}  {node:<{width}}  -> {', '.join(covers[node])}" if covers[node] else
                     f"{number:>4}  {node}")  # fmt: skip
    return "\n".join(lines) + "\n"


def as_mermaid(system: System) -> str:
    """A flowchart from left to right."""
    covers = reduced(system.covers)
    number = {node: f"n{i}" for i, node in enumerate(covers)}
    lines = ["flowchart LR"]
    for node in covers:
        left, right = ("([", "])") if node in system.scalars else ("[", "]")
        label = short_name(node).replace('"', "#quot;")
        lines.append(f'    {number[node]}{left}"{label}"{right}:::{kind_of(node)}')
    lines += [f"    {number[a]} --> {number[b]}" for a, bs in covers.items() for b in bs]
    used = dict.fromkeys(map(kind_of, covers))
    lines += [f"    classDef {kind} fill:{COLORS[kind][0]},stroke:{COLORS[kind][1]},color:#222222" for kind in used]
    return "\n".join(lines) + "\n"


def as_dot(system: System) -> str:
    """A digraph from left to right, in which a rank is a column."""
    covers = reduced(system.covers)
    rank = ranks(covers)
    lines = [
        f"digraph {_quoted(system.name)} {{",
        "    rankdir=LR;",
        '    node [shape=box, style="rounded,filled", fontname="monospace"];',
    ]
    for node in covers:
        fill, border = COLORS[kind_of(node)]
        scalar = ", shape=ellipse, style=filled" if node in system.scalars else ""
        label = _quoted(short_name(node))
        lines.append(f'    {_quoted(node)} [label={label}, fillcolor="{fill}", color="{border}"{scalar}];')
    by_rank: dict[int, list[str]] = {}
    for node in sorted(covers, key=sort_key):
        by_rank.setdefault(rank[node], []).append(_quoted(node))
    lines += [f"    {{rank=same; {'; '.join(nodes)};}}" for _, nodes in sorted(by_rank.items())]
    lines += [f"    {_quoted(a)} -> {_quoted(b)};" for a, bs in covers.items() for b in bs]
    return "\n".join([*lines, "}"]) + "\n"


def as_svg(system: System) -> str:
    """A drawing that is 800 pixels wide."""
    drawn = picture(system)
    return "\n".join(_svg_lines(system, drawn.boxes, drawn.curves, drawn.width, drawn.height, drawn.title)) + "\n"


def _svg_lines(
    system: System,
    boxes: tuple[Box, ...],
    curves: tuple[tuple[tuple[float, float], ...], ...],
    width: float,
    height: float,
    title: str,
) -> Iterator[str]:
    shown = round(800 * height / width)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="800" height="{shown}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img">'
    )
    yield f"  <title>{escape(f'{system.name}: {system.title}')}</title>"
    yield f'  <rect width="{width:g}" height="{height:g}" fill="#ffffff"/>'
    yield f'  <text x="18" y="30" font-family="{FONT}" font-size="{SIZE}" fill="#222222">{escape(title)}</text>'
    yield '  <g fill="none" stroke="#777777" stroke-width="1.5">'
    for (x, y), *points in curves:
        cubics = [points[i : i + 3] for i in range(0, len(points), 3)]
        yield f'    <path d="M{x:g},{y:g} ' + " ".join(f"C{_pairs(cubic)}" for cubic in cubics) + '"/>'
    yield "  </g>"
    yield '  <g fill="#777777">'
    for *_, (x, y) in curves:
        yield f'    <polygon points="{_pairs(((x, y), (x - 8, y - 4), (x - 8, y + 4)))}"/>'
    yield "  </g>"
    yield f'  <g font-family="{FONT}" text-anchor="middle" stroke-width="1.5">'
    for box in boxes:
        fill, border = COLORS[box.kind]
        corner = box.height / 2 if box.is_scalar else 5
        left, top = box.x - box.width / 2, box.y - box.height / 2
        yield (
            f'    <rect x="{left:.1f}" y="{top:.1f}" width="{box.width:g}" height="{box.height:g}" rx="{corner:g}" '
            f'fill="{fill}" stroke="{border}"/>'
        )
        for line, y in zip(box.lines, box.baselines):
            yield f'    <text x="{box.x:.1f}" y="{y:g}" font-size="{box.size:g}" fill="#222222">{escape(line)}</text>'
    yield "  </g>"
    yield "</svg>"


def _pairs(points: object) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)  # type: ignore[attr-defined]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
