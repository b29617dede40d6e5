"""Comments that silence mistakes are added: `# arraytyping: ignore[array-shape]`, at the end of a line of each."""

from __future__ import annotations

import ast
import io
import os
import re
import tokenize
from collections.abc import Iterable, Sequence
from importlib.util import decode_source
from pathlib import Path
from typing import Final

from arraytyping.checker.flow_codes import CODES as FLOW_CODES
from arraytyping.checker.messages.message import Message
from arraytyping.checker.notebooks.cells import cells_of
from arraytyping.regular_files import read_regular
from arraytyping.semantics.rules.errors import CODES

__all__ = ["add_ignores"]

_OWN: Final = re.compile(r"#\s*arraytyping:\s*ignore\b(?:\s*\[([^\]]*)\])?")


def add_ignores(messages: Iterable[Message]) -> tuple[int, list[Message]]:
    """Add a comment for each mistake in arrays; how many are silenced so, and those that cannot be."""
    by_file: dict[str, list[Message]] = {}
    left = []
    for m in messages:
        if m.severity == "note" or not (m.code in CODES or m.code in FLOW_CODES):
            continue
        if cells_of(m.path) is not None:
            left.append(m)
        else:
            by_file.setdefault(os.path.realpath(m.path), []).append(m)
    silenced = 0
    for path, diagnostics in by_file.items():
        missed = _add(Path(path), diagnostics)
        left += missed
        silenced += len(diagnostics) - len(missed)
    return silenced, left


def _add(path: Path, diagnostics: Sequence[Message]) -> list[Message]:
    """Add the comments to a file; the mistakes for which there is no place in it."""
    try:
        content = read_regular(path)
        source = decode_source(content)
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        ends = _ends(source)
    except (OSError, SyntaxError, ValueError, LookupError, tokenize.TokenError):
        return list(diagnostics)
    lines = source.splitlines(keepends=True)
    codes: dict[int, set[str]] = {}
    missed = []
    for m in diagnostics:
        line = next((n for n in reversed(m.lines) if n in ends), None)
        if line is None:
            missed.append(m)
        else:
            codes.setdefault(line, set()).add(str(m.code))
    for line, added in codes.items():
        lines[line - 1] = _commented(lines[line - 1], added)
    changed = "".join(lines)
    if not codes or ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source)):
        return list(diagnostics)
    newline = "\r\n" if b"\r\n" in content else "\n"
    path.write_bytes(changed.replace("\n", newline).encode(encoding))
    return missed


def _ends(source: str) -> set[int]:
    """The lines at whose end a comment may stand: not within a text, nor before a line that is joined to it."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {token.start[0] for token in tokens if token.type in (tokenize.NEWLINE, tokenize.NL)}


def _commented(line: str, codes: set[str]) -> str:
    """A line with a comment of ours at its end; codes that are there already stay."""
    text = line.rstrip("\r\n")
    end = line[len(text) :]
    match = _OWN.search(text)
    if match is None:
        return f"{text.rstrip()}  # arraytyping: ignore[{', '.join(sorted(codes))}]{end}"
    if match[1] is None:
        return line
    known = [code.strip() for code in match[1].split(",") if code.strip()]
    every = ", ".join(dict.fromkeys([*known, *sorted(codes)]))
    return f"{text[: match.start()]}# arraytyping: ignore[{every}]{text[match.end() :]}{end}"
