"""What a command is at, shown on a terminal once it takes longer than a second."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.live import Live
    from rich.spinner import Spinner

__all__ = ["Progress"]

_SECONDS: Final = 1.0


class Progress:
    """A line on the standard error that says what is done; nothing where that is no terminal."""

    def __init__(self) -> None:
        self._text = "starting"
        self._lock = threading.Lock()
        self._spinner: Spinner | None = None
        self._live: Live | None = None
        self._timer: threading.Timer | None = None
        self._stream = sys.stderr  # which others may exchange meanwhile
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
            if self._spinner is not None:
                self._spinner.update(text=f"arraytyping: {text}")

    def stop(self) -> None:
        """Take the line away, for good."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._live is not None:
                self._live.stop()
                self._live = self._spinner = None

    def _show(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner

        with self._lock:
            if self._timer is not None:
                console = Console(file=self._stream, highlight=False, markup=False)
                self._spinner = Spinner("dots", f"arraytyping: {self._text}", style="status.spinner")
                # nothing else is redirected: what mypy writes as it fails is read, and not shown
                self._live = Live(
                    self._spinner,
                    console=console,
                    refresh_per_second=12.5,
                    transient=True,
                    redirect_stdout=False,
                    redirect_stderr=False,
                )
                self._live.start()
