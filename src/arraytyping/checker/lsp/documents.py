"""The open files of an editor: what was found of each, as the protocol has it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from arraytyping_mypy.silencing import Silencing
from lsprotocol import types as lsp

from arraytyping.checker.claims import ExpressionClaims, FileClaims
from arraytyping.checker.flow.report.reporting import FlowReport
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.lsp.hints import hints_of, shown_claims
from arraytyping.checker.lsp.positions import Text
from arraytyping.checker.messages.helping import help_for
from arraytyping.checker.messages.message import Message

__all__ = ["Document"]

_SEVERITIES = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}


@dataclass
class Document:
    """An open file, its text, and what was found of the last text that could be followed."""

    path: Path
    text: str
    version: int | None = None
    followed: str = ""
    claims: FileClaims = field(default_factory=FileClaims)
    mistakes: list[Diagnostic] = field(default_factory=list)

    def take(self, followed: str, report: FlowReport) -> None:
        """Take what was found of this text."""
        self.followed = followed
        real = os.path.realpath(self.path)
        found = [c for path, c in report.claims.files.items() if os.path.realpath(path) == real]
        self.claims = found[0] if found else FileClaims()
        silencing = Silencing(followed)
        self.mistakes = [
            m
            for m in report.shown()
            if os.path.realpath(m.path) == real
            and not silencing.is_ignored
            and not silencing.silences(m.code, m.lines)
            and not silencing.type_ignores_silence(m.code, m.lines)
        ]

    @property
    def places(self) -> Text:
        """Its places now."""
        return Text(self.followed, self.text)

    def diagnostics(self) -> Iterator[lsp.Diagnostic]:
        """The mistakes."""
        places = self.places
        for group in self._together():
            m = group[0]
            where = places.range(m.line, m.column, m.end_line, m.end_column)
            if where is None:
                continue
            related = []
            for operand in m.operands:
                at = places.position(operand.line, 0) if operand.line else None
                if at is not None and os.path.realpath(operand.path) == os.path.realpath(self.path):
                    location = lsp.Location(self.path.as_uri(), lsp.Range(at, at))
                    related.append(lsp.DiagnosticRelatedInformation(location, f"{operand.text} is {operand.type}"))
            ways = f"{len(group) - 1} more way{'s' if len(group) > 2 else ''} to a mistake here" if group[1:] else None
            said = "\n".join(part for part in (m.text, *m.notes, ways, self._help(m)) if part)
            yield lsp.Diagnostic(
                where, said, _SEVERITIES[m.severity], m.code, source="arraytyping", related_information=related
            )

    def _together(self) -> list[list[Diagnostic]]:
        """The mistakes of one code at one place."""
        groups: dict[tuple[object, ...], list[Diagnostic]] = {}
        for m in self.mistakes:
            groups.setdefault((m.position, m.code), []).append(m)
        return list(groups.values())

    def hints(self) -> Iterator[lsp.InlayHint]:
        """The shape behind each name that is assigned, and behind parameters."""
        places = self.places
        for hint in hints_of(self.followed, self.claims):
            at = places.position(hint.line, hint.column)
            if at is not None:
                yield lsp.InlayHint(at, hint.text, lsp.InlayHintKind.Type)

    def hover(self, position: lsp.Position) -> lsp.Hover | None:
        """All that is known of the innermost expression at a place."""
        places = self.places
        at = places.place(position)
        if at is None:
            return None
        around = [e for e in self.claims.expressions if (e.line, e.column) <= at <= (e.end_line, e.end_column)]
        if not around:
            return None
        e = min(around, key=lambda e: (e.end_line - e.line, e.end_column - e.column if e.line == e.end_line else 0))
        where = places.range(e.line, e.column, e.end_line, e.end_column)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, _described(e)), where)

    def actions(self, asked: lsp.Range) -> Iterator[lsp.CodeAction]:
        """Changes for the mistakes in a range."""
        places = self.places
        lines = self.text.split("\n")
        for m, *_ in self._together():
            where = places.range(m.line, m.column, m.end_line, m.end_column)
            if where is None or where.end.line < asked.start.line or asked.end.line < where.start.line:
                continue
            said = self._help(m)
            if said is not None and said.startswith("did you mean "):
                text = said.removeprefix("did you mean ").removesuffix("?")
                yield self._edit(f"Replace by {text}", where, text)
            line = where.end.line
            end = lsp.Position(line, len(lines[line].rstrip("\r").encode("utf-16-le")) // 2)
            if "#" not in lines[line] and not lines[line].rstrip("\r").endswith("\\"):
                comment = f"  # arraytyping: ignore[{m.code}]"
                yield self._edit(f"Ignore {m.code} here", lsp.Range(end, end), comment)

    def _edit(self, title: str, where: lsp.Range, text: str) -> lsp.CodeAction:
        edit = lsp.WorkspaceEdit(changes={self.path.as_uri(): [lsp.TextEdit(where, text)]})
        return lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, edit=edit)

    def _help(self, m: Diagnostic) -> str | None:
        path = str(self.path)
        return help_for(Message(path, *m.position[1:], "error", m.text, m.code, m.note, m))


def _described(e: ExpressionClaims) -> str:
    by_item: dict[tuple[int, ...], list[str]] = {}
    for claim in e.claims:
        by_item.setdefault(claim.item, []).append(str(claim))
    lines = []
    for item, texts in by_item.items():
        name = "".join(f"[{n}]" for n in item)
        merged = shown_claims([c for c in e.claims if c.item == item])
        lines.append(f"{name}: {merged}" if name else merged or "nothing is known of it")
        lines += [f"  {text}" for text in texts] if len(texts) > 1 else []
    if e.why_unknown:
        lines.append(f"not all is known: {e.why_unknown}")
    return "\n".join(lines)
