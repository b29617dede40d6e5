"""The files that are checked, as mypy takes them; what would stop a whole run of mypy stops one file at most.

mypy refuses the run where two modules have one name (`a/train.py` and `b/train.py`), and where the folder of a package
is no name of Python (`my-tools/`).  Such modules get names of their own here.  Their plain names are not followed where
they are imported, since it is not known which one is meant.

`mypy.config_parser`, `mypy.find_sources`, `mypy.fscache` and `mypy.modulefinder` are used here.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import decode_source
from io import StringIO
from pathlib import Path

from mypy.config_parser import _find_config_file, _parse_individual_file
from mypy.find_sources import InvalidSourceList, create_source_list
from mypy.fscache import FileSystemCache
from mypy.modulefinder import BuildSource, matches_exclude
from mypy.options import Options

from arraytyping.checker.file_selection import Selection
from arraytyping.checker.flow.report.reporting import Unreadable
from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.notebooks.cells import is_notebook
from arraytyping.checker.notebooks.reading import READER, can_read_notebook, give_notebooks
from arraytyping.regular_files import check_regular, content_of
from arraytyping_mypy.flow_messages import refusal

__all__ = [
    "find_sources",
    "leave_out",
    "names_sources",
    "not_excluded",
    "notebooks",
    "passed_by",
    "without_duplicate_modules",
]

_CONFIG = re.compile(r"--config-file(?:=|$)")
_MESSAGE = re.compile(r"(.+?\.\w+|[^:]+):(?:\d+:)* error: ")


def find_sources(
    paths: Sequence[str], options: Options, fscache: FileSystemCache, selection: Selection
) -> tuple[list[BuildSource], list[Unreadable]]:
    """The sources under these paths that are selected, and those paths that cannot be checked."""
    sources: list[BuildSource] = []
    refused: list[Unreadable] = []
    for path in paths:
        try:
            if not Path(path).is_dir():
                _look_at(Path(path))
            if Path(path).is_dir():
                sources += _notebooks(path, selection)
            elif is_notebook(path):
                sources.append(_notebook(Path(path)))
                continue
            sources += _selected(path, create_source_list([path], options, fscache), selection, refused)
        except SourceError as error:
            refused.append(_unreadable(error))
        except InvalidSourceList as error:
            found = list(_named_anew(path, options, fscache, selection))
            sources += found
            if not found and not any(s.path is not None and Path(path) in Path(s.path).parents for s in sources):
                why = "there is no Python file in this directory" if Path(path).is_dir() else str(error)
                if Path(path).is_dir() and passed_by([path], selection):
                    why += f" but notebooks, {READER}"
                refused.append(Unreadable(path, 1, why))
    readable: dict[tuple[str | None, str], BuildSource] = {}
    real = {s.path: os.path.realpath(s.path) for s in sources if s.path is not None}
    shortest = {real[path]: path for path in sorted(real, key=lambda p: (-len(p), p))}
    for source in sources:
        if source.path is not None:
            if shortest[real[source.path]] != source.path:  # found once more through a link
                continue
            try:
                check_regular(Path(source.path))
            except OSError as error:
                refused.append(Unreadable(source.path, 1, f"cannot be read: {error.strerror}"))
                continue
            source = _with_content(source)
        readable[source.path, source.module] = source
    return list(readable.values()), refused


def notebooks(paths: Sequence[str], selection: Selection) -> tuple[list[Path], list[Unreadable]]:
    """The notebooks under these paths, which are read as programs from now on, and those that cannot be."""
    named = [Path(p) for p in paths if is_notebook(p) and (Path(p).is_file() or content_of(p) is not None)]
    inside = [f for p in paths if Path(p).is_dir() for f in selection.files(Path(p)) if is_notebook(f)]
    inside = [f for f in inside if can_read_notebook(f)]
    found = list(dict.fromkeys([*named, *inside]))
    refused = give_notebooks(found) if found else {}
    return [f for f in found if f not in refused], [Unreadable(str(f), 1, why) for f, why in refused.items()]


def passed_by(paths: Sequence[str], selection: Selection) -> int:
    """How many notebooks there are in these directories that are not read, since what reads them is not installed."""
    if can_read_notebook(Path("a.ipynb")):
        return 0
    return sum(f.suffix == ".ipynb" for p in paths if Path(p).is_dir() for f in selection.files(Path(p)))


def _notebooks(path: str, selection: Selection) -> list[BuildSource]:
    """The notebooks under a directory that are read as programs."""
    files = (f for f in selection.files(Path(path)) if is_notebook(f))
    return [_notebook(f) for f in files if content_of(f) is not None]


def _notebook(file: Path) -> BuildSource:
    return BuildSource(str(file), re.sub(r"\W", "_", file.stem) + file.suffix.replace(".", "_"))


def _with_content(source: BuildSource) -> BuildSource:
    """A source with what is given in the place of its file, which mypy does not keep in its cache."""
    given = None if source.path is None else content_of(source.path)
    if source.path is None or given is None:
        return source
    try:
        text = decode_source(given)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return source
    return BuildSource(source.path, source.module, text, source.base_dir, source.followed)


def _selected(
    path: str, sources: list[BuildSource], selection: Selection, refused: list[Unreadable]
) -> list[BuildSource]:
    """Those sources under a path that are selected; none at all in a directory is refused."""
    if not Path(path).is_dir():
        return sources
    files = {os.path.realpath(file) for file in selection.files(Path(path))}
    kept = [s for s in sources if s.path is None or os.path.realpath(s.path) in files]
    if sources and not kept:
        refused.append(Unreadable(path, 1, "every Python file in it is excluded, or ignored by git"))
    return kept


def names_sources(mypy_options: Sequence[str]) -> bool:
    """Whether mypy's options or its configuration say what is to be checked."""
    if any(o.startswith(("-m", "-p", "-c", "--module", "--package", "--command")) for o in mypy_options):
        return True
    if any(o in ("--help", "-h", "--version", "-V") for o in mypy_options):
        return True
    named = [
        o.partition("=")[2] or after for o, after in zip(mypy_options, [*mypy_options[1:], ""]) if _CONFIG.match(o)
    ]
    said = StringIO()
    found = _parse_individual_file(named[-1], said) if named else _find_config_file(said)
    section = found[0]["mypy"] if found is not None and "mypy" in found[0] else {}
    return any(section.get(key) for key in ("files", "modules", "packages"))


def not_excluded(
    paths: Iterable[Path], options: Options, fscache: FileSystemCache, selection: Selection
) -> Iterator[Path]:
    """The paths that are checked: a file that is named always, in a directory those that nothing excludes."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for file in selection.files(path):
            if file.suffix == ".pyi" or (is_notebook(file) and content_of(file) is None):
                continue  # a stub does nothing that flow could follow
            inside = (file, *(d for d in file.parents if d != path and path in d.parents))
            if not any(matches_exclude(str(p), options.exclude, fscache, False) for p in inside):
                yield file


def _look_at(path: Path) -> None:
    """Refuse what is no file of Python; of `.py` files mypy says more."""
    if path.suffix not in (".py", ".pyi") or not (path.is_file() or content_of(path) is not None):
        read_source(path)


def _named_anew(path: str, options: Options, fscache: FileSystemCache, selection: Selection) -> Iterator[BuildSource]:
    """The sources under a path with a package in whose name there is something that no name of Python has."""
    for file in not_excluded([Path(path)], options, fscache, selection):
        if is_notebook(file):
            continue
        try:
            yield from create_source_list([str(file)], options, fscache)
        except InvalidSourceList:
            yield BuildSource(str(file), _module_name(file))


def _module_name(file: Path) -> str:
    parts = [] if file.stem == "__init__" else [file.stem]
    directory = file.absolute().parent
    while (directory / "__init__.py").is_file() and directory != directory.parent:
        parts.insert(0, re.sub(r"\W", "_", directory.name))
        directory = directory.parent
    return ".".join(parts)


def without_duplicate_modules(sources: Iterable[BuildSource], options: Options) -> list[BuildSource]:
    """The sources with modules of one name renamed, each with the whole of its package."""
    by_module: dict[str, set[str]] = defaultdict(set)
    sources = list(sources)
    for s in sources:
        if s.path is not None:
            by_module[s.module].add(s.path)
    twice = {_top(module) for module, paths in by_module.items() if len(paths) > 1}
    for top in twice:
        for name in (top, f"{top}.*"):
            skip(name, options)
    return [_renamed(s) if s.path is not None and _top(s.module) in twice else s for s in sources]


def _renamed(source: BuildSource) -> BuildSource:
    top, dot, rest = source.module.partition(".")
    where = re.sub(r"\W", "_", os.path.relpath(source.base_dir or source.path or "."))
    return BuildSource(source.path, f"{top}__{where}{dot}{rest}", source.text, source.base_dir, source.followed)


def _top(module: str) -> str:
    return module.partition(".")[0]


def leave_out(
    sources: list[BuildSource], messages: Sequence[str], module: str | None, options: Options
) -> dict[str, list[str]]:
    """Take those files from the sources that stopped mypy, or will: the files, and what is said of each.

    `messages` are what mypy has said of one of them, and `module` is its name.
    """
    known = {os.path.realpath(s.path) for s in sources if s.path is not None}
    named: dict[str, list[str]] = {}
    for message in messages:
        file = _file_of(message)
        if file is not None and ((real := os.path.realpath(file)) in known or Path(file).is_file()):
            named.setdefault(real, []).append(message)
    if not named:
        return {}
    refused: dict[str, list[str]] = {}
    for source in list(sources):
        if source.path is None:
            continue
        real = os.path.realpath(source.path)
        try:
            read_source(Path(source.path))
            lines = named.get(real)
        except SourceError as error:
            lines = refusal(_unreadable(error), options)
        if lines is not None:
            refused[source.path] = lines
            sources.remove(source)
            skip(source.module, options)
    if named.keys().isdisjoint(map(os.path.realpath, refused)) and module is not None:
        refused.update(named)  # imported by one of the sources
        skip(module, options)
    return refused


def _file_of(message: str) -> str | None:
    """The file that a message of mypy is about."""
    if message.startswith("{"):
        return str(json.loads(message).get("file"))
    found = _MESSAGE.match(message)
    return found[1] if found is not None else None


def _unreadable(error: SourceError) -> Unreadable:
    return Unreadable(str(error.path), error.line, error.message)


def skip(module: str, options: Options) -> None:
    """Let what is imported from a module be unknown, without a word."""
    options.per_module_options[module] = {
        **options.per_module_options.get(module, {}),
        "follow_imports": "skip",
        "ignore_missing_imports": True,
    }
    options.build_per_module_cache()
