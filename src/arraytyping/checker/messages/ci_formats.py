"""The formats of services that run checks: GitHub's commands, GitLab's code quality report, and JUnit's XML."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from arraytyping.checker.messages.baseline import Entry
from arraytyping.checker.messages.message import Message, Totals
from arraytyping.checker.notebooks.cells import cells_of

__all__ = ["as_github", "as_gitlab", "as_junit", "fingerprints"]

_GITHUB: Final = {"error": "error", "warning": "warning", "note": "notice"}
_GITLAB: Final = {"error": "major", "warning": "minor", "note": "info"}


def as_github(messages: Sequence[Message], totals: Totals) -> Iterator[str]:
    """Workflow commands, of which GitHub Actions makes annotations.

    Source: https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions.
    """
    for m in messages:
        title = f"arraytyping ({m.code})" if m.code else "arraytyping"
        place = {"file": _relative(m.path), "line": str(m.line), "endLine": str(m.end_line)} if m.path else {}
        if cells_of(m.path) is not None:  # the lines of its file are those of JSON
            place = {"file": _relative(m.path)}
        elif place and m.line == m.end_line:
            place |= {"col": str(m.column + 1), "endColumn": str(max(m.end_column, m.column + 1))}
        properties = ",".join(f"{key}={_property(value)}" for key, value in {"title": title, **place}.items())
        text = f"{m.place}: {m.text}" + (f"\n{m.hint}" if m.hint else "")
        yield f"::{_GITHUB[m.severity]} {properties}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def as_gitlab(messages: Sequence[Message], totals: Totals) -> Iterator[str]:
    """A report of code quality, an array of JSON.

    Source: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
    """
    reported = [
        {
            "check_name": m.code or "arraytyping",
            "description": (f"{m.place}: " if cells_of(m.path) is not None else "")
            + m.text
            + (f" ({m.hint})" if m.hint else ""),
            "fingerprint": fingerprint,
            "severity": _GITLAB[m.severity],
            "location": {"path": _relative(m.path or "."), "lines": _lines(m)},
        }
        for m, fingerprint in zip(messages, fingerprints(messages))
    ]
    yield json.dumps(reported, indent=2)


def _lines(message: Message) -> dict[str, int]:
    if cells_of(message.path) is not None:
        return {"begin": 1, "end": 1}
    return {"begin": message.line, "end": message.end_line}


def as_junit(messages: Sequence[Message], totals: Totals) -> Iterator[str]:
    """JUnit's XML: a test case for each error or warning, or one that has passed.

    Source: the elements that Jenkins and GitLab read, https://github.com/testmoapp/junitxml.
    """
    failures = [m for m in messages if m.severity != "note"]
    suites = ElementTree.Element("testsuites", name="arraytyping")
    count = str(max(1, len(failures)))
    suite = ElementTree.SubElement(
        suites, "testsuite", name="arraytyping", tests=count, failures=str(len(failures)), errors="0"
    )
    for m in failures:
        case = ElementTree.SubElement(suite, "testcase", name=f"{m.code or 'error'} at {m.place}", file=m.path)
        case.set("classname", str(Path(m.path).with_suffix("")).replace(os.sep, ".") if m.path else "arraytyping")
        case.set("line", str(m.line))
        failure = ElementTree.SubElement(case, "failure", message=_printable(m.text), type=m.code or m.severity)
        failure.text = _printable(f"{m.place}: {m.text}" + (f"\n{m.hint}" if m.hint else ""))
    if not failures:
        ElementTree.SubElement(suite, "testcase", name="check", classname="arraytyping")
    ElementTree.indent(suites)
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield ElementTree.tostring(suites, encoding="unicode")


def _printable(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return "".join(
        c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "\ufffd"
        for c in text
    )


def fingerprints(messages: Sequence[Message]) -> Iterator[str]:
    """For each message a text that stays as it is where lines are moved, and is no other message's."""
    seen: Counter[Entry] = Counter()
    for m in messages:
        entry = Entry.of(m)
        seen[entry] += 1
        parts = [entry.path, entry.code, entry.source, entry.message, str(seen[entry])]
        yield hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


def _relative(path: str) -> str:
    """A path as these services know files: from the current directory, with slashes."""
    return Path(os.path.relpath(path)).as_posix() if Path(path).is_absolute() else Path(path).as_posix()
