"""`--watch`: the command runs again whenever a file of the program has changed, until it is interrupted."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import rich_click as click

__all__ = ["watch"]

_SUFFIXES: Final = (".py", ".pyi", ".ipynb", ".md", ".toml", ".ini", ".cfg")
_MILLISECONDS: Final = 200
"""Changes within this time belong together."""


def watch(arguments: Sequence[str], paths: Sequence[str]) -> None:
    """Run `arraytyping` with these arguments now, and after each change under the paths and the current directory.

    Raises:
        click.UsageError: if the library watchfiles is not installed.
    """
    try:
        from watchfiles import PythonFilter, watch as changes
    except ImportError:
        raise click.UsageError(
            "--watch needs watchfiles, which is not installed: pip install 'arraytyping[watch]'"
        ) from None
    filtered = PythonFilter(extra_extensions=[s for s in _SUFFIXES if s not in (".py", ".pyi")])
    watched = {Path.cwd(), *(Path(path) for path in paths if Path(path).exists())}
    ran = False
    try:
        # The watch begins before the first run, after some time of which without a change it yields: what changes
        # while that runs is seen.
        for found in changes(
            *watched,
            watch_filter=filtered,
            debounce=_MILLISECONDS,
            rust_timeout=_MILLISECONDS,
            yield_on_timeout=True,
            raise_interrupt=True,
        ):
            if found or not ran:
                _run(arguments)
                ran = True
    except KeyboardInterrupt:
        click.echo("", err=True)


def _run(arguments: Sequence[str]) -> None:
    if sys.stdout.isatty():
        click.clear()
    subprocess.run([sys.executable, "-P", "-m", "arraytyping", *arguments])
    click.echo("arraytyping: watching for changes; Ctrl-C ends", err=True)
