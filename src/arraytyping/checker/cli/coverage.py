"""`arraytyping coverage`: what is known of each array expression, and why not more."""

from __future__ import annotations

import json
from collections.abc import Iterator

import rich_click as click

from arraytyping.checker.claims import FileClaims, ProgramClaims
from arraytyping.checker.cli.annotating import annotated, functions_of
from arraytyping.checker.cli.flow_command import Layers, layer_options
from arraytyping.checker.cli.merging import merge_layers
from arraytyping.checker.cli.mypy_command import INTERRUPTED, MypyCommand, run_mypy
from arraytyping.checker.notebooks.cells import place_text

__all__ = ["coverage"]


@click.command(cls=MypyCommand)
@click.argument("paths", nargs=-1, metavar="PATH... [--mypy-args MYPY_OPTIONS] [-- ARGUMENTS]")
@click.option("--json", "as_json", is_flag=True, help="Print every array expression with its claims as JSON.")
@click.option("--annotate", is_flag=True, help="Print the program with what each assignment binds beside it.")
@layer_options
@click.pass_context
def coverage(ctx: click.Context, paths: tuple[str, ...], as_json: bool, annotate: bool, layers: Layers) -> None:
    """Say per file and function of how many array expressions dtype and shape are known, and why the others are not.

    At each expression the layer speaks that knows more: flow, which follows the program from its entry points, or
    the types, which hold for every caller.  Both run as in `check`, and none of their errors are shown.  Options of
    mypy stand after `--mypy-args`.  The exit code is 0, or 2 if something could not be checked.

    Lines count from 1 and columns from 0, in the text and in the JSON.
    """
    if as_json and annotate:
        raise click.UsageError("--json and --annotate are two forms of output: choose one.", ctx)
    outcome = run_mypy(ctx, paths, layers, show=False)
    layers.tell()
    if outcome.is_interrupted:
        ctx.exit(INTERRUPTED)
    if outcome.claims is None:
        ctx.exit(2)
    claims = merge_layers(outcome.claims, layers.report)
    if as_json:
        click.echo(json.dumps(claims.to_json(), indent=2))
    elif annotate:
        for path, file in claims.files.items():
            click.echo(annotated(path, file))
    else:
        click.echo("\n".join(_text(claims)))
    ctx.exit(2 if outcome.status == 2 else 0)


def _text(claims: ProgramClaims) -> Iterator[str]:
    for path, file in claims.files.items():
        yield f"{path}: {file.coverage}"
        parts = _by_function(path, file)
        for name, part in parts:
            if len(parts) > 1:
                yield f"  {name}: {part.coverage}"
            margin = "  " if len(parts) == 1 else "    "
            yield from (f"{margin}{place_text(path, e.line, e.column)}: {e}: {e.why_unknown}" for e in part.unknown)
    yield f"total: {claims.coverage}"


def _by_function(path: str, file: FileClaims) -> list[tuple[str, FileClaims]]:
    """The claims of each function in which there are any, and of the module outside of them, in the source's order."""
    functions = functions_of(path)
    found: dict[str, list[int]] = {}
    for number, e in enumerate(file.expressions):
        inner = [f for f in functions if f.line <= e.line and e.end_line <= f.end_line]
        name = f"{inner[-1].name} (line {inner[-1].line})" if inner else "outside of functions"
        found.setdefault(name, []).append(number)
    return [(name, FileClaims(tuple(file.expressions[n] for n in numbers))) for name, numbers in found.items()]
