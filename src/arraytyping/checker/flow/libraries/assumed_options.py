"""Options that name a configuration and must be given: a program is followed as if a file beside it were named.

Without one nothing is known of what comes of it, which is most of a program.  A run that comes to such an option leaves
what there is to choose from in `WANTED` and ends; the program is then followed once with each (`ASSUMED`), until one
fits, that is, until the program does not end by raising, and if none does, with nothing assumed.  Which one it was is
said with the findings.  What need not be given (`is_needed`) is tried where the program fails without it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.libraries.project_files import main_directory, main_module, places
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds
from arraytyping.checker.flow.state.platforms import PLATFORM
from arraytyping.checker.flow.state.program_words import ARGUMENTS, ASSUMED, UNGIVEN
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.x64_sides import X64
from arraytyping.regular_files import read_regular_text

__all__ = [
    "WANTED",
    "Wanted",
    "assumed_option",
    "assumed_remark",
    "assumed_text",
    "config_modules",
    "nearest",
]

_NAMES_CONFIGURATION: Final = re.compile(r"config|cfg|conf$|yaml|yml")
_NAMES_GIN: Final = re.compile(r"(?:^|_)gin(?:_|$)")
_MOST: Final = 3
"""How many are tried."""
_MOST_FILES: Final = 2_000
"""How many files are looked at for those that may be configurations."""
_DEPTH: Final = 4
_MOST_BYTES: Final = 1_000_000
_SKIPPED: Final = frozenset({"node_modules", "site-packages", "__pycache__", "tests", "test", "build", "dist"})


@dataclass(frozen=True)
class Wanted:
    """An option that has to be given, and what it may be."""

    option: str
    candidates: tuple[str, ...]
    is_needed: bool = True


WANTED: Final[RunSlot[Wanted | None]] = RunSlot("the option that the run ended at", lambda: None)


def assumed_option(
    it: Interpreter, option: str, candidates: Callable[[], Iterable[str]], *, is_needed: bool = True
) -> str | None:
    """What an option is assumed to be, None if nothing is.

    Where there is something to choose from, the run ends, or goes on until its first mistake if it may be left out.
    """
    assumed = ASSUMED.of(it)
    if ARGUMENTS.of(it) is not None or assumed is None:
        return None
    if option in assumed or (not is_needed and WANTED.of(it) is not None):
        return assumed.get(option)
    found = tuple(itertools.islice(candidates(), _MOST))
    if not found:
        return None
    WANTED.put(it, Wanted(option, found, is_needed))
    if is_needed:
        raise ProgramEnds
    UNGIVEN.put(it, "yes")
    return None


def assumed_remark(program: str, runs: Iterable[Mapping[str, str | None]]) -> str:
    """What has to be said of a program that was followed with options that nobody gave; empty if nothing."""
    given = dict.fromkeys(
        " ".join(
            f"{name}={value}"
            for name, value in sorted(run.items())
            if value is not None and name not in (PLATFORM, X64)  # on both of whose sides it is followed
        )
        for run in runs
    )
    said = " and as with ".join(filter(None, given))
    return said and (
        f"{program} has to be given a configuration, and is followed as with {said}; "
        "name others by their arguments, in entry_points or behind --"
    )


def config_modules(it: Interpreter) -> list[str]:
    """The modules that define `get_config`: the program itself if it does, else those beside it, the nearest first."""
    main = main_module(it)
    own = None if main is None else main.path.resolve()
    if own is not None and _defines(own, "get_config"):
        return nearest(it, [own])
    return nearest(it, _found(it, (".py",), lambda file: file != own and _defines(file, "get_config")))


def assumed_text(it: Interpreter, option: str, name: str) -> str | None:
    """What a text that must be given is assumed to be: a configuration, for an option whose name says so."""
    if _NAMES_GIN.search(name.lower()):
        return assumed_option(it, option, lambda: nearest(it, _found(it, (".gin",), lambda file: True)))
    return assumed_option(it, option, lambda: _texts(it)) if _NAMES_CONFIGURATION.search(name.lower()) else None


def _texts(it: Interpreter) -> list[str]:
    """The YAML, JSON and TOML files beside the program that are configurations."""
    return nearest(it, _found(it, (".yaml", ".yml", ".json", ".toml"), lambda file: True))


def nearest(it: Interpreter, files: Iterable[Path]) -> list[str]:
    """Files by how much their names have in common with the program's, then by how deep they lie, and by name.

    The first of each folder come before the second ones, since folders hold what is alike.

    Relative to where the program is run, as they are given.
    """
    main = main_module(it)
    program = Path() if main is None else main.path
    words = _words(program)
    here = Path.cwd()

    def rank(file: Path) -> tuple[int, float, bool, int, str]:
        own = _words(file)
        alike = SequenceMatcher(None, program.stem, file.stem).ratio()
        return -len(words & own), -round(alike, 1), "default" not in own, len(file.parts), str(file)

    by_folder: dict[Path, list[Path]] = {}
    for file in sorted(set(files), key=rank):
        by_folder.setdefault(file.parent, []).append(file)
    mixed = [file for some in itertools.zip_longest(*by_folder.values()) for file in some if file is not None]
    return [str(file.relative_to(here)) if file.is_relative_to(here) else str(file) for file in mixed]


def _words(file: Path) -> set[str]:
    """The words of a file's name and of the folder it lies in."""
    return {word for part in (file.parent.name, file.stem) for word in re.split(r"[^a-z0-9]+", part.lower()) if word}


def _found(it: Interpreter, suffixes: tuple[str, ...], is_wanted: Callable[[Path], bool]) -> list[Path]:
    """The configurations below the program's folder; where there are none, below its roots or where it is run.

    What belongs to another program of the same repository would fit by chance at best.
    """
    for place in dict.fromkeys(place.resolve() for place in (main_directory(it), *places(it))):
        if found := [file for file in _below(it, place, suffixes) if is_wanted(file)]:
            return found
    return []


def _below(it: Interpreter, place: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    """The files in a folder and below it whose name, or a folder of which, says that they are configurations."""
    left = _MOST_FILES
    waiting = [(place, 0)]
    while waiting and left > 0:
        folder, depth = waiting.pop()
        it.importer.data.add(folder)
        for path in _listed(folder):
            left -= 1
            if path.is_dir():
                if path.is_symlink() and folder.is_relative_to(path.resolve()):
                    continue  # it leads back to where it lies
                if depth < _DEPTH and path.name not in _SKIPPED and not path.name.startswith("."):
                    waiting.append((path, depth + 1))
            elif path.suffix in suffixes and (path.suffix == ".gin" or _is_configuration(path, place)):
                yield path


def _defines(file: Path, name: str) -> bool:
    """Whether a file says that it defines a function."""
    try:
        return f"def {name}(" in read_regular_text(file)
    except (OSError, UnicodeDecodeError):
        return False


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _is_configuration(path: Path, place: Path) -> bool:
    """Whether a file is called one, and is no longer than one."""
    parts = (*path.relative_to(place).parts[:-1], path.stem)
    return any(_NAMES_CONFIGURATION.search(part.lower()) for part in parts) and path.is_file() and _is_short(path)


def _is_short(path: Path) -> bool:
    try:
        return path.stat().st_size < _MOST_BYTES
    except OSError:
        return False
