"""`arraytyping port`: where the expressions of a program change their dtype when it is ported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import rich_click as click

from arraytyping.checker.cli.refusing import refuse
from arraytyping.checker.cli.systems import open_system
from arraytyping.checker.flow.porting.asking import port_report
from arraytyping.checker.flow.porting.report import Change, Place, PortReport

__all__ = ["port"]

_LONGEST: Final = 72
"""The longest source text that is printed."""
_MOST_LINES: Final = 12


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--from", "one", default="numpy", metavar="SYSTEM", help="What the program is written for (numpy).")
@click.option("--to", "other", default="jax", metavar="SYSTEM", help="What it is ported to (jax).")
@click.option("--x64", is_flag=True, help="The port runs with JAX's 64-bit types.")
@click.option("--all", "shows_all", is_flag=True, help="Show also the expressions that only follow a change.")
@click.option("--json", "as_json", is_flag=True, help="Print all of it as JSON.")
@click.pass_context
def port(ctx: click.Context, file: Path, one: str, other: str, x64: bool, shows_all: bool, as_json: bool) -> None:
    """Say which expressions of the program FILE change their dtype when it is ported, why, and what fails.

    From numpy to jax the program is followed twice, without running it: as it is, and with `numpy` read as
    `jax.numpy`; what jax.numpy lacks, such as `np.random`, stays NumPy's.  A change is shown where it begins, with
    the number of the expressions that follow it.

    Between other systems (those of `arraytyping table`) the operands of each operation are promoted by both, with
    the dtypes that they have in the program as it is.

    The exit code is 0 if nothing changes, 1 if something does, and 2 if the program could not be followed.
    """
    if one == other:
        refuse(ctx, f"--from and --to are both {one}: name two systems, such as --from numpy --to jax")
    if x64 and (one, other) != ("numpy", "jax"):
        refuse(ctx, "--x64 is for --from numpy --to jax: other systems have no such switch")
    for name in (one, other):
        open_system(ctx, name)
    report = port_report(file, one, other, x64=x64)
    if report.error is not None:
        refuse(ctx, report.error)
    if as_json:
        asked = {"file": str(file), "from": one, "to": other, "x64": x64}
        click.echo(json.dumps({**asked, **report.to_json()}, indent=2))
    else:
        click.echo("\n".join([*_text(report, shows_all), *_summary(file, report, one, other)]))
    ctx.exit(1 if report.changes or report.problems else 0)


def _text(report: PortReport, shows_all: bool) -> Iterator[str]:
    """The changes and problems in the order of the source."""
    entries: list[tuple[Place, str]] = []
    for change in report.changes:
        if change.is_origin:
            followers = [f for f in report.followers if str(change.place) in f.follows]
            entries.append((change.place, f"{_headline(change)}\n    {change.reason}{_followers(change, followers)}"))
        elif shows_all:
            follows = f", as {' and '.join(change.follows)}" if change.follows else ""
            entries.append((change.place, f"{_headline(change)}{follows}"))
    for problem in report.problems:
        headline = f"{problem.place}: {problem.kind}: {_shortened(problem.place.source)}"
        entries.append((problem.place, f"{headline}\n    {problem.message}"))
    entries.sort(key=lambda entry: (entry[0].path, entry[0].line, entry[0].column))
    yield from (text for _, text in entries)


def _headline(change: Change) -> str:
    return f"{change.place}: {change.dtypes}: {_shortened(change.place.source)}"


def _shortened(source: str) -> str:
    return source if len(source) <= _LONGEST else source[: _LONGEST - 4] + " ..."


def _followers(origin: Change, followers: list[Change]) -> str:
    """`; 12 expressions follow, in lines 8, 9 and 12-14`."""
    places = {f.place for f in followers}
    if not places:
        return ""
    own = sorted({p.line for p in places if p.path == origin.place.path})
    others = sorted({p.path for p in places} - {origin.place.path})
    ranges = list(_ranges(own))
    shown = ranges if len(ranges) <= _MOST_LINES else [*ranges[: _MOST_LINES - 1], "..."]
    lines = [f"line{'' if len(own) == 1 else 's'} {', '.join(shown)}"] if own else []
    verb = "expression follows" if len(places) == 1 else "expressions follow"
    return f"; {len(places)} {verb}, in {' and '.join([*lines, *others])}"


def _ranges(lines: Iterable[int]) -> Iterator[str]:
    for _, group in groupby(enumerate(lines), lambda pair: pair[1] - pair[0]):
        numbers = [line for _, line in group]
        yield str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"


def _summary(file: Path, report: PortReport, one: str, other: str) -> Iterator[str]:
    yield from (f"note: {note}" for note in report.notes)
    changed, origins = ({c.place for c in changes} for changes in (report.changes, report.origins))
    what = "array expression" if (one, other) == ("numpy", "jax") else "operation"
    begin = (
        f", beginning at {len(origins)} place{'' if len(origins) == 1 else 's'}" if len(origins) < len(changed) else ""
    )
    parts = [
        f"{report.expressions} {what}{'' if report.expressions == 1 else 's'} compared",
        f"{len(changed)} change{'s' if len(changed) == 1 else ''} from {one} to {other}{begin}",
    ]
    kinds = [problem.kind for problem in report.problems]
    for kind, text in (("fails", "fail"), ("may fail", "may fail"), ("not in place", "no longer in place")):
        if kind in kinds:
            parts.append(f"{kinds.count(kind)} {text}{'s' if kinds.count(kind) == 1 and text == 'fail' else ''}")
    if report.unknown:
        parts.append(f"{report.unknown} unknown")
    yield f"{file}: {', '.join(parts)}"
