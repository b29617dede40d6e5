"""Flow's mistakes as messages where mypy checks nothing: in its form, and silenced by what silences its own.

That is `# type: ignore` on a line or at the top of a module, `disable_error_code` and `ignore_errors` in mypy's
configuration, and comments such as `# mypy: disable-error-code="array-shape"`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mypy.config_parser import parse_mypy_comments
from mypy.options import Options
from mypy.util import get_mypy_comments

from arraytyping.checker.flow.report.reporting import Unreadable
from arraytyping.checker.flow.sources.project import module_name
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping_mypy.silencing import silencing_of

__all__ = ["comments_by_file", "is_warning", "messages_by_file", "refusal", "shown_path"]

_WARNING: Final = re.compile(r".+?:\d+:(?:\d+:)* warning: ")


def messages_by_file(
    diagnostics: Sequence[Diagnostic], modules: Mapping[str, str], options: Options
) -> Iterator[tuple[str, list[str]]]:
    """The lines to be shown for each file; `modules` are the names of modules by path."""
    by_file: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        by_file.setdefault(diagnostic.path, []).append(diagnostic)
    for path in sorted(by_file):
        own = _options_of(path, modules, options)
        kept = [] if own is None else _not_silenced(by_file[path], path, own)
        source = silencing_of(path).source.splitlines()
        lines = [line for m in sorted(kept, key=lambda m: (m.line, m.column)) for line in _lines(m, source, options)]
        if lines:
            yield path, lines


def comments_by_file(
    modules: Mapping[str, str], options: Options, *, alone: bool, unused: bool
) -> Iterator[tuple[str, list[str]]]:
    """What is to be said of the comments that silence errors, once these have been shown.

    `alone` is whether mypy checks nothing, which else speaks of its own comments and of codes that there are not;
    `unused` whether those of ours are told that silence nothing.
    """
    for real in sorted(modules):
        path = shown_path(real)
        silencing = silencing_of(path)
        own = _options_of(path, modules, options)
        if own is None or silencing.is_ignored:
            continue
        said = [(c.line, "note", text) for c in silencing.own.values() for text in c.complaints() if alone]
        if alone and own.warn_unused_ignores:
            said += [(line, "error", text) for line, text in silencing.unused_type_ignores()]
        if unused:
            said += [(c.line, "error", f'Unused "{c.unused}" comment') for c in silencing.own.values() if c.unused]
        if said:
            yield path, [_line(path, *what, options) for what in sorted(said)]


def shown_path(path: str) -> str:
    """A path as mypy shows it."""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


def _options_of(path: str, modules: Mapping[str, str], options: Options) -> Options | None:
    """What mypy is told for a module, in its configuration and in the file; None if nothing is shown of it."""
    known = modules.get(str(Path(path).resolve()))
    own = options.clone_for_module(module_name(Path(path).resolve())[0] if known is None else known)
    if known is None and own.follow_imports in ("silent", "skip"):
        return None
    if comments := get_mypy_comments(silencing_of(path).source):
        disabled = set(own.disable_error_code)
        changes, _ = parse_mypy_comments(comments, own)
        own = own.apply_changes(changes)
        own.disable_error_code = [*own.disable_error_code, *disabled]
    return None if own.ignore_errors else own


def is_warning(message: str) -> bool:
    """Whether a message is one of a warning, which does not count in the exit code."""
    if message.startswith("{"):
        return bool(json.loads(message).get("severity") == "warning")
    return _WARNING.match(message) is not None


def _not_silenced(diagnostics: Sequence[Diagnostic], path: str, options: Options) -> list[Diagnostic]:
    disabled = set(options.disable_error_code) - set(options.enable_error_code)
    silencing = silencing_of(path)
    if silencing.is_ignored:
        return []
    return [
        m
        for m in diagnostics
        if m.code not in disabled
        and not silencing.silences(m.code, m.lines)
        and not silencing.type_ignores_silence(m.code, m.lines)
    ]


def _line(path: str, line: int, severity: str, message: str, options: Options) -> str:
    """A line about a comment."""
    code = "unused-ignore" if severity == "error" else None
    if options.output == "json":
        place = {"file": path, "line": line, "column": 0, "end_line": line, "end_column": 0}
        return json.dumps({**place, "message": message, "hint": None, "code": code, "severity": severity})
    shown = f"  [{code}]" if code is not None and not options.hide_error_codes else ""
    return f"{path}:{line}: {severity}: {message}{shown}"


def _lines(diagnostic: Diagnostic, source: Sequence[str], options: Options) -> Iterator[str]:
    if options.output == "json":
        yield json.dumps(_as_json(diagnostic))
        return
    place = f"{diagnostic.path}:{diagnostic.line}"
    if options.show_column_numbers:
        place = f"{place}:{diagnostic.column + 1}"
        if options.show_error_end:
            place = f"{place}:{diagnostic.end_line}:{diagnostic.end_column}"
    code = "" if options.hide_error_codes else f"  [{diagnostic.code}]"
    yield f"{place}: {diagnostic.severity}: {diagnostic.text}{code}"
    if options.pretty and diagnostic.line <= len(source):
        yield from _snippet(diagnostic, source[diagnostic.line - 1])
    yield from (f"{place}: note: {note}" for note in diagnostic.notes)


def _snippet(diagnostic: Diagnostic, text: str) -> Iterator[str]:
    """The line of the source, and under it a mark; columns count bytes."""
    data = text.encode()
    end = diagnostic.end_column if diagnostic.end_line == diagnostic.line else len(data)
    before = data[: diagnostic.column].decode(errors="replace").expandtabs()
    width = len(data[:end].decode(errors="replace").expandtabs()) - len(before)
    yield f"    {text.expandtabs()}"
    yield f"    {' ' * len(before)}^{'~' * (width - 1)}"


def refusal(error: Unreadable, options: Options) -> list[str]:
    """What is said of a file that cannot be checked."""
    path = os.path.normpath(error.path)
    code = "syntax" if error.message.startswith("syntax error") else None
    if options.output == "json":
        data = {"file": path, "line": error.line, "column": 0, "end_line": error.line, "end_column": 0}
        return [json.dumps({**data, "message": error.message, "hint": None, "code": code, "severity": "error"})]
    shown = f"  [{code}]" if code is not None and not options.hide_error_codes else ""
    return [f"{path}:{error.line}: error: {error.message}{shown}"]


def _as_json(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "file": diagnostic.path,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "end_line": diagnostic.end_line,
        "end_column": diagnostic.end_column,
        "message": diagnostic.text,
        "hint": "\n".join(diagnostic.notes) or None,
        "code": diagnostic.code,
        "severity": diagnostic.severity,
    }
