"""`arraytyping compiles`: what JAX will compile each jitted function of a program for, and which line lets it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import rich_click as click

from arraytyping.checker.cli.refusing import refuse
from arraytyping.checker.environment import NoEnvironmentError, find_environment, inspect_environment
from arraytyping.checker.flow.report.reporting import FlowReport, report_on
from arraytyping.checker.flow.state.compiled import Compiled
from arraytyping.checker.settings import ConfigError

__all__ = ["compiles"]

_MOST_LEAVES = 8
"""The most leaves of a signature that are printed where none is known to differ."""


@click.command()
@click.argument("program", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--python",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The interpreter or environment that has the program's libraries (default: VIRTUAL_ENV, .venv, ...).",
)
@click.option("--json", "as_json", is_flag=True, help="Print all of it as JSON, every leaf of each argument included.")
@click.pass_context
def compiles(ctx: click.Context, program: Path, python: Path | None, as_json: bool) -> None:
    """List for each jitted function of PROGRAM, a file or a directory, what JAX compiles it for, without running it.

    Each signature stands with the line of the first call that has it; where a function is made anew, so that JAX
    compiles it again for the same arguments, it says how often.  What is not known is `?`.  A loop that is not followed
    to its end may bring more.

    The exit code is 0, or 2 if the program could not be followed.
    """
    try:
        environment = (
            find_environment([program]).environment if python is None else inspect_environment(python, "--python")
        )
        report = report_on([program], python=environment.python)
    except (ConfigError, NoEnvironmentError) as error:
        refuse(ctx, str(error))
    for name, why in report.not_checked:
        click.echo(f"arraytyping: not checked: {name}: {why}", err=True)
    for unread in report.errors:
        click.echo(f"{unread.path}:{unread.line}: {unread.message}", err=True)
    click.echo(json.dumps(_json(report), indent=2) if as_json else "\n".join(_text(report)))
    ctx.exit(2 if report.not_checked or report.errors else 0)


_Function = tuple[str, str, int]


def _by_function(report: FlowReport) -> dict[_Function, Counter[Compiled]]:
    """The compilations of each function, in the order of the source; those of libraries last."""
    found: dict[_Function, Counter[Compiled]] = {}
    for one, times in report.compiled.items():
        found.setdefault((one.function, one.path, one.line), Counter())[one] += times
    return dict(sorted(found.items(), key=lambda item: (not item[0][2], item[0][1], item[0][2])))


def _text(report: FlowReport) -> Iterator[str]:
    functions = _by_function(report)
    for (name, path, line), compiled in functions.items():
        signatures = [dict(one.signature) for one in compiled]
        differing = {
            leaf for signature in signatures for leaf in signature if len({s.get(leaf) for s in signatures}) > 1
        }
        total = sum(compiled.values())
        yield f"{f'{path}:{line}: ' if line else ''}{name}: compiled {_times(total)}"
        for one, times in compiled.items():
            again = f", {_times(times)}, since the function is made anew" if times > 1 else ""
            yield f"    {one.caller}:{one.caller_line}: {_signature(dict(one.signature), differing)}{again}"
    total = sum(report.compiled.values())
    yield f"{len(functions)} jitted function{'' if len(functions) == 1 else 's'}, compiled {_times(total)}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _signature(signature: dict[str, str], differing: set[str]) -> str:
    """The leaves, or, of many, those that differ from signature to signature."""
    shown = list(signature)
    if len(shown) > _MOST_LEAVES:
        shown = [leaf for leaf in shown if leaf in differing] or shown
    shown, left = shown[:_MOST_LEAVES], len(signature) - len(shown[:_MOST_LEAVES])
    parts = [f"{leaf} {signature[leaf]}" for leaf in shown] or ["no arguments"]
    return ", ".join([*parts, f"and {left} more"] if left else parts)


def _json(report: FlowReport) -> list[dict[str, object]]:
    return [
        {
            "function": name,
            "path": path,
            "line": line,
            "signatures": [
                {"arguments": dict(one.signature), "path": one.caller, "line": one.caller_line, "times": times}
                for one, times in compiled.items()
            ],
        }
        for (name, path, line), compiled in _by_function(report).items()
    ]
