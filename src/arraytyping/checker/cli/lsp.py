"""`arraytyping lsp`: the language server, which an editor starts."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import rich_click as click

from arraytyping.checker.cli.refusing import refuse

__all__ = ["lsp"]


@click.command()
@click.option(
    "--python",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The interpreter or environment that has the programs' libraries (default: that of each folder).",
)
@click.option("--no-types", is_flag=True, help="Only follow the programs, and do not check the types by mypy.")
@click.pass_context
def lsp(ctx: click.Context, python: Path | None, no_types: bool) -> None:
    """Serve an editor by the language server protocol, on the standard streams.

    While a program is written, the shape of what is assigned stands beside it, mistakes are shown at their place, and
    hovering says all that is known of an expression.  Files need not be saved.
    """
    try:
        from arraytyping.checker.lsp.features import make_server
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        refuse(ctx, "the language server needs pygls, which is not installed: pip install 'arraytyping[lsp]'")
    # The editor is told in a line what was wrong with a message, and needs no traceback of the library's.
    logging.getLogger("pygls").addHandler(logging.NullHandler())
    make_server(python, types=not no_types).start_io()
    os._exit(0)  # the streams belong to the server, which has closed them
