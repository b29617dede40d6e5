"""Files of the project that a program names, or that lie beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values.frames import Module

__all__ = ["find_data", "folders_below", "is_inside", "main_directory", "main_module", "places"]

_MOST_BYTES: Final = 1_000_000


def find_data(it: Interpreter, path: Any) -> Path | None:
    """A file that the program names, relative to where it is run or to itself.

    Where it was looked for in vain is noted as well: it may be there the next time.
    """
    if not isinstance(path, str | Path):
        return None
    for directory in places(it):
        file = (directory / path).resolve()
        if is_inside(it, file):
            it.importer.data.add(file)
            if file.is_file() and file.stat().st_size < _MOST_BYTES:
                return file
    return None


def folders_below(folder: Path) -> Iterator[Path]:
    """A folder, and those in it."""
    yield folder
    yield from (path for path in folder.rglob("*") if path.is_dir())


def places(it: Interpreter) -> Iterator[Path]:
    """Where files may lie that a program names: where it is run, beside it, and above that up to its root."""
    yield Path.cwd()
    yield main_directory(it)
    yield from it.importer.roots


def is_inside(it: Interpreter, path: Path) -> bool:
    """Whether a path lies where the program is run, beside it, or under its roots: nothing else is read."""
    return any(path.is_relative_to(place.resolve()) for place in places(it))


def main_directory(it: Interpreter) -> Path:
    """Where the program's own file lies."""
    main = main_module(it)
    return Path.cwd() if main is None else main.path.resolve().parent


def main_module(it: Interpreter) -> Module | None:
    """The module that is run, as far as one is loaded."""
    return it.importer.modules.get("__main__") or next(iter(it.importer.loaded), None)
