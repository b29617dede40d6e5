"""Warnings at the line of the program that is running, outside of this package."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Final

__all__ = ["warn_user"]

_OURS: Final = str(Path(__file__).parent) + "/"


def warn_user(messages: Iterable[str], category: type[Warning] = UserWarning) -> None:
    """Warn with each of these sentences."""
    for message in messages:
        level, frame = 1, sys._getframe(0)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
            frame, level = frame.f_back, level + 1
        warnings.warn(message, category, stacklevel=level)
