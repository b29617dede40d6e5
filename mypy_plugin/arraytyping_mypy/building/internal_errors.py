"""What mypy prints where it fails itself, as what is said of the file that it fails on.

mypy prints a text for those who report a bug, and ends the process, in `errors.report_internal_error`.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Final

from mypy.options import Options
from mypy.version import __version__

import arraytyping_mypy
from arraytyping.checker.swallowed import shown

__all__ = ["InternalError", "internal_errors"]

_PLACE: Final = re.compile(r"^(?P<file>.+?):(?P<line>\d+): error: INTERNAL ERROR --", re.MULTILINE)
_OURS: Final = str(Path(arraytyping_mypy.__file__).parent)
_RUNNING: Final = str(Path(__file__).parent)


class InternalError(Exception):
    """mypy, or the plugin in it, has failed on a file; `printed` is what mypy wrote for a report of the bug."""

    def __init__(self, file: str, line: int, cause: BaseException | None, printed: str) -> None:
        who = f"mypy {__version__}" if cause is None or not _is_ours(cause) else "arraytyping's plugin of mypy"
        why = "" if cause is None else f" ({shown(cause)})"
        super().__init__(f"{who} fails here{why}, so the types of this file are not checked")
        self.file = file
        self.line = line
        self.printed = printed


@contextmanager
def internal_errors(options: Options) -> Iterator[None]:
    """Keep what mypy prints if it fails, and raise it with the file.

    Raises:
        InternalError: where mypy would end the process.
        SystemExit: if mypy does not say on which file it fails.
    """
    if options.pdb:
        yield
        return
    printed, traced = StringIO(), StringIO()
    try:
        with redirect_stderr(printed), redirect_stdout(traced):
            yield
    except SystemExit as error:
        place = _PLACE.search(printed.getvalue())
        if place is None:
            raise
        said = printed.getvalue() + (traced.getvalue() if options.show_traceback else "")
        raise InternalError(place["file"], int(place["line"]), error.__context__, said) from None


def _is_ours(error: BaseException) -> bool:
    """Whether an exception came from the plugin, and not from mypy alone, which it runs."""
    files = (frame.filename for frame in traceback.extract_tb(error.__traceback__))
    return any(f.startswith(_OURS) and not f.startswith(_RUNNING) for f in files)
