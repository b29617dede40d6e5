"""`arraytyping table`: the promotion table of a system, with what differs from another one."""

from __future__ import annotations

import rich_click as click

from arraytyping.checker.cli.systems import open_system, system_option
from arraytyping.checker.cli.table_formats import FORMATS, Table

__all__ = ["table"]


@click.command()
@system_option
@click.option("--compare", "other_name", metavar="SYSTEM", help="Mark the cells in which this system differs.")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="text", help="The form of the output.")
@click.pass_context
def table(ctx: click.Context, system_name: str, other_name: str | None, form: str) -> None:
    """Print the table of a promotion system: the left operand's dtype down, the right one's across.

    Cells that are undefined are empty or `-`, in JSON null.  With --compare those that differ are marked: in text by
    brackets, in Markdown bold, in HTML by colour, in CSV with both dtypes; JSON then holds both tables, and the
    differing cells as pairs of row and column.  Text, Markdown and HTML have short names, JSON and CSV full ones.
    """
    system = open_system(ctx, system_name)
    other = None if other_name is None else open_system(ctx, other_name)
    click.echo(FORMATS[form](Table.of(system, other)), nl=False)
