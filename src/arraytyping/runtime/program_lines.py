"""The lines of a program that is running, as messages name them."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Final

__all__ = ["line_of_program", "line_text"]

_PACKAGE: Final = str(Path(__file__).parents[1]) + "/"


def line_of_program(depth: int = 2) -> tuple[str, int, str] | None:
    """File, line and function of the innermost line of the program that is running, outside of this package."""
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


def line_text(line: tuple[str, int, str]) -> str:
    """A line of a program as messages name it."""
    file, number, function = line
    return f"{file}:{number} ({function})"
