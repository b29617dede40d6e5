"""Mistakes that the types report where flow has seen the same expression come to a known array: flow is believed.

The types say that a line raises whenever it runs; flow has followed the program through it and knows what came out.
Where flow has not been, or does not know what came, the types stand.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from arraytyping.checker.claims import Position, ProgramClaims, position_of
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.regular_files import read_regular

__all__ = ["without_vetoed"]

_CODES: Final = frozenset({"array-dtype", "array-shape", "array-dim"})
"""What the types report because a line would raise."""
_LINE: Final = re.compile(r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+):(?:\d+:\d+:)? error: .*  \[(?P<code>[\w-]+)\]")
_NODES: Final = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript)


def without_vetoed(messages: Iterable[str], claims: ProgramClaims, diagnostics: Sequence[Diagnostic]) -> list[str]:
    """The messages without those that flow's claims contradict; flow's own mistakes, certain or possible, stay."""
    known = {str(Path(path).resolve()): file for path, file in claims.files.items()}
    seen = {
        path: {e.position for e in file.expressions if any(_is_known(c) for c in e.claims)}
        for path, file in known.items()
    }
    return list(_kept(messages, seen, diagnostics)) if seen else list(messages)


def _is_known(claim: object) -> bool:
    return getattr(claim, "dtype", None) is not None and getattr(claim, "shape", None) is not None


def _kept(messages: Iterable[str], seen: dict[str, set[Position]], diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    drops = False
    for message in messages:
        place = _place(message)
        if place is not None:
            drops = place[3] in _CODES and _is_vetoed(*place[:3], seen, diagnostics)
        elif ": note: " not in message:
            drops = False
        if not drops:
            yield message


def _place(message: str) -> tuple[str, int, int, str] | None:
    """File, line, column from 0, and code of an error."""
    if message.startswith("{"):
        data = json.loads(message)
        return (data["file"], data["line"], data["column"], data["code"]) if data.get("severity") == "error" else None
    match = _LINE.fullmatch(message)
    return match and (match["file"], int(match["line"]), int(match["column"]) - 1, match["code"])


def _is_vetoed(
    file: str, line: int, column: int, seen: dict[str, set[Position]], diagnostics: Sequence[Diagnostic]
) -> bool:
    path = str(Path(file).resolve())
    if path not in seen:
        return False
    if any(m.line <= line <= m.end_line and str(Path(m.path).resolve()) == path for m in diagnostics):
        return False
    # Several expressions may begin here; a message does not say which one is meant.
    meant = [p for p in _expressions(path) if p[:2] == (line, column)]
    return bool(meant) and all(p in seen[path] for p in meant)


@lru_cache(maxsize=8)
def _expressions(path: str) -> tuple[Position, ...]:
    """Where the expressions of a file that may raise begin and end."""
    try:
        tree = ast.parse(read_regular(Path(path)))
    except (OSError, SyntaxError, ValueError):
        return ()
    return tuple(position_of(n) for n in ast.walk(tree) if isinstance(n, _NODES))
