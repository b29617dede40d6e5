"""How a command ends that cannot do what is asked: one line on the standard error, and exit code 2."""

from __future__ import annotations

from typing import NoReturn

import rich_click as click

__all__ = ["refuse"]


def refuse(ctx: click.Context, message: str) -> NoReturn:
    """End the command."""
    click.echo(f"arraytyping: error: {message}", err=True)
    ctx.exit(2)
