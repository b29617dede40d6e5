"""Where programs begin: scripts, `python -m`, functions that are configured, tests, and what is only imported.

Without a configuration these are the files that ask whether they are run, the `__main__` of packages, and files that
do something when run and that no other one imports.  With `entry_points` only those programs are started.  Tests are
started in either case, where they are among the files that are given; whatever is left is imported.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, get_args

from arraytyping.checker.flow.sources.class_bindings import ClassesBeside, ProjectClasses
from arraytyping.checker.flow.sources.complex_files import complex_files
from arraytyping.checker.flow.sources.distributions import is_distributed
from arraytyping.checker.flow.sources.made_values import Made, made_in
from arraytyping.checker.flow.sources.project import Project, Source, near
from arraytyping.checker.flow.sources.source_files import SourceError
from arraytyping.checker.flow.sources.whole_project import WholeProject, whole_project
from arraytyping.regular_files import content_of

__all__ = ["EntryPoint", "Libraries", "as_library", "find_entry_points", "with_rests"]

_TOGETHER: Final = 64
"""How many files are imported together; the same however many are followed at a time, so that answers stay the same."""


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A way into a program; `modules` are (name, path) of what is loaded, the last one being what is started."""

    kind: Literal["script", "module", "function", "tests", "library"]
    name: str
    modules: tuple[tuple[str, Path], ...]
    roots: tuple[Path, ...]
    function: str = ""
    arguments: tuple[str, ...] = ()
    """The arguments of its command line."""
    devices: int = 0
    """For how many devices it is followed; 0: for as many as the program itself asks for, or any number."""
    made: frozenset[Made] = frozenset()
    """What is made in the project of which the files of a library are."""
    complex_files: frozenset[str] = frozenset()
    """Its files into which complex numbers may come."""
    classes: ClassesBeside = field(default_factory=ClassesBeside)
    """The classes of its other files, which may derive from those of a library."""
    called_beside: frozenset[str] = frozenset()
    """The functions of a library that files of the project may call which are not checked; `*` for all."""
    has_x64: bool | None = False
    """Whether the programs that import the files of a library all switch 64-bit types on; None: some do."""
    rest: EntryPoint | None = None
    """Of a script that does all it does when it is imported too: its file as a library, followed in the same run."""

    @property
    def path(self) -> Path:
        """The file in which it begins."""
        return self.modules[-1][1]

    def __str__(self) -> str:
        if not self.devices:
            return self.name
        return f"{self.name} with {self.devices} device{'' if self.devices == 1 else 's'}"


def find_entry_points(project: Project, configured: Sequence[str] = ()) -> tuple[list[EntryPoint], list[SourceError]]:
    """The entry points of a project, and what is wrong with those that are configured."""
    found: list[EntryPoint] = []
    errors: list[SourceError] = []
    for text in configured:
        name, *words = shlex.split(text)
        entry = _configured(project, name)
        if isinstance(entry, SourceError):
            errors.append(entry)
        else:
            found.append(replace(entry, name=text if words else entry.name, arguments=tuple(words)))
    if not configured:
        imported = project.imported()
        for source in project.sources.values():
            if _is_program(source, source.path in imported):
                found.append(_program(project, source))
    found += [_tests(project, source) for source in project.sources.values() if source.is_test]
    return found, errors


def _is_program(source: Source, is_imported: bool) -> bool:
    if source.is_test or source.is_package or source.path.name in ("conftest.py", "setup.py"):
        return False
    if source.has_main or source.path.name == "__main__.py":
        return True
    return source.does_something and not is_imported and "." not in source.name


def _program(project: Project, source: Source) -> EntryPoint:
    """A file that is run: as `python -m` where it is part of a package, else, or if it has to be, as a script."""
    shown = project.shown.get(source.path, str(source.path))
    if "." in source.name and not source.imports_neighbours:
        return _module(project, source.name, near(source.path), source.base)
    roots = project.roots(source.path, source.path.parent)
    return EntryPoint("script", shown, ((source.path.stem, near(source.path)),), roots)


def _module(project: Project, name: str, path: Path, base: Path) -> EntryPoint:
    shown = f"-m {name.removesuffix('.__main__')}"
    return EntryPoint("module", shown, ((name, path),), project.roots(path.resolve(), base))


def _tests(project: Project, source: Source) -> EntryPoint:
    shown = project.shown.get(source.path, str(source.path))
    modules = [(_conftest_name(path), path) for path in project.conftests(source.path)]
    own = (source.name, near(source.path))
    return EntryPoint("tests", shown, (*modules, own), project.roots(source.path, source.base))


def _conftest_name(path: Path) -> str:
    """A name of its own for each conftest, of which there may be one in every directory."""
    return ".".join(part for part in path.with_suffix("").parts if part.isidentifier())


def _configured(project: Project, text: str) -> EntryPoint | SourceError:
    """An entry point as it is configured: `pkg.train:main`, `scripts/run.py` or `pkg.cli`."""
    name, _, function = text.partition(":")
    if name.endswith(".py"):
        path = project.root / name
        if not path.is_file() and content_of(path) is None:
            return SourceError(near(path), 1, f"the entry point {text!r} is no file")
        known = project if path.resolve() in project.sources else Project([path], project.root)
        source = known.sources.get(path.resolve())
        if source is not None and "." in source.name and not source.is_package and not source.imports_neighbours:
            return _module(known, source.name, near(path), source.base)  # as it is followed where nothing is configured
        roots = project.roots(path.resolve(), path.resolve().parent)
        return EntryPoint("script", str(near(path)), ((path.stem, near(path)),), roots)
    for base in (project.root, project.root / "src"):
        place = base.joinpath(*name.split("."))
        candidates = [(place.with_suffix(".py"), name), (place / "__main__.py", f"{name}.__main__")]
        if function:
            candidates = [(place.with_suffix(".py"), name), (place / "__init__.py", name)]
        for path, module in candidates:
            if not path.is_file():
                continue
            roots = tuple(dict.fromkeys((near(base), *project.roots(path.resolve(), base))))
            if function:
                return EntryPoint("function", text, ((module, near(path)),), roots, function)
            return EntryPoint("module", f"-m {name}", ((module, near(path)),), roots)
    return SourceError(
        near(project.root / "pyproject.toml"), 1, f"the entry point {text!r} is no module of this project"
    )


def as_library(project: Project, source: Source) -> EntryPoint:
    """A file that is imported, by its name and its roots alone: nothing is looked for beside it."""
    modules = ((source.name, near(source.path)),)
    return EntryPoint("library", f"import {source.name}", modules, _library_roots(project, source))


def _library_roots(project: Project, source: Source) -> tuple[Path, ...]:
    return project.roots(source.path, source.path.parent if source.imports_neighbours else source.base)


class Libraries:
    """The files of a project as libraries: what lies beside them is looked for once, however many are asked for."""

    def __init__(self, project: Project) -> None:
        self._project = project

    @cached_property
    def _whole(self) -> WholeProject:
        return whole_project(self._project)

    @cached_property
    def _made(self) -> frozenset[Made]:
        return frozenset[Made]().union(*(made_in(source.tree) for source in self._whole.project.sources.values()))

    @cached_property
    def _complex_files(self) -> frozenset[str]:
        return complex_files(self._whole.project)

    @cached_property
    def _classes(self) -> ProjectClasses:
        return ProjectClasses((str(s.path), s.tree) for s in self._whole.project.sources.values())

    def entry_points(self, wanted: Sequence[Source]) -> Iterator[EntryPoint]:
        """Files that are imported, and whose functions are started from their annotations, so many together."""
        if not wanted:
            return
        project, whole = self._project, self._whole
        by_roots: dict[tuple[Path, ...], list[Source]] = {}
        made = self._made
        if not whole.is_closed or any(map(is_distributed, {source.path.parent for source in wanted})):
            made = frozenset(get_args(Made))  # other projects may call its functions, with anything
        for source in wanted:
            by_roots.setdefault(_library_roots(project, source), []).append(source)
        for roots, modules in by_roots.items():
            for i in range(0, len(modules), _TOGETHER):
                part = modules[i : i + _TOGETHER]
                yield EntryPoint(
                    "library",
                    f"import {', '.join(source.name for source in part[:3])}",
                    tuple((source.name, near(source.path)) for source in part),
                    roots,
                    made=made,
                    complex_files=self._complex_files,
                    classes=self._classes.beside((str(s.path) for s in part), is_closed=whole.is_closed),
                    called_beside=whole.called_beside(part),
                )


def with_rests(project: Project, entries: Sequence[EntryPoint]) -> Iterator[EntryPoint]:
    """The entry points; scripts that do not ask whether they are run have what they do not call with them.

    To import such a file would be to run it once more.
    """
    imported = project.imported()
    libraries = Libraries(project)
    for entry in entries:
        source = project.sources.get(entry.path.resolve())
        if entry.kind != "script" or entry.arguments or source is None or source.has_main or source.path in imported:
            yield entry
        else:
            (rest,) = libraries.entry_points([source]) if source.has_functions else (None,)
            yield replace(entry, rest=rest)
