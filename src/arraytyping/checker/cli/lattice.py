"""`arraytyping lattice`: the picture of a promotion system, as text or drawn."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import rich_click as click

from arraytyping.checker.cli.drawing.formats import as_dot, as_mermaid, as_svg, as_text
from arraytyping.checker.cli.drawing.plot import MissingExtraError, as_png
from arraytyping.checker.cli.refusing import refuse
from arraytyping.checker.cli.systems import open_system, system_option
from arraytyping.semantics.promotion.system import System

__all__ = ["lattice"]

_FORMATS: Final[Mapping[str, Callable[[System], str | bytes]]] = {
    "text": as_text,
    "mermaid": as_mermaid,
    "dot": as_dot,
    "svg": as_svg,
    "png": as_png,
}
_SUFFIXES: Final = {".txt": "text", ".mmd": "mermaid", ".dot": "dot", ".gv": "dot", ".svg": "svg", ".png": "png"}


@click.command()
@system_option
@click.option(
    "--format", "form", type=click.Choice(list(_FORMATS)), help="The form of the picture (default: that of FILE, text)."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to FILE.")
@click.pass_context
def lattice(ctx: click.Context, system_name: str, form: str | None, output: Path | None) -> None:
    """Draw the order of a promotion system, by rank: an operand becomes a dtype that can be reached by arrows.

    Text, Mermaid, Graphviz's dot and SVG need nothing but arraytyping; for PNG install its extra `plot`.
    """
    system = open_system(ctx, system_name)
    form = form or (_SUFFIXES.get(output.suffix) if output is not None else "text")
    if form is None:
        known = ", ".join(_SUFFIXES)
        refuse(ctx, f"{output} ends in none of {known}: name the format, --format {' or '.join(_FORMATS)}")
    if form == "png" and output is None and sys.stdout.isatty():
        refuse(ctx, "a PNG is no text for a terminal: write it to a file, -o lattice.png")
    try:
        drawn = _FORMATS[form](system)
    except MissingExtraError as error:
        refuse(ctx, str(error))
    if output is None:
        click.echo(drawn, nl=False)
        return
    try:
        output.write_bytes(drawn.encode() if isinstance(drawn, str) else drawn)
    except OSError as error:
        refuse(ctx, f"{output} cannot be written: {error.strerror}")
