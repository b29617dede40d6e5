"""The open files of an editor: what was found of each, as the protocol has it."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from arraytyping_mypy.silencing import Silencing
from lsprotocol import types as lsp

from arraytyping.checker.claims import ExpressionClaims, FileClaims, Position
from arraytyping.checker.flow.report.reporting import FlowReport
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.lsp.hints import Hint, bound_at, hints_of
from arraytyping.checker.lsp.lenses import JittedFunction, jitted_functions
from arraytyping.checker.lsp.positions import Text
from arraytyping.checker.messages.error_pages import page_uri
from arraytyping.checker.messages.helping import help_for
from arraytyping.checker.messages.message import Message
from arraytyping.regular_files import give_contents

__all__ = ["Document", "Early", "Found", "Program", "message_of"]

_SEVERITIES: Final = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}


@dataclass
class Found:
    """What flow knows of one text of a file."""

    text: str = ""
    path: str = ""
    """As reports show the file."""
    claims: FileClaims = field(default_factory=FileClaims)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    jitted: list[JittedFunction] = field(default_factory=list)

    @staticmethod
    def of(path: Path, text: str, report: FlowReport) -> Found:
        """What a report says of a file."""
        real = os.path.realpath(path)
        shown, claims = next(
            ((p, c) for p, c in report.claims.files.items() if os.path.realpath(p) == real), (str(path), FileClaims())
        )
        silencing = Silencing(text)
        diagnostics = [
            m
            for m in report.shown()
            if os.path.realpath(m.path) == real
            and not silencing.is_ignored
            and not silencing.silences(m.code, m.lines)
            and not silencing.type_ignores_silence(m.code, m.lines)
        ]
        is_complete = all(complete for _, _, complete in report.entry_points)
        return Found(text, shown, claims, diagnostics, jitted_functions(report.compiled, shown, is_complete))

    @cached_property
    def known(self) -> dict[Position, ExpressionClaims]:
        """The claims by where their expressions stand."""
        return {e.position: e for e in self.claims.expressions}

    @cached_property
    def hints(self) -> list[Hint]:
        """What stands beside names in this text."""
        return hints_of(self.text, self.claims)

    def at(self, line: int, column: int) -> ExpressionClaims | None:
        """The innermost expression at a place; of a name that is bound there what is known of its value."""
        around = [
            e for e in self.claims.expressions if (e.line, e.column) <= (line, column) <= (e.end_line, e.end_column)
        ]
        return min(around, key=_length, default=None) or bound_at(self.text, self.known, line, column)


def _length(e: ExpressionClaims) -> tuple[int, int]:
    return e.end_line - e.line, e.end_column - e.column if e.line == e.end_line else 0


@dataclass(frozen=True)
class Program:
    """A text that can be parsed, and its version."""

    text: str
    version: int | None


@dataclass
class Early:
    """What is known of some lines of a text before it has been followed to its end."""

    text: str
    first: int
    last: int
    claims: FileClaims

    @cached_property
    def hints(self) -> list[Hint]:
        """What stands beside names in these lines."""
        return [h for h in hints_of(self.text, self.claims) if self.first <= h.line <= self.last]


@dataclass
class Document:
    """An open file, its text, and what was found of the last text that could be followed."""

    path: Path
    text: str
    version: int | None = None
    program: Program | None = None
    """The last text that could be parsed, which is followed."""
    found: Found = field(default_factory=Found)
    early: Early | None = None
    """What is known of a later text than was found."""
    typed: str = ""
    """The text whose types were checked last."""
    importers: Sequence[Path] = ()
    """The programs that import it, as far as they have been looked for."""
    looked: float = -math.inf
    """When these were looked for."""
    widely: float = math.inf
    """How many seconds it took to follow these as well."""
    types: Sequence[Message] = ()
    """What is said of these, besides flow's mistakes."""

    @property
    def places(self) -> Text:
        """Its places now."""
        return Text(self.found.text, self.text)

    @property
    def is_followed(self) -> bool:
        """Whether what was found is of the text as it is."""
        return self.found.text == self.text

    def give_text(self) -> None:
        """Have the text that was followed read in the place of the file."""
        give_contents({str(self.path): self.found.text.encode()})

    def diagnostics(self) -> Iterator[lsp.Diagnostic]:
        """The mistakes, those that only the types tell last."""
        self.give_text()
        places = self.places
        for m in self.found.diagnostics:
            where = places.range(m.line, m.column, m.end_line, m.end_column)
            if where is None:
                continue
            related = []
            for operand in m.operands:
                at = places.position(operand.line, 0) if operand.line else None
                if at is not None and os.path.realpath(operand.path) == os.path.realpath(self.path):
                    location = lsp.Location(self.path.as_uri(), lsp.Range(at, at))
                    related.append(lsp.DiagnosticRelatedInformation(location, f"{operand.text} is {operand.type}"))
            said = "\n".join(part for part in (m.text, *m.notes, help_for(message_of(m, self.path))) if part)
            yield lsp.Diagnostic(
                where,
                said,
                _SEVERITIES[m.severity],
                m.code,
                _page(m.code),
                "arraytyping",
                related_information=related,
            )
        yield from self._of_types()

    def _of_types(self) -> Iterator[lsp.Diagnostic]:
        told = {(m.line, m.code) for m in self.found.diagnostics} if self.typed != self.found.text else set()
        places = Text(self.typed, self.text)
        for m in self.types:
            where = places.range(m.line, m.column, m.end_line, m.end_column + 1)
            if where is not None and (m.line, m.code) not in told:
                said = "\n".join(part for part in (m.text, m.hint) if part)
                page = None if m.code is None else _page(m.code)
                yield lsp.Diagnostic(where, said, _SEVERITIES[m.severity], m.code, page, "arraytyping (types)")

    def hints(self) -> Iterator[lsp.InlayHint]:
        """The shape behind each name that is assigned, and behind parameters."""
        lines: set[int] = set()
        if (early := self.early) is not None:
            places = Text(early.text, self.text)
            known = (places.position(line, 0) for line in range(early.first, early.last + 1))
            lines = {at.line for at in known if at is not None}
            yield from _placed(early.hints, places)
        yield from (hint for hint in _placed(self.found.hints, self.places) if hint.position.line not in lines)

    def lenses(self) -> Iterator[lsp.CodeLens]:
        """For how many signatures each jitted function is compiled."""
        places = self.places
        for function in self.found.jitted:
            at = places.position(function.line, 0)
            if at is not None:
                yield lsp.CodeLens(lsp.Range(at, at), lsp.Command(function.title, ""))


def _placed(hints: Sequence[Hint], places: Text) -> Iterator[lsp.InlayHint]:
    for hint in hints:
        at = places.position(hint.line, hint.column)
        if at is not None:
            yield lsp.InlayHint(at, hint.text, lsp.InlayHintKind.Type)


def _page(code: str) -> lsp.CodeDescription | None:
    """Where an editor finds what a code means."""
    uri = page_uri(code)
    return None if uri is None else lsp.CodeDescription(uri)


def message_of(m: Diagnostic, path: Path) -> Message:
    """A mistake of flow in a file as messages have it."""
    return Message(str(path), *m.position[1:], "error", m.text, m.code, m.note, m)
