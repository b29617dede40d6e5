"""Entry points are followed again and again, after each edit, by processes that stay: from the outside.

For each entry point there are such processes as `warm_process` describes, asked by a `WarmLine`.  Where anything is
not as it should be, all processes of the entry point are ended, and it is followed by a worker that begins anew
(`workers`), as without all this.

What was followed until a process waits holds as long as nothing has changed that was read: the texts of the program the
process compares itself, statement by statement; all other files are compared here (`warm_inputs`), by their content,
and where modules are found.  All processes end with the installed packages that they have seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.report.serving import Superseded
from arraytyping.checker.flow.report.warm_line import BrokenError, WarmLine
from arraytyping.checker.flow.report.warm_process import Asked
from arraytyping.checker.flow.report.workers import Workers, can_fork
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.sources.kept_sources import KeptSources
from arraytyping.checker.flow.start.kept_report import Report

__all__ = ["WarmWorkers"]

_MOST_ENTRIES: Final = 6
"""For so many entry points processes wait: those of a file, and of the programs that import it."""
_MOST_FAILED: Final = 2
"""So often it is tried to follow an entry point so."""
_MOST_BYTES: Final = 600_000_000
"""So much memory may be held for one entry point, beside what its processes share with this one."""


class WarmWorkers:
    """Follows entry points, one after the other, by processes that stay.

    `asked` is the pipe through which the next question comes: whatever is at work then is ended, and those that wait
    go on waiting.  `tell_early` is told what is known of the edited part of a program before all is.
    """

    def __init__(
        self, asked: int | None = None, tell_early: Callable[[dict[str, Any]], None] = lambda early: None
    ) -> None:
        self._asked = asked
        self._tell_early = tell_early
        self.notes: set[str] = set()
        """What this system does not offer to confine a process."""
        self._lines: dict[EntryPoint, WarmLine] = {}
        self.sources: KeptSources = KeptSources()
        """The texts of programs, which are not parsed again."""
        self._failed: Counter[EntryPoint] = Counter()
        """How often the processes of an entry point were not as they should be."""

    def follow(self, entry: EntryPoint, reached: frozenset[tuple[str, int]], workers: Workers) -> Report | None:
        """What is found from an entry point, as these workers would; None if it cannot be followed so.

        Raises:
            Superseded: if another question comes meanwhile.
        """
        asked = Asked(entry, workers.shown, workers.settings, workers.limits)
        if self._failed[entry] >= _MOST_FAILED:
            return None
        line = self._lines.pop(entry, None)
        if line is not None and not line.is_for(asked):
            line.end()
            line = None
        if line is None:
            workers.warm_up()
            if not can_fork():
                return None
            while len(self._lines) >= _MOST_ENTRIES:
                self._lines.pop(next(iter(self._lines))).end()
            line = WarmLine(asked, self.sources, self._asked, self._tell_early)
        if (known := line.known(reached)) is not None:
            self._lines[entry] = line
            return known
        try:
            answer = line.follow(reached)
            report = Report.from_json(entry, answer["report"])
            self.notes.update(map(str, answer["notes"]))
        except Superseded:
            if line.is_alive:
                self._lines[entry] = line
            raise
        except (BrokenError, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            line.end()
            self._failed[entry] += 1
            return None
        line.took_in(report, answer["watched"], reached)
        if line.memory() > _MOST_BYTES:
            line.end()
        else:
            self._lines[entry] = line  # the one that was used last is the last one
        return report
