"""`arraytyping devices`: what one of many devices holds of the arrays of a program's jitted functions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import rich_click as click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from arraytyping.checker.cli.flow_command import devices_option
from arraytyping.checker.cli.refusing import refuse
from arraytyping.checker.flow.report.reporting import report_on
from arraytyping.checker.holdings import HeldArray, Holding
from arraytyping.checker.settings import ConfigError

__all__ = ["devices"]


@click.command()
@click.argument("program", type=click.Path(exists=True, path_type=Path))
@devices_option
@click.option("--json", "as_json", is_flag=True, help="Print all of it as JSON.")
@click.pass_context
def devices(ctx: click.Context, program: Path, devices: str | None, as_json: bool) -> None:
    """Say what each device holds of the arrays that the jitted functions of PROGRAM take and give.

    The program is followed, and not run, for the devices of `--devices N` or of the settings, which need not be there.
    For each jitted function that it calls, each argument and result has its shape, its sharding, the shape of the
    part of one device, and the bytes of that.  Where the sharding is not known, a device holds at most the whole
    array.  What the compiler keeps in between is not spoken of.  Notes name large arrays that every device holds whole:
    those of a state of which other arrays are cut, and those that a function takes from outside.

    The exit code is 0, or 2 if the program could not be followed.
    """
    try:
        report = report_on((), target=[str(program)], devices=devices)
    except ConfigError as error:
        refuse(ctx, str(error))
    for remark in report.remarks:
        click.echo(f"arraytyping: note: {remark}", err=True)
    for name, why in report.not_checked:
        click.echo(f"arraytyping: not checked: {name}: {why}", err=True)
    if as_json:
        click.echo(json.dumps({"functions": [h.to_json() for h in report.holdings]}, indent=2))
    elif not report.holdings:
        click.echo(f"{program}: no jitted function is called with arrays that are known")
    else:
        for holding in report.holdings:
            _print(holding)
    ctx.exit(2 if report.not_checked or report.errors else 0)


def _print(holding: Holding) -> None:
    """The table of one function."""
    count = f" with {holding.devices} device{'' if holding.devices == 1 else 's'}" if holding.devices else ""
    click.echo(f"{holding.path}:{holding.line}: {holding.function}{count}")
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for title in ("", "array", "sharding", "on one device"):
        table.add_column(title, no_wrap=True)
    table.add_column("bytes", justify="right", no_wrap=True)
    for name, arrays in holding.states.items():
        _add(table, name if len(arrays) > 1 else "", arrays)
    _add_sum(table, "arguments", holding.arguments)
    for name, arrays in (("results", holding.results), ("what is closed over", holding.closed_over)):
        _add(table, name, arrays)
    console = Console(highlight=False, width=max(120, Console().width))
    console.print(table)
    for remark in holding.remarks:
        click.echo(f"{holding.path}:{holding.line}: note: {remark}")
    if holding.unknown:
        plural = "" if holding.unknown == 1 else "s"
        click.echo(f"{holding.unknown} array{plural} of which dtype or shape are not known are left out")


def _add(table: Table, what: str, arrays: Iterable[HeldArray]) -> None:
    """Add arrays, and their sum if it has a name."""
    found = list(arrays)
    for array in found:
        bound = "<= " if array.cut is None else ""
        table.add_row(
            array.name, f"{array.dtype}{_shape(array.shape)}", array.sharding, _shape(array.part),
            f"{bound}{array.bytes:,}",
        )  # fmt: skip
    if what:
        _add_sum(table, what, found)


def _add_sum(table: Table, what: str, found: Sequence[HeldArray]) -> None:
    if found:
        total, bound = Holding.sum(found)
        table.add_row(f"sum of {what}", "", "", "", f"{'<= ' if bound else ''}{total:,}", end_section=True)


def _shape(shape: tuple[int, ...]) -> str:
    return f"\\[{', '.join(map(str, shape))}]"
