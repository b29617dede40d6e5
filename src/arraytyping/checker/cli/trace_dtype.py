"""`arraytyping trace-dtype`: how the expressions of a line came to their dtypes, line by line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import rich_click as click

from arraytyping.checker.cli.refusing import refuse
from arraytyping.checker.dtype_trace import DtypeTrace
from arraytyping.checker.environment import NoEnvironmentError, find_environment, inspect_environment
from arraytyping.checker.flow.report.reporting import report_on
from arraytyping.checker.settings import ConfigError

__all__ = ["trace_dtype"]

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>[1-9]\d*)(?::(?P<column>[1-9]\d*))?")


@click.command("trace-dtype")
@click.argument("place", metavar="FILE:LINE[:COLUMN]")
@click.argument("programs", nargs=-1, type=click.Path(exists=True, path_type=Path), metavar="[PROGRAM...]")
@click.option(
    "--python",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The interpreter or environment that has the program's libraries (default: VIRTUAL_ENV, .venv, ...).",
)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.pass_context
def trace_dtype(ctx: click.Context, place: str, programs: tuple[Path, ...], python: Path | None, as_json: bool) -> None:
    """Say how the arrays in line LINE of FILE came to their dtypes: which operand decided, and where it was made.

    That is of the whole expressions on the line, or of the innermost one at COLUMN.  The program is FILE itself, or
    PROGRAM, files and directories that use it; it is followed without running it.

    The exit code is 0, 1 if no array is known there, or 2 if the program could not be followed.
    """
    match = _PLACE.fullmatch(place)
    if match is None or not Path(match["path"]).is_file():
        refuse(ctx, f"{place} is no line of a file: write FILE:LINE, such as train.py:41")
    paths = list(programs) or [Path(match["path"])]
    asked = (str(Path(match["path"]).resolve()), int(match["line"]), int(match["column"] or 0))
    try:
        environment = find_environment(paths).environment if python is None else inspect_environment(python, "--python")
        report = report_on(paths, python=environment.python, uses_cache=False, traced=asked)
    except (ConfigError, NoEnvironmentError) as error:
        refuse(ctx, str(error))
    for name, why in report.not_checked:
        click.echo(f"arraytyping: not checked: {name}: {why}", err=True)
    for unread in report.errors:
        click.echo(f"{unread.path}:{unread.line}: {unread.message}", err=True)
    if as_json:
        click.echo(json.dumps([trace._asdict() for trace in report.traces], indent=2))
    elif report.traces:
        click.echo("\n".join(line for trace in report.traces for line in _lines(trace)))
    else:
        click.echo(f"arraytyping: no array is known at {place}", err=True)
    ctx.exit(2 if report.not_checked or report.errors else 0 if report.traces else 1)


def _lines(trace: DtypeTrace) -> Iterator[str]:
    yield f"{trace.path}:{trace.line}:{trace.column}: {trace.text} is {trace.type}"
    yield from (f"    {path}:{line}: {text}" for path, line, text in trace.steps)
