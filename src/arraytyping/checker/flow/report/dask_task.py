"""What a worker of dask does: it lets a process that stays with it follow one entry point after another."""

from __future__ import annotations

import atexit
import hashlib
import pickle
import threading
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.report.following import Common, FollowingProcess
from arraytyping.checker.flow.report.versions import versions
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.regular_files import read_regular

__all__ = ["digest_of", "follow", "kept"]

_mine: Final = threading.local()
"""Of each thread of a worker, which follows one entry point at a time."""
_all: Final[set[FollowingProcess]] = set()


def kept(packed: bytes) -> bytes:
    """What all tasks of a run share; made by a task, so that a worker that dies does not lose it."""
    return packed


def follow(packed: bytes, common: bytes) -> dict[str, Any]:
    """The report of an entry point as JSON; or why it is `refused`."""
    entry, reached, wanted = pickle.loads(packed)
    if wanted != versions():
        return {"refused": "this worker has other versions than the one who asks"}
    shared: Common = pickle.loads(common)
    if not Path(shared.folder).is_dir():
        return {"refused": f"this worker has no directory {shared.folder}: workers need the project at the same path"}
    answer = _follow(entry, reached, common, shared)
    answer["read"] = {file: digest_of(file, shared.contents) for file in answer["report"]["files"]}
    return answer


def digest_of(file: str, contents: dict[str, bytes]) -> str | None:
    """What identifies the content of a file; None if there is none."""
    try:
        data = contents[file] if file in contents else read_regular(Path(file))
        return hashlib.sha256(data).hexdigest()
    except OSError:
        return None


def _follow(entry: EntryPoint, reached: frozenset[tuple[str, int]], common: bytes, shared: Common) -> dict[str, Any]:
    digest = hashlib.sha256(common).digest()
    known: tuple[bytes, FollowingProcess] | None = getattr(_mine, "process", None)
    if known is None or known[0] != digest:
        if known is not None:
            _end(known[1])
        process = FollowingProcess(shared)
        _all.add(process)
        _mine.process = known = (digest, process)
    try:
        return known[1].follow(entry, reached)
    except BaseException:
        _end(known[1])
        _mine.process = None
        raise


def _end(process: FollowingProcess) -> None:
    _all.discard(process)
    process.end()


@atexit.register
def _end_all() -> None:
    for process in list(_all):
        _end(process)
