"""A plugin of pytest that notes of some lines whether they were executed, and whether they raised.

The environment variable `PRIMER_LINES` names a file of JSON with what is asked, `{file: [line, ...]}`, and
`PRIMER_SEEN` the file into which `{file: {line: "ran" or "raised"}}` is written.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

Trace = Callable[[FrameType, str, Any], Any]


class Recorder:
    """Sees every line and exception in the files that are asked about, and nothing of others."""

    def __init__(self, wanted: dict[str, list[int]]) -> None:
        self.wanted = {os.path.realpath(file): set(lines) for file, lines in wanted.items()}
        self.seen: dict[str, dict[int, str]] = {file: {} for file in self.wanted}
        self._paths: dict[str, str] = {}

    def trace(self, frame: FrameType, event: str, argument: Any) -> Trace | None:
        """`sys.settrace`'s function: of a call, whether its lines are wanted."""
        name = frame.f_code.co_filename
        path = self._paths.get(name)
        if path is None:
            path = self._paths[name] = os.path.realpath(name)
        return self._local if path in self.wanted else None

    def _local(self, frame: FrameType, event: str, argument: Any) -> Trace:
        path = self._paths[frame.f_code.co_filename]
        if frame.f_lineno in self.wanted[path]:
            seen = self.seen[path]
            if event == "exception":
                seen[frame.f_lineno] = "raised"
            else:
                seen.setdefault(frame.f_lineno, "ran")
        return self._local


_RECORDER = Recorder(json.loads(Path(os.environ["PRIMER_LINES"]).read_text())) if "PRIMER_LINES" in os.environ else None


def pytest_runtest_call() -> None:
    """Each test is traced anew, since libraries may have put the trace away."""
    if _RECORDER is not None:
        sys.settrace(_RECORDER.trace)
        threading.settrace(_RECORDER.trace)


def pytest_sessionstart() -> None:
    """Modules of tests are traced as they are imported."""
    pytest_runtest_call()


def pytest_sessionfinish() -> None:
    """Write what was seen."""
    sys.settrace(None)
    if _RECORDER is not None:
        Path(os.environ["PRIMER_SEEN"]).write_text(json.dumps(_RECORDER.seen))
