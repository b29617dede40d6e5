"""What a command is at, shown on a terminal once it takes longer than a second."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.status import Status

__all__ = ["Progress"]

_SECONDS: Final = 1.0


class Progress:
    """A line on the standard error that says what is done; nothing where that is no terminal."""

    def __init__(self) -> None:
        self._text = "starting"
        self._lock = threading.Lock()
        self._status: Status | None = None
        self._timer: threading.Timer | None = None
        if sys.stderr is not None and sys.stderr.isatty():
            self._timer = threading.Timer(_SECONDS, self._show)
            self._timer.daemon = True
            self._timer.start()

    @property
    def is_shown(self) -> bool:
        """Whether anybody may see it."""
        return self._timer is not None

    def says(self, text: str) -> None:
        """Say what is done from now on."""
        with self._lock:
            self._text = text
            if self._status is not None:
                self._status.update(f"arraytyping: {text}")

    def stop(self) -> None:
        """Take the line away, for good."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._status is not None:
                self._status.stop()
                self._status = None

    def _show(self) -> None:
        from rich.console import Console
        from rich.status import Status

        with self._lock:
            if self._timer is not None:
                console = Console(stderr=True, highlight=False, markup=False)
                self._status = Status(f"arraytyping: {self._text}", console=console)
                self._status.start()
