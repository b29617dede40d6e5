"""A run of mypy without this plugin, in a process of its own: `python -m arraytyping_mypy.plain_build REQUEST ANSWER`.

As `build.py`, it uses what is private in mypy and has to do with a whole build.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mypy.build
from mypy.defaults import RECURSION_LIMIT
from mypy.fscache import FileSystemCache
from mypy.modulefinder import BuildSource
from mypy.options import Options
from mypy.util import hard_exit

from arraytyping_mypy import codes
from arraytyping_mypy.plain_libraries import lend

__all__ = ["errors_of", "main"]

assert codes.ERROR_CODES, "a configuration may name our codes, which mypy has to know"


def errors_of(
    sources: list[tuple[str, str]], snapshot: dict[str, Any], lender: str | None = None
) -> list[tuple[str, int, str, str]]:
    """File, line, code and text of each error in these modules (names and paths) under these options.

    With no cache yet, the libraries come out of the plugin's, that of `lender`.

    Raises:
        CompileError: if mypy cannot check them.
    """
    options = Options().apply_changes(snapshot)
    options.process_error_codes(error_callback=lambda _: None)
    lines: list[str] = []
    out = io.StringIO()
    built = [BuildSource(path, module, base_dir=str(_base(module, Path(path)))) for module, path in sources]
    with _alone(options.cache_dir):
        if lender is not None:
            lend(lender, options)
        mypy.build.build(built, options, None, lambda _, new, __: lines.extend(new), FileSystemCache(), out, out)
    found = [json.loads(line) for line in lines if line.startswith("{")]
    return [
        (os.path.realpath(e["file"]), e["line"], e["code"], e["message"]) for e in found if e["severity"] == "error"
    ]


def _base(module: str, path: Path) -> Path:
    """The directory that the module's name is relative to."""
    depth = module.count(".") + (1 if path.stem == "__init__" else 0)
    parents = path.resolve().parents
    return parents[min(depth, len(parents) - 1)]


@contextmanager
def _alone(cache_dir: str) -> Iterator[None]:
    """Wait for other runs with this cache, as those that mypy's workers ask for."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    if cache_dir == os.devnull:
        yield
        return
    Path(cache_dir).mkdir(parents=True, exist_ok=True)
    with Path(cache_dir, "arraytyping.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def main(request: str, answer: str) -> None:
    """Answer a request that `plain.py` wrote."""
    sys.setrecursionlimit(RECURSION_LIMIT)
    found = errors_of(*pickle.loads(Path(request).read_bytes()))
    partial = Path(answer + ".partial")
    partial.write_text(json.dumps(found))
    partial.replace(answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
    hard_exit(0)  # as mypy itself ends: to take its trees apart takes as long as to check them
