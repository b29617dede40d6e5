"""Of mypy's messages those about arrays, and about what cannot be checked at all; mypy's own errors are left out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from arraytyping_mypy.codes import ERROR_CODES

__all__ = ["about_arrays"]

_KEPT: Final = frozenset({*ERROR_CODES, "syntax", "unused-ignore", None})
"""What stands without a code, or is no syntax, keeps a file from being checked."""
_LINE: Final = re.compile(
    r"(?:.+?):\d+:(?:\d+:)*(?:\d+:\d+:)? (?P<kind>error|note|warning): (?P<text>.*?)(?:  \[(?P<code>[\w-]+)\])?"
)
_CODE: Final = re.compile(r"  \[[\w-]+\]$")


def about_arrays(messages: Iterable[str], *, hides_codes: bool = False) -> list[str]:
    """The messages that are kept, without their codes if wanted; notes and source lines go with their error."""
    kept = list(_kept(messages))
    return [m if m.startswith("{") else _CODE.sub("", m) for m in kept] if hides_codes else kept


def _kept(messages: Iterable[str]) -> Iterator[str]:
    keeps = True
    for message in messages:
        if message.startswith("{"):
            data = json.loads(message)
            if data.get("severity") != "error" or data.get("code") in _KEPT:
                yield message
            continue
        match = _LINE.fullmatch(message)
        if match is not None and match["kind"] == "error":
            keeps = match["code"] in _KEPT
        elif match is not None and (match["kind"] == "warning" or match["text"].startswith("Revealed ")):
            keeps = True
        if keeps:
            yield message
