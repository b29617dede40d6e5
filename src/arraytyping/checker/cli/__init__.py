"""The command `arraytyping`: `check` reports mistakes, `coverage` what is known, `audit` holds it against a run.

`record` keeps what a run has shown of what comes from outside.  `explain`, `table` and `lattice` answer questions about
dtype promotion.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from importlib import import_module
from typing import Any, Final, NoReturn

import rich_click as click

from arraytyping import __version__
from arraytyping.checker.cli.streams import CannotWriteError, give_up, guard_streams

__all__ = ["cli", "main"]

_COMMANDS: Final = (
    "audit", "check", "compiles", "coverage", "devices", "explain", "lattice", "lsp", "port", "record", "table",
    "trace-dtype",
)  # fmt: skip
"""Each is a function of this name in a module of this name, with `_` in the place of `-`."""
_INTERRUPTED: Final = 130


class Commands(click.RichGroup):
    """The commands, each of which is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None if there is none."""
        if cmd_name in _COMMANDS:
            return _command(cmd_name)
        self.commands.update((name, _command(name)) for name in _COMMANDS)  # among which click looks for the nearest
        return None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; one that is interrupted where it has nothing to show ends like the others."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("arraytyping: interrupted", err=True)
            ctx.exit(_INTERRUPTED)


def _command(name: str) -> click.Command:
    command: click.Command = getattr(import_module(f"{__name__}.{name.replace('-', '_')}"), name.replace("-", "_"))
    return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="arraytyping")
def cli() -> None:
    """Know the dtype, weak type and shape of JAX arrays before a program runs."""


def main() -> NoReturn:
    """Run the command and end the process."""
    if signal.getsignal(signal.SIGTERM) is not signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # whose time is up shows what was found, as by Ctrl-C
    try:
        guard_streams()
        code = _run()
        sys.stdout.flush()
    except CannotWriteError as error:
        code = give_up(error)
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    os._exit(code)  # as mypy does: freeing the types of a whole program takes as long as checking it


def _run() -> int:
    try:
        cli()
    except SystemExit as ended:
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
        return ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    return 0
