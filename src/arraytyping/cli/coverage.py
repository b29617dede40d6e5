"""`arraytyping coverage`: what is known of each array expression, and why not more."""

from __future__ import annotations

import json

import rich_click as click

from arraytyping.claims import ProgramClaims
from arraytyping.cli.mypy_command import MypyCommand, run_mypy

__all__ = ["coverage"]


@click.command(cls=MypyCommand)
@click.argument("paths", nargs=-1, metavar="PATH... [-- MYPY_OPTIONS]")
@click.option("--json", "as_json", is_flag=True, help="Print every array expression with its claims as JSON.")
@click.pass_context
def coverage(ctx: click.Context, paths: tuple[str, ...], as_json: bool) -> None:
    """Say per file of how many array expressions of PATH... dtype and shape are known, and why the others are not.

    It runs mypy as `check` does, and shows none of its errors.  Options of mypy stand after `--`.  The exit code is
    0, or 2 if the program could not be checked.

    Lines count from 1 and columns from 0, in the text and in the JSON.
    """
    outcome = run_mypy(ctx, paths, show=False)
    if outcome.claims is None:
        ctx.exit(2)
    if as_json:
        click.echo(json.dumps(outcome.claims.to_json(), indent=2))
    else:
        click.echo(_text(outcome.claims))


def _text(claims: ProgramClaims) -> str:
    lines: list[str] = []
    for path, file in claims.files.items():
        lines.append(f"{path}: {file.coverage}")
        lines += [f"  {path}:{e.line}:{e.column}: {e}: {e.why_unknown}" for e in file.unknown]
    return "\n".join([*lines, f"total: {claims.coverage}"])
