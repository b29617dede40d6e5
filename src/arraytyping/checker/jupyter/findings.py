"""What was found of a cell: its mistakes, and what is known of the names that it binds."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from arraytyping.checker.claims import ExpressionClaims, FileClaims
from arraytyping.checker.flow.report.reporting import FlowReport
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.jupyter.session import CellProgram
from arraytyping.checker.messages.message import Message
from arraytyping.semantics.avals import shape_tuple_str

__all__ = ["Findings", "Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of an array of the cell."""

    name: str
    dtype: str
    weak_type: str
    shape: str


@dataclass(frozen=True)
class Findings:
    """What an engine has answered about a cell."""

    program: CellProgram
    diagnostics: tuple[Diagnostic, ...]
    claims: FileClaims

    @staticmethod
    def of(program: CellProgram, answer: Mapping[str, Any]) -> Findings:
        """What is of interest in a report."""
        report = FlowReport.from_json(answer)
        real = os.path.realpath(program.path)
        claims = [c for path, c in report.claims.files.items() if os.path.realpath(path) == real]
        found = tuple(
            _of_session(m, program)
            for m in report.shown()
            if not m.is_minor and program.concerns(m.path, m.line, m.chain != ())
        )
        return Findings(program, _unsilenced(found, program), claims[0] if claims else FileClaims())

    @property
    def messages(self) -> list[Message]:
        """The mistakes as they are shown."""
        return [
            Message(*m.position, "warning" if m.is_minor else "error", m.text, m.code, m.note, m)
            for m in self.diagnostics
        ]

    def rows(self) -> Iterator[Row]:
        """What is known of the names that the cell binds, at its end."""
        by_line = {e.line: e for e in self.claims.expressions if e.column == 0}
        for name, line in self.program.bound:
            found = by_line.get(line)
            if found is not None:
                yield from _rows(name, found)

    def lines(self) -> Iterator[tuple[str, str]]:
        """The lines of the cell, each with what is known of the arrays in it."""
        text = self.program.text.split("\n")
        for number, line in enumerate(self.program.source.split("\n"), self.program.first + 1):
            said: dict[str, None] = {}
            for e in self.claims.expressions:
                is_array = any((c.dtype is not None or c.shape is not None) and not c.item for c in e.claims)
                if is_array and e.line == e.end_line == number:
                    part = text[number - 1].encode()[e.column : e.end_column].decode(errors="replace")
                    said.setdefault(f"{part}: {e}")
            yield line, "; ".join(said)


def _rows(name: str, found: ExpressionClaims) -> Iterator[Row]:
    for item in dict.fromkeys(claim.item for claim in found.claims):
        claims = [claim for claim in found.claims if claim.item == item]
        if not any(c.dtype is not None or c.shape is not None for c in claims):
            continue
        yield Row(
            name + "".join(f"[{n}]" for n in item),
            _either("?" if c.dtype is None else c.dtype for c in claims),
            _either(
                "" if c.dtype is None else "?" if c.weak_type is None else "weak" if c.weak_type else "" for c in claims
            ),
            _either("?" if c.shape is None else shape_tuple_str(c.shape) for c in claims),
        )


def _either(texts: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(texts))


def _of_session(diagnostic: Diagnostic, program: CellProgram) -> Diagnostic:
    """A mistake with one path for all places in cells."""
    path, real = str(program.path), os.path.realpath(program.path)

    def own(given: str) -> str:
        return path if given and os.path.realpath(given) == real else given

    return replace(
        diagnostic, path=own(diagnostic.path), operands=tuple(replace(o, path=own(o.path)) for o in diagnostic.operands)
    )


def _unsilenced(diagnostics: tuple[Diagnostic, ...], program: CellProgram) -> tuple[Diagnostic, ...]:
    """The mistakes that no comment silences."""
    if not diagnostics or "ignore" not in program.text:
        return diagnostics
    from arraytyping_mypy.silencing import Silencing

    silencing = Silencing(program.text)
    return tuple(
        m
        for m in diagnostics
        if not silencing.is_ignored
        and not silencing.silences(m.code, m.lines)
        and not silencing.type_ignores_silence(m.code, m.lines)
    )
