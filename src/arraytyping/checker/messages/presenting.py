"""What becomes of the messages of a run: those that are known are left out, the others are written in a format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.messages.baseline import Baseline
from arraytyping.checker.messages.formats import READ_BY_PEOPLE, Format
from arraytyping.checker.messages.message import Message, Totals, read_messages

__all__ = ["Presenter"]


@dataclass
class Presenter:
    """Writes messages in a format, without those of the baselines."""

    format: str
    write: Format
    baselines: Sequence[Baseline] = ()
    gives_way: bool = False
    """Whether it is not used where mypy is told how to write its messages."""
    found: list[Message] = field(default_factory=list)
    """All messages of the run."""
    told: list[Message] = field(default_factory=list)
    """Those that are written."""

    @property
    def is_for_people(self) -> bool:
        """Whether more may be said after the messages."""
        return self.format in READ_BY_PEOPLE

    def present(
        self, lines: Iterable[str], diagnostics: Sequence[Diagnostic], totals: Totals, stdout: TextIO
    ) -> list[Message]:
        """Write the messages that mypy has as lines of JSON; those that are told."""
        self.found = read_messages(lines, diagnostics)
        told = self.found
        for baseline in self.baselines:
            told = baseline.new(told)
        self.told = told
        for line in self.write(told, totals):
            stdout.write(f"{line}\n")
        stdout.flush()
        return told
