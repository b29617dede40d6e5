"""x64 by program: a module's is what every entry point says that reaches it through imports.

An entry point is what flow starts: a script, a test module, what is configured, and a module that no other one
reaches.  The files that it loads are searched for what switches x64.  Modules in programs that differ are undecided.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from arraytyping.checker.flow.sources.entry_points import EntryPoint, Libraries, find_entry_points
from arraytyping.checker.flow.sources.live_code import ALWAYS, SOMETIMES, FileCode, Part, read_code
from arraytyping.checker.flow.sources.project import Project
from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.flow.sources.x64_switches import ProgramsX64, Switches, switches_in
from arraytyping.checker.x64 import Evidence, X64Decision, by_default, by_evidence, differing

__all__ = ["decide_x64"]


def decide_x64(
    roots: Sequence[Path],
    configured: Sequence[str] = (),
    root: Path | None = None,
    environ: Mapping[str, str] | None = None,
    switches: Switches | None = None,
) -> ProgramsX64:
    """Decide for the programs in files and directories; `configured` are entry points, relative to `root`.

    `switches` are what is switched in them, if that is known already.
    """
    evidence = (switches or switches_in(roots, environ)).x64
    if not evidence:
        return ProgramsX64(by_default(environ))
    project = Project(roots, root)
    files = _Files(project)
    programs = [_Program(e, evidence, files) for e in find_entry_points(project, configured)[0]]
    programs += _unreached(project, programs, evidence, files)
    if not programs:  # nothing that can be parsed
        return ProgramsX64(by_evidence([e for found in evidence.values() for e in found], environ))
    decided = [(p, by_evidence(p.evidence, environ)) for p in programs]
    if len({d.value for _, d in decided}) == 1:
        return ProgramsX64(max((d for _, d in decided), key=lambda d: len(d.evidence)))
    by_file: dict[Path, list[X64Decision]] = {}
    for program, decision in decided:
        for file in program.levels:
            by_file.setdefault(file, []).append(decision)
    return ProgramsX64(
        None,
        {f: ds[0] if len({d.value for d in ds}) == 1 else differing(ds) for f, ds in by_file.items()},
        {str(p.entry): d for p, d in decided},
    )


def _unreached(
    project: Project, programs: Sequence[_Program], evidence: Mapping[Path, list[Evidence]], files: _Files
) -> Iterator[_Program]:
    """A program for each file that no other one reaches; those that no file imports come first."""
    reached = {file for program in programs for file in program.levels}
    imported = project.imported()
    libraries = Libraries(project)
    for source in sorted(project.sources.values(), key=lambda s: (s.path in imported, s.is_package)):
        if source.path not in reached:
            (entry,) = libraries.entry_points([source])
            program = _Program(entry, evidence, files, project.shown.get(source.path))
            reached |= program.levels.keys()
            yield program


_Found = tuple[Path, str]
"""A module: its file, and its name in the program."""


class _Files:
    """The files that the programs load: most belong to several of them, and each is read and found once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.code = cache(self._read)
        self.found = cache(self._find)

    def _read(self, path: Path) -> FileCode:
        source = self._project.sources.get(path)
        try:
            return read_code(source.tree if source is not None else read_source(path)[1])
        except SourceError:
            return read_code(ast.Module([], []))

    def _find(self, roots: tuple[Path, ...], name: str) -> list[_Found]:
        """The files that importing a module loads, packages first."""
        parts = name.split(".")
        for root in roots:
            found = []
            for i in range(1, len(parts) + 1):
                place = root.joinpath(*parts[:i])
                candidates = (place / "__init__.py", place.with_name(f"{place.name}.py"))
                file = next((c for c in candidates if c.is_file()), None)
                if file is not None:
                    found.append((file.resolve(), ".".join(parts[:i])))
                elif not place.is_dir():
                    break
            if found:
                return found
        return []


class _Program:
    """What one entry point loads; `levels` says of each file whether that is always or sometimes so."""

    def __init__(
        self,
        entry: EntryPoint,
        evidence: Mapping[Path, list[Evidence]],
        files: _Files,
        shown: str | None = None,
    ) -> None:
        self.entry = entry if shown is None else _named(entry, shown)
        self.levels: dict[Path, int] = {}
        self._files = files
        self._roots = tuple(root.resolve() for root in entry.roots)
        self._entry_path = entry.path.resolve()
        self._codes: dict[Path, FileCode] = {}
        self._names: dict[Path, str] = {}
        self._parts: dict[int, int] = {}
        self._used: dict[str, int] = {}
        self._owners: dict[int, Path] = {}
        self._functions: dict[str, list[Part]] = {}
        for name, path in entry.modules:
            self._load(path.resolve(), name, ALWAYS)
            package = name.rpartition(".")[0]
            if package:
                self._import((package, (), 0), path.resolve(), ALWAYS)
        self._start_functions()
        self.evidence = list(self._evidence(evidence))

    def _evidence(self, evidence: Mapping[Path, list[Evidence]]) -> Iterator[Evidence]:
        for path, code in self._codes.items():
            for found in evidence.get(path, ()):
                level = self._parts.get(id(code.part_of(found.line)), 0)
                if level:
                    yield found if level == ALWAYS else Evidence(found.file, found.line, found.text, None)

    def _load(self, path: Path, name: str, level: int) -> None:
        if self.levels.get(path, 0) >= level:
            return
        self.levels[path] = level
        if path not in self._codes:
            self._names[path] = name
            code = self._codes[path] = self._files.code(path)
            self._owners.update((id(part), path) for part in code.parts)
            for function in code.functions:
                self._functions.setdefault(function.name, []).append(function)
        code = self._codes[path]
        self._run(code.body, level)
        if path == self._entry_path and self.entry.kind in ("script", "module"):
            self._run(code.main, level)
        for part in code.functions:
            self._run(part, min(level, self._used.get(part.name, 0)))

    def _run(self, part: Part, level: int) -> None:
        if level <= self._parts.get(id(part), 0):
            return
        self._parts[id(part)] = level
        here = self._owners[id(part)]
        for what, how in part.imports.items():
            self._import(what, here, min(level, how))
        for name, how in part.own.items():
            for function in self._codes[here].by_name.get(name, ()):
                self._run(function, min(level, how))
        for name, how in part.others.items():
            how = min(level, how)
            if how > self._used.get(name, 0):
                self._used[name] = how
                for function in list(self._functions.get(name, ())):
                    if self._owners[id(function)] != here:
                        self._run(function, how)

    def _start_functions(self) -> None:
        """Functions that nothing uses: those of the entry point are for its callers, others if a decorator has them.

        All of a library's may be called by who uses it.
        """
        is_library = self.entry.kind == "library"
        for path, code in list(self._codes.items()):
            for part in code.functions:
                if id(part) not in self._parts and (path == self._entry_path or part.is_decorated or is_library):
                    self._run(part, ALWAYS if path == self._entry_path else SOMETIMES)

    def _import(self, what: tuple[str, tuple[str, ...], int], here: Path, level: int) -> None:
        module, names, above = what
        if above:
            own = self._names[here].split(".")
            package = own if here.name == "__init__.py" else own[:-1]
            module = ".".join([*package[: len(package) - above + 1], *([module] if module else [])])
        for path, name in self._files.found(self._roots, module):
            self._load(path, name, level)
        for name in names:
            for path, full in self._files.found(self._roots, f"{module}.{name}" if module else name):
                self._load(path, full, level)


def _named(entry: EntryPoint, name: str) -> EntryPoint:
    return replace(entry, name=name)
