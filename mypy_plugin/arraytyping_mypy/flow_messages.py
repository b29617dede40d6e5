"""Flow's mistakes as messages where mypy checks nothing: in its form, and silenced by what silences its own.

That is `# type: ignore` on a line or at the top of a module, `disable_error_code` and `ignore_errors` in mypy's
configuration, and comments such as `# mypy: disable-error-code="array-shape"`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mypy.config_parser import parse_mypy_comments
from mypy.options import Options
from mypy.util import get_mypy_comments

from arraytyping.flow.mistakes import Mistake
from arraytyping.flow.reporting import Unreadable
from arraytyping.flow.source_files import SourceError, read_source

__all__ = ["is_warning", "messages_by_file", "refusal"]

_WARNING: Final = re.compile(r".+?:\d+:(?:\d+:)* warning: ")


def messages_by_file(
    mistakes: Sequence[Mistake], modules: Mapping[str, str], options: Options
) -> Iterator[tuple[str, list[str]]]:
    """The lines to be shown for each file; `modules` are the names of modules by path."""
    by_file: dict[str, list[Mistake]] = {}
    for mistake in mistakes:
        by_file.setdefault(mistake.path, []).append(mistake)
    for path in sorted(by_file):
        try:
            source, _ = read_source(Path(path))
        except SourceError:
            source = ""
        module = modules.get(str(Path(path).resolve()), Path(path).stem)
        kept = _not_silenced(by_file[path], source, options.clone_for_module(module))
        found = sorted(kept, key=lambda m: (m.line, m.column))
        lines = [line for m in found for line in _lines(m, source.splitlines(), options)]
        if lines:
            yield path, lines


def is_warning(message: str) -> bool:
    """Whether a message is one of a warning, which does not count in the exit code."""
    if message.startswith("{"):
        return bool(json.loads(message).get("severity") == "warning")
    return _WARNING.match(message) is not None


def _not_silenced(mistakes: Sequence[Mistake], source: str, options: Options) -> list[Mistake]:
    disabled = set(options.disable_error_code) - set(options.enable_error_code)
    if comments := get_mypy_comments(source):
        changes, _ = parse_mypy_comments(comments, options)
        options = options.apply_changes(changes)
        disabled = (disabled | set(options.disable_error_code)) - set(options.enable_error_code)
    ignored = _ignored(source)
    if options.ignore_errors or (0 in ignored and not ignored[0]):
        return []
    return [
        m
        for m in mistakes
        if m.code not in disabled
        and not any(
            line in ignored and (not ignored[line] or m.code in ignored[line])
            for line in {m.line, m.end_line}
        )
    ]  # fmt: skip


def _ignored(source: str) -> dict[int, frozenset[str]]:
    """The lines with `# type: ignore`, and the codes that each names; line 0 stands for the whole module."""
    if "ignore" not in source:
        return {}
    try:
        tree = ast.parse(source, type_comments=True)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found = {i.lineno: frozenset(re.findall(r"[\w-]+", i.tag.partition("]")[0])) for i in tree.type_ignores}
    first = tree.body[0].lineno if tree.body else 0
    if found and min(found) < first:
        found[0] = found[min(found)]
    return found


def _lines(mistake: Mistake, source: Sequence[str], options: Options) -> Iterator[str]:
    if options.output == "json":
        yield json.dumps(_as_json(mistake))
        return
    place = f"{mistake.path}:{mistake.line}"
    if options.show_column_numbers:
        place = f"{place}:{mistake.column + 1}"
        if options.show_error_end:
            place = f"{place}:{mistake.end_line}:{mistake.end_column}"
    code = "" if options.hide_error_codes else f"  [{mistake.code}]"
    yield f"{place}: {mistake.severity}: {mistake.text}{code}"
    if options.pretty and mistake.line <= len(source):
        yield from _snippet(mistake, source[mistake.line - 1])
    if mistake.note is not None:
        yield f"{place}: note: {mistake.note}"


def _snippet(mistake: Mistake, text: str) -> Iterator[str]:
    """The line of the source, and under it a mark; columns count bytes."""
    data = text.encode()
    end = mistake.end_column if mistake.end_line == mistake.line else len(data)
    before = data[: mistake.column].decode(errors="replace").expandtabs()
    width = len(data[:end].decode(errors="replace").expandtabs()) - len(before)
    yield f"    {text.expandtabs()}"
    yield f"    {' ' * len(before)}^{'~' * (width - 1)}"


def refusal(error: Unreadable, options: Options) -> list[str]:
    """What is said of a file that cannot be checked."""
    code = "syntax" if error.message.startswith("syntax error") else None
    if options.output == "json":
        data = {"file": error.path, "line": error.line, "column": 0, "end_line": error.line, "end_column": 0}
        return [json.dumps({**data, "message": error.message, "hint": None, "code": code, "severity": "error"})]
    shown = f"  [{code}]" if code is not None and not options.hide_error_codes else ""
    return [f"{error.path}:{error.line}: error: {error.message}{shown}"]


def _as_json(mistake: Mistake) -> dict[str, Any]:
    return {
        "file": mistake.path,
        "line": mistake.line,
        "column": mistake.column,
        "end_line": mistake.end_line,
        "end_column": mistake.end_column,
        "message": mistake.text,
        "hint": mistake.note,
        "code": mistake.code,
        "severity": mistake.severity,
    }
