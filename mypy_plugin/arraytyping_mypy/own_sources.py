"""What the plugin's answers hang on of our own sources: a digest, made at each start of mypy.

To read a thousand files takes several times as long as to look at them.  So the digest is kept in mypy's cache, with
what the files looked like when it was made: their sizes, and when each was written and last changed.
"""

from __future__ import annotations

import hashlib
import os
import struct
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import arraytyping

__all__ = ["FRESH", "are_kept", "keep", "look_of_sources", "own_sources", "settled_at"]

_KEPT: Final = "arraytyping-sources"
_NEVER: Final = frozenset({"__pycache__"})
_LEFT_OUT: Final = _NEVER | {
    "adapters", "audit", "cli", "confinement", "jupyter", "libraries", "lsp", "porting", "python", "stand_ins",
    "stubgen", "syntax",
}  # fmt: skip
"""Folders of the checker that what the types say does not hang on: `.importlinter` says so.  What flow finds does, and
the report says itself what it hangs on."""
FRESH: Final = 2_000_000_000
"""Nanoseconds: what was written so short a time ago may be written again without looking any different."""
TICK: Final = 50_000_000
"""The same where times are kept to less than a millisecond: by a clock that ticks a hundred times a second or more."""


@cache
def own_sources(cache_dir: str) -> str:
    """A digest of the sources that answers come from; mypy itself looks at the plugin's entry file alone."""
    look = look_of_sources()
    kept = Path(cache_dir, _KEPT)
    try:
        before, _, digest = kept.read_text("ascii").partition(" ")
    except (OSError, ValueError):
        before = digest = ""
    if before != look or not digest:
        digest, settled = _digest()
        if settled < time.time_ns():
            keep(kept, f"{look} {digest}")
    return digest


def are_kept(cache_dir: str) -> bool:
    """Whether the digest of the sources is kept, as they look now: no file of them was written just now."""
    try:
        before = Path(cache_dir, _KEPT).read_text("ascii").partition(" ")[0]
    except (OSError, ValueError):
        return False
    return before == look_of_sources()


@cache
def look_of_sources() -> str:
    """What the sources look like: another digest where one of them was written, or they lie elsewhere."""
    names: list[str] = []
    numbers: list[int] = []
    for folder, files in _folders():
        names.append(folder)
        for file in files:
            names.append(file.name)
            s = file.stat()
            numbers.extend((s.st_size, s.st_mtime_ns, s.st_ctime_ns))
    look = hashlib.sha256("\n".join(names).encode(errors="replace"))
    look.update(struct.pack(f"{len(numbers)}q", *numbers))  # texts of them take as much time as the rest
    return look.hexdigest()


def _folders() -> Iterator[tuple[str, list[os.DirEntry[str]]]]:
    """The folders with sources, and what is in each."""
    package = arraytyping.__path__[0]
    # The plugin imports nothing of the runtime and of the public faces: `.importlinter` says so.
    checker = f"{package}{os.sep}checker"
    waiting = [f"{package}{os.sep}semantics", checker, str(Path(__file__).parent)]
    with os.scandir(package) as found:
        yield package, [entry for entry in found if entry.name.endswith(".py")]
    while waiting:
        folder = waiting.pop()
        with os.scandir(folder) as found:
            entries = list(found)
        left_out = _LEFT_OUT if folder.startswith(checker) else _NEVER
        waiting += [e.path for e in entries if "." not in (n := e.name) and n not in left_out and e.is_dir()]
        yield folder, [entry for entry in entries if entry.name.endswith(".py")]


def _digest() -> tuple[str, int]:
    """The digest, and since when no file of them can be written again without looking different."""
    digest = hashlib.sha256()
    settled = 0
    for path in sorted(file.path for _, files in _folders() for file in files):
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123
            found = os.fstat(file.fileno())
            content = file.read()
        settled = max(settled, settled_at(found))
        digest.update(f"{os.path.basename(path)} {len(content)}\n".encode())  # noqa: PTH119
        digest.update(content)
    return digest.hexdigest(), settled


def settled_at(found: os.stat_result) -> int:
    """From when on a file cannot be written again without looking different, in nanoseconds."""
    written = max(found.st_mtime_ns, found.st_ctime_ns)
    return written + (TICK if written % 1_000_000 else FRESH)


def keep(file: Path, text: str) -> None:
    """Keep it where there is a cache; others may do so at the same time."""
    if not file.parent.is_dir():
        return
    partial = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        partial.write_text(text, "utf-8")
        partial.replace(file)
    except OSError:  # a cache that is only read
        return
