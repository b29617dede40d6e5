"""Runs of programs that were made before, kept by a digest of the programs: they need not be made again.

A program of a hundred lines takes seconds to run, nearly all of which XLA spends on compiling what is run once.  So
what a run has shown is kept in `data/runs.txt`, a line for each: the digest of the question, and the result.  The
question is the text of the program's own files, its arguments, the variables of the environment, the code that runs
and records, and the releases of Python and of what it may import.  If any of it changes, the program is run.

`pytest --oracle live` runs everything; `pytest --oracle record` does so too, and adds what is new to the file:

    rm tests/data/runs.txt; pytest --oracle record; sort -u -o tests/data/runs.txt tests/data/runs.txt
"""

from __future__ import annotations

import base64
import dataclasses
import functools
import hashlib
import inspect
import os
import pickle
import platform
import zlib
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypeVar

import program_runs
from agreements import RELEASES, code_of, mode
from oracle_counts import counted
from program_runs import Program, Result

from arraytyping.checker import audit

__all__ = ["FILE", "run_or_recall"]

FILE: Final = Path(__file__).parent / "data" / "runs.txt"
_LIBRARIES: Final = ("flax", "optax", "equinox", "jaxtyping", "chex", "scipy")

P = TypeVar("P", bound=Path | Program)


def run_or_recall(
    programs: Iterable[P], environ: Mapping[str, str] | None = None, preload: Iterable[str] | None = None
) -> dict[P, Result]:
    """What was kept of the runs of programs, or what `run_programs` shows now.

    What a program imports of its own has to lie beside its main file or below, and is the whole of what it reads.
    """
    wanted = {p: p if isinstance(p, Program) else Program(p) for p in programs}
    found = {p: kept for p, program in wanted.items() if (kept := _recalled(program, environ or {})) is not None}
    missing = [p for p in wanted if p not in found]
    options: dict[str, Any] = {} if preload is None else {"preload": preload}
    made = program_runs.run_programs(missing, environ=environ, **options) if missing else {}
    if mode() == "record":
        for p, result in made.items():
            _keep(wanted[p], environ or {}, result)
    return {p: found[p] if p in found else made[p] for p in wanted}


def _recalled(program: Program, environ: Mapping[str, str]) -> Result | None:
    """What was kept of a run whose files are all as they were."""
    for line in _kept().get(_asked(program, environ), ()) if mode() == "recorded" else ():
        texts, result = pickle.loads(zlib.decompress(base64.b64decode(line)))
        if texts == _texts(program, texts):
            counted("runs of programs", True)
            return _moved(result, program.path.parent.resolve(), inward=False)
    counted("runs of programs", False)
    return None


def _keep(program: Program, environ: Mapping[str, str], result: Result) -> None:
    moved = _moved(result, program.path.parent.resolve(), inward=True)
    texts = _texts(program, map(str, moved.observations.positions))
    line = base64.b64encode(zlib.compress(pickle.dumps((texts, moved), protocol=4), 9))
    with FILE.open("ab", buffering=0) as file:  # lines are written whole, by several workers too
        file.write(_asked(program, environ).encode() + b" " + line + b"\n")


@functools.cache
def _kept() -> dict[str, list[str]]:
    kept: dict[str, list[str]] = {}
    for line in FILE.read_text(encoding="ascii").splitlines() if FILE.exists() else ():
        digest, _, result = line.partition(" ")
        kept.setdefault(digest, []).append(result)
    return kept


def _asked(program: Program, environ: Mapping[str, str]) -> str:
    """The digest of what is run, the program's other modules apart."""
    main = program.path / "__main__.py" if program.path.is_dir() else program.path
    text = main.read_text(encoding="utf-8") if program.source is None else program.source
    others = [(os.path.relpath(path, program.path.parent), source) for path, source in program.sources]
    question = (program.path.name, text, program.args, others, sorted(environ.items()), _harness())
    return hashlib.sha256(repr(question).encode()).hexdigest()[:32]


@functools.cache
def _harness() -> tuple[str, ...]:
    """The code that runs and records, and the releases of what a program may use."""
    files = [Path(inspect.getfile(program_runs)), *sorted(Path(inspect.getfile(audit)).parent.glob("*.py"))]
    code = hashlib.sha256("\0".join(code_of(file.read_text(encoding="utf-8")) for file in files).encode()).hexdigest()
    python = ".".join(platform.python_version_tuple()[:2])
    return (*RELEASES, *(f"{name} {version(name)}" for name in _LIBRARIES), f"Python {python}", code)


def _texts(program: Program, names: Iterable[str]) -> dict[str, str]:
    """Digests of the files that a run came to, by their places relative to the program."""
    given = {os.path.relpath(path, program.path.parent): source for path, source in program.sources}

    def digest(name: str) -> str:
        path = program.path.parent / name
        text = given.get(name) or (path.read_text(encoding="utf-8") if path.is_file() else "")
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    return {name: digest(name) for name in names}


def _moved(result: Result, folder: Path, inward: bool) -> Result:
    """A result whose files are told from the program's folder on (`inward`), or absolute again."""

    def at(path: Path) -> Path:
        return Path(os.path.relpath(path, folder)) if inward else Path(os.path.normpath(folder / path))

    observed = result.observations
    moved = type(observed)(
        {at(path): found for path, found in observed.files.items()},
        {at(path): places for path, places in observed.positions.items()},
    )
    frames = tuple(dataclasses.replace(frame, file=at(frame.file)) for frame in result.frames)
    return dataclasses.replace(result, observations=moved, frames=frames, traceback="" if inward else result.traceback)
