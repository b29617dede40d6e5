"""SARIF 2.1.0, the format of results of static analysis that GitHub's code scanning and editors read.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import arraytyping
from arraytyping.checker.flow_codes import CODES as FLOW_CODES
from arraytyping.checker.messages.ci_formats import fingerprints
from arraytyping.checker.messages.error_pages import page_of
from arraytyping.checker.messages.message import Message, Totals, source_lines
from arraytyping.checker.notebooks.cells import cells_of
from arraytyping.semantics.rules.errors import CODES

__all__ = ["as_sarif"]

_DESCRIBED: Final[dict[str, str]] = {**{str(code): text for code, text in CODES.items()}, **FLOW_CODES}

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def as_sarif(messages: Sequence[Message], totals: Totals) -> Iterator[str]:
    """One run of the tool, with a result for each message."""
    codes = sorted({m.code or "arraytyping" for m in messages})
    driver = {
        "name": "arraytyping",
        "version": arraytyping.__version__,
        "rules": [_rule(code) for code in codes],
    }
    results = [
        _result(m, codes.index(m.code or "arraytyping"), fingerprint)
        for m, fingerprint in zip(messages, fingerprints(messages))
    ]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not (totals.is_blocked or totals.is_partial)}],
        "results": results,
    }
    yield json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(code: str) -> dict[str, Any]:
    described = _DESCRIBED.get(code)
    text = described if described is not None else f"mypy's error {code}" if code != "arraytyping" else "an error"
    rule: dict[str, Any] = {"id": code, "shortDescription": {"text": text}}
    if described is not None:
        said = f"`arraytyping explain {code}` says more"
        rule["help"] = {"text": said.replace("`", ""), "markdown": f"{page_of(code)}\n{said}.\n"}
    return rule


def _result(message: Message, rule: int, fingerprint: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": message.code or "arraytyping",
        "ruleIndex": rule,
        "level": message.severity,
        "message": {"text": _text(message) + (f"\n{message.hint}" if message.hint else "")},
        "partialFingerprints": {"arraytyping/v1": fingerprint},
    }
    if message.path and cells_of(message.path) is not None:
        result["locations"] = [_location(message.path, {"startLine": 1})]
    elif message.path:
        result["locations"] = [_location(message.path, _region(message))]
    if message.diagnostic is not None and message.diagnostic.operands and cells_of(message.path) is None:
        result["relatedLocations"] = [
            {**_location(o.path or message.path, {"startLine": o.line}), "message": {"text": f"{o.text} is {o.type}"}}
            for o in message.diagnostic.operands
            if o.line
        ]
    return result


def _text(message: Message) -> str:
    return message.text if cells_of(message.path) is None else f"{message.place}: {message.text}"


def _location(path: str, region: dict[str, int]) -> dict[str, Any]:
    shown = os.path.relpath(path) if Path(path).is_absolute() else path
    uri = quote(Path(shown).as_posix())
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def _region(message: Message) -> dict[str, int]:
    """The lines, and the columns in characters, both from 1; the end is the first column behind."""
    region = {
        "startLine": message.line,
        "startColumn": _characters(message.path, message.line, message.column) + 1,
        "endLine": max(message.line, message.end_line),
    }
    if (message.end_line, message.end_column) > (message.line, message.column):
        region["endColumn"] = _characters(message.path, message.end_line, message.end_column) + 1
    return region


def _characters(path: str, line: int, column: int) -> int:
    """How many characters the bytes before a column are."""
    lines = source_lines(path)
    if not 0 < line <= len(lines):
        return column
    return len(lines[line - 1].encode()[:column].decode(errors="replace"))
