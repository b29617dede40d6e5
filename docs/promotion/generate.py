"""Writes the gallery of promotion systems beside this file, with the commands `arraytyping lattice` and `table`.

`python docs/promotion/generate.py` writes it; with `--check` it only compares, and names what is not current.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner

from arraytyping.checker.cli import cli
from arraytyping.checker.cli.drawing.picture import summary
from arraytyping.semantics.promotion.registry import SYSTEMS

HERE = Path(__file__).parent

INTRODUCTION = """\
# Gallery of promotion systems

Every system that `arraytyping` knows, with its order and its table.  This page and its pictures are written by
`python docs/promotion/generate.py`; [the guide](../promotion.md) says what the commands are.

In a picture an operand becomes whatever can be reached along the arrows.  Boxes with round ends are Python scalars and
weakly typed arrays.  Types that nothing but these becomes share a box.  In a table the left operand stands at the
left; `-` is undefined, and what differs from `jax` is bold.
"""


def printed(*arguments: str) -> str:
    """What the command prints."""
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    if done.exit_code:
        raise RuntimeError(f"arraytyping {' '.join(arguments)} ended with {done.exit_code}: {done.output}")
    return done.stdout


def gallery() -> Iterator[tuple[str, str]]:
    """Each file of the gallery with its text."""
    page = [INTRODUCTION]
    for name, system in SYSTEMS.items():
        picture = f"{name}.svg"
        yield picture, printed("lattice", "--system", name, "--format", "svg")
        comparison = () if name == "jax" or not set(system.columns) <= set(SYSTEMS["jax"].nodes) else ("jax",)
        compare = ("--compare", *comparison) if comparison else ()
        table = printed("table", "--system", name, "--format", "markdown", *compare)
        page.append(
            f"\n## {name}\n\n{system.title} ([source]({system.source})): {summary(system)}.\n\n"
            f"![the order of {name}]({picture})\n\n{table}"
        )
    yield "gallery.md", "".join(page)


def main() -> int:
    """Write or compare."""
    wanted = dict(gallery())
    present = {path.name: path.read_text(encoding="utf-8") for path in (*HERE.glob("*.svg"), *HERE.glob("*.md"))}
    stale = sorted(n for n in wanted.keys() | present.keys() if wanted.get(n) != present.get(n))
    if "--check" in sys.argv[1:]:
        for name in stale:
            print(f"docs/promotion/{name} is not current: run python docs/promotion/generate.py")
        return 1 if stale else 0
    for name in stale:
        if name in wanted:
            (HERE / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            (HERE / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
