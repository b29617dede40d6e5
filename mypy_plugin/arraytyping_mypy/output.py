"""Shows the messages of a run and their summary, as mypy's own command does.

`main.show_messages`, `main.maybe_write_junit_xml` and `util.FancyFormatter` of mypy are used here.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TextIO

import mypy.main
from mypy import util
from mypy.options import Options

from arraytyping.checker.claims import ProgramClaims
from arraytyping.checker.flow.state.diagnostics import Diagnostic, together
from arraytyping.checker.messages.message import Totals
from arraytyping.checker.messages.presenting import Presenter
from arraytyping_mypy.duplicates import without_duplicates
from arraytyping_mypy.flow_messages import is_warning
from arraytyping_mypy.own_errors import about_arrays
from arraytyping_mypy.vetoes import without_vetoed

__all__ = ["Output"]


@dataclass
class Output:
    """Shows mypy's messages and their summary as mypy's own command does; files in the order of their names."""

    options: Options
    stdout: TextIO
    stderr: TextIO
    show: bool
    shows_all: bool = True
    """Whether mypy's own errors are shown, and not those about arrays alone."""
    messages: list[str] = field(default_factory=list)
    is_serious: bool = False
    diagnostics: Sequence[Diagnostic] = ()
    claims: ProgramClaims = field(default_factory=ProgramClaims)
    """What flow knows of each expression."""
    found: Sequence[Diagnostic] = ()
    """All mistakes of flow, shown or not."""
    refused: dict[str, list[str]] = field(default_factory=dict)
    """The files that could not be checked, and what is said of each."""
    is_partial: bool = False
    """Whether flow did not follow all of the program, of which the command says more."""
    before: Callable[[], None] = lambda: None
    """Called before anything is written."""
    presenter: Presenter | None = None
    """Writes the messages, which are lines of JSON then; without it they are shown as they are."""

    def __post_init__(self) -> None:
        self._hides_codes = self.options.hide_error_codes
        if not self.shows_all:
            self.options.hide_error_codes = False  # by them it is known which errors are about arrays
        self._by_file: dict[str | None, list[str]] = defaultdict(list)
        self._held: list[tuple[str, list[str]]] = []
        self._formatter = util.FancyFormatter(
            self.stdout, self.stderr, self._hides_codes, hide_success=bool(self.options.output)
        )

    def flush(self, file: str | None, new: list[str], is_serious: bool) -> None:
        """Take the messages of one file."""
        new = without_vetoed(without_duplicates(new, self.diagnostics), self.claims, self.found)
        if not self.shows_all and file is not None:  # what is of no file keeps all from being checked
            new = about_arrays(new, hides_codes=self._hides_codes)
        if self.options.pretty:
            new = self._formatter.fit_in_terminal(new)
        self.messages.extend(new)
        if new:
            self._by_file[file].extend(new)
        if self.show and is_serious and self.presenter is None:
            mypy.main.show_messages(new, self.stderr, self._formatter, self.options)
        elif new:
            self._held.append((file or "", new))

    def refuse(self, path: str, lines: list[str]) -> None:
        """Take what is said of a file that cannot be checked; what was said of it first stays."""
        real = os.path.realpath(path)
        if real not in self.refused:
            self.refused[real] = lines
            self.flush(os.path.normpath(path), lines, False)

    def finish(self, sources: int, seconds: float, *, is_blocked: bool, reservation: str | None = None) -> int:
        """Write the summary, and say the exit code; with a reservation there is no success."""
        self.before()
        if self.presenter is not None and self.show:
            return self._present(self.presenter, sources, is_blocked, reservation)
        options, messages = self.options, self.messages
        errors, notes, files = util.count_stats(messages)
        warnings = sum(map(is_warning, messages))
        status = (2 if is_blocked else 1) if messages and notes + warnings < len(messages) else 0
        status = 2 if self.refused or self.is_partial else status
        if not self.show:
            said = messages if is_blocked else [line for lines in self.refused.values() for line in lines]
            mypy.main.show_messages(said, self.stderr, self._formatter, options)
            return status
        for _, held in sorted(self._held, key=lambda h: h[0]):
            mypy.main.show_messages(held, self.stdout, self._formatter, options)
        mypy.main.maybe_write_junit_xml(seconds, self.is_serious, messages, self._by_file, options)
        if options.error_summary:
            color = options.color_output
            if reservation is not None and not is_blocked and not options.output:
                self.stdout.write(self._formatter.style(reservation, "yellow", bold=True) + "\n")
            if errors:
                summary = self._formatter.format_error(errors, files, sources, blockers=is_blocked, use_color=color)
                self.stdout.write(summary + "\n")
            elif warnings and not options.output:
                self.stdout.write(f"Found no errors, and {warnings} warning{'' if warnings == 1 else 's'}\n")
            elif notes == len(messages) and not self.is_partial and reservation is None:
                self.stdout.write(self._formatter.format_success(sources, color) + "\n")
        self.stdout.flush()
        return status

    def _present(self, presenter: Presenter, sources: int, is_blocked: bool, reservation: str | None) -> int:
        lines = [line for _, held in sorted(self._held, key=lambda h: h[0]) for line in held]
        is_partial = bool(self.refused) or self.is_partial
        totals = Totals(sources, is_blocked, is_partial, reservation, self.options.error_summary)
        told = presenter.present(lines, together(self.found), totals, self.stdout)
        if is_partial:
            return 2
        return (2 if is_blocked else 1) if any(m.severity == "error" for m in told) else 0
