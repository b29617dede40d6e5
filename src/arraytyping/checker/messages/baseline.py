"""A baseline: the mistakes that are known and not told, in a file that is meant to be committed.

A mistake is known by its file, its code, the text of its lines and its message, not by the numbers of its lines.

```json
{"version": 1, "mistakes": [{
    "path": "train.py", "code": "array-shape", "source": "return x @ w", "message": "matmul: ...", "count": 1
}]}
```
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.messages.message import Message
from arraytyping.regular_files import read_regular_text

__all__ = ["Baseline", "BaselineError", "Entry"]

_VERSION: Final = 1
_LINES: Final = re.compile(r"\bline \d+|(?<=\.py):\d+(?::\d+)?")


class BaselineError(ValueError):
    """A file of a baseline cannot be used; the message is one sentence."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """What a mistake is known by."""

    path: str
    code: str
    source: str
    message: str

    @staticmethod
    def of(message: Message) -> Entry:
        """That of a message; paths are from the current directory, with slashes."""
        path = Path(os.path.relpath(message.path)).as_posix() if message.path else ""
        return Entry(path, message.code or "", message.source, _LINES.sub("line", message.text))

    @staticmethod
    def each_of(message: Message) -> list[Entry]:
        """Those by which it may be known: one for each way in which the program comes there."""
        own = Entry.of(message)
        others = () if message.diagnostic is None else message.diagnostic.others
        return [own, *(replace(own, message=_LINES.sub("line", other.text)) for other in others)]


def _shown(file: Path) -> str:
    """A path from the current directory where it lies under it."""
    relative = os.path.relpath(file)
    return str(file) if relative.startswith(os.pardir) else relative


class Baseline:
    """How often each mistake is known."""

    def __init__(self, counts: Iterable[Entry] | Counter[Entry] = ()) -> None:
        self.counts: Counter[Entry] = Counter(counts)

    @staticmethod
    def of(messages: Iterable[Message]) -> Baseline:
        """That of a run: its errors and warnings."""
        return Baseline(Entry.of(m) for m in messages if m.severity != "note" and m.path)

    @staticmethod
    def read(file: Path) -> Baseline:
        """The one in a file.

        Raises:
            BaselineError: if there is none, or it is another version's or malformed.
        """
        try:
            data = json.loads(read_regular_text(file))
        except OSError as error:
            hint = "; --write-baseline writes one" if isinstance(error, FileNotFoundError) else ""
            raise BaselineError(f"the baseline {_shown(file)} cannot be read: {error.strerror}{hint}") from None
        except ValueError:
            raise BaselineError(
                f"the baseline {_shown(file)} is no JSON: write it anew with --write-baseline"
            ) from None
        version = data.get("version") if isinstance(data, dict) else None
        if version != _VERSION:
            raise BaselineError(
                f"the baseline {_shown(file)} has version {json.dumps(version)}, and this arraytyping reads version "
                f"{_VERSION}: write it anew with --write-baseline"
            )
        try:
            return Baseline(Counter(dict(map(_entry, data["mistakes"]))))
        except (KeyError, TypeError, ValueError):
            raise BaselineError(
                f"the baseline {_shown(file)} is malformed: each of its mistakes has path, code, source, message and "
                "count; write it anew with --write-baseline"
            ) from None

    def write(self, file: Path) -> None:
        """Write it as a whole, sorted.

        Raises:
            BaselineError: if the file cannot be written.
        """
        diagnostics = [
            {"path": e.path, "code": e.code, "source": e.source, "message": e.message, "count": count}
            for e, count in sorted(self.counts.items())
        ]
        text = json.dumps({"version": _VERSION, "mistakes": diagnostics}, indent=2, ensure_ascii=False)
        try:
            descriptor, partial = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
                    opened.write(f"{text}\n")
                Path(partial).chmod(0o644)
                Path(partial).replace(file)
            except BaseException:
                with contextlib.suppress(OSError):
                    Path(partial).unlink()
                raise
        except OSError as error:
            raise BaselineError(f"the baseline {_shown(file)} cannot be written: {error.strerror}") from None

    def new(self, messages: Sequence[Message]) -> list[Message]:
        """The messages that are not known: of several alike the last ones."""
        return self._held_against(messages)[0]

    def gone(self, messages: Sequence[Message]) -> int:
        """How many known mistakes a run no longer has."""
        return self._held_against(messages)[1].total()

    def _held_against(self, messages: Sequence[Message]) -> tuple[list[Message], Counter[Entry]]:
        """The messages that are not known, and the known mistakes that are not among them."""
        left = Counter(self.counts)
        kept = []
        for m in messages:
            known = [entry for entry in Entry.each_of(m) if left[entry] > 0]
            left.subtract(known)
            if not known:
                kept.append(m)
        return kept, +left


def _entry(data: dict[str, Any]) -> tuple[Entry, int]:
    texts = [data[key] for key in ("path", "code", "source", "message")]
    count = data["count"]
    if not all(isinstance(text, str) for text in texts) or isinstance(count, bool) or not isinstance(count, int):
        raise ValueError
    return Entry(*texts), count
