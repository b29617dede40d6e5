"""The command `arraytyping`: `check` reports mistakes, `coverage` what is known, `audit` holds it against a run.

`explain`, `table` and `lattice` answer questions about dtype promotion.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import NoReturn

import rich_click as click

from arraytyping import __version__
from arraytyping.cli.audit import audit
from arraytyping.cli.check import check
from arraytyping.cli.coverage import coverage
from arraytyping.cli.explain import explain
from arraytyping.cli.lattice import lattice
from arraytyping.cli.port import port
from arraytyping.cli.table import table

__all__ = ["cli", "main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="arraytyping")
def cli() -> None:
    """Know the dtype, weak type and shape of JAX arrays before a program runs."""


cli.add_command(audit)
cli.add_command(check)
cli.add_command(coverage)
cli.add_command(explain)
cli.add_command(lattice)
cli.add_command(port)
cli.add_command(table)


def main() -> NoReturn:
    """Run the command and end the process."""
    try:
        cli()
    except SystemExit as ended:
        # As mypy does: freeing the types of a whole program takes as long as checking it.
        with contextlib.suppress(OSError):  # a closed pipe
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1)
    sys.exit(0)
