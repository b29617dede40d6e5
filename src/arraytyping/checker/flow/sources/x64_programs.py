"""x64 by program: a module's is what every entry point says that reaches it through imports.

An entry point is what flow starts: a script, a test module, what is configured, and a module that no other one
reaches.  The files that it loads are searched for what switches x64.  Modules in programs that differ are undecided.
"""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from arraytyping.checker.flow.sources.entry_points import EntryPoint, as_library, find_entry_points
from arraytyping.checker.flow.sources.importers import importers
from arraytyping.checker.flow.sources.live_code import (
    ALWAYS,
    SOMETIMES,
    FileCode,
    Part,
    code_written,
    read_code,
    written,
)
from arraytyping.checker.flow.sources.project import Project, near
from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.flow.sources.x64_early import early_files
from arraytyping.checker.flow.sources.x64_switches import ProgramsX64, Switches, is_loaded_with, switches_in
from arraytyping.checker.notebooks.cells import is_notebook
from arraytyping.checker.x64 import Evidence, X64Decision, by_default, by_evidence, differing
from arraytyping.regular_files import read_regular

__all__ = ["decide_x64"]

_PACKAGE: Final = f"{os.sep}__init__.py"
_read: Final = partial(read_source, compiles=False)
_ByName = Mapping[str, list[Evidence]]
"""What switches x64, by file."""
_Known = MutableMapping[str, list[Any]]
"""What is in files, as `written` has it, by digests of their contents."""


def decide_x64(
    roots: Sequence[Path],
    configured: Sequence[str] = (),
    root: Path | None = None,
    environ: Mapping[str, str] | None = None,
    switches: Switches | None = None,
    known: MutableMapping[str, list[Any]] | None = None,
) -> ProgramsX64:
    """Decide for the programs in files and directories; `configured` are entry points, relative to `root`.

    `switches` are what is switched in them, if that is known already.  `known` is what is in files, as
    `written` has it, by digests of their contents; what is read here is added.
    """
    known = {} if known is None else known
    switches = switches or switches_in(roots, environ)
    by_name = {str(file): found for file, found in switches.x64.items()}
    around = {folder for file in switches.own for folder in file.parents}
    decided = ProgramsX64(by_default(environ))
    if any(file in switches.own or is_loaded_with(file, around) for file in switches.x64):
        decided = _decide(Project(roots, root, _read), configured, by_name, environ, known)
    if configured or switches.own >= switches.x64.keys():
        return decided
    return _with_programs_beside(decided, switches, by_name, root, environ, known)


def _decide(
    project: Project, configured: Sequence[str], by_name: _ByName, environ: Mapping[str, str] | None, known: _Known
) -> ProgramsX64:
    """What the programs say that are checked."""
    decided = list(_decided(project, configured, by_name, environ, known))
    if not decided:  # nothing that can be parsed
        return ProgramsX64(by_evidence([e for found in by_name.values() for e in found], environ))
    values = {d.value for _, d, _ in decided}
    if len(values) == 1 and not any(early for _, _, early in decided):
        return ProgramsX64(max((d for _, d, _ in decided), key=lambda d: len(d.evidence)))
    return ProgramsX64(None, _by_file(decided), {str(p.entry): d for p, d, _ in decided})


def _with_programs_beside(
    decided: ProgramsX64, switches: Switches, by_name: _ByName, root: Path | None,
    environ: Mapping[str, str] | None, known: _Known,
) -> ProgramsX64:  # fmt: skip
    """The decision with what programs say that are not checked, which switch x64 and import what is."""
    switching = [file for file in switches.beside if file in switches.x64]
    candidates = dict.fromkeys([*switching, *importers(switches.beside, switching)])
    project = Project([near(file) for file in candidates], root, _read)
    own = set(map(str, switches.own))
    found_beside = _decided(project, (), by_name, environ, known)
    beside = [(p, d, early) for p, d, early in found_beside if not own.isdisjoint(p.files)]
    more = {file: found for file, found in _by_file(beside).items() if str(file) in own}
    if all(found.value == decided.of(str(file)).value for file, found in more.items()):
        return decided
    by_file = {file: decided.of(str(file)) for file in switches.own}
    by_file |= {file: _joined((by_file[file], found)) for file, found in more.items()}
    here = decided.by_program or {"what is checked": decided.everywhere or by_default(environ)}
    return ProgramsX64(None, by_file, {**here, **{str(p.entry): d for p, d, _ in beside}})


def _decided(
    project: Project, configured: Sequence[str], by_name: _ByName, environ: Mapping[str, str] | None, known: _Known
) -> Iterator[tuple[_Program, X64Decision, set[str]]]:
    """The programs of a project, with what each says, and the files in which it may make arrays before it says so."""
    files = _Files(project, known)
    programs = [_Program(e, by_name, files) for e in find_entry_points(project, configured)[0]]
    programs += _unreached(project, programs, by_name, files)
    default = by_default(environ).value
    for program in programs:
        decision = by_evidence(program.evidence, environ)
        is_switched = decision.evidence and decision.value not in (None, default)
        yield program, decision, program.early_files() if is_switched else set()


def _by_file(decided: Sequence[tuple[_Program, X64Decision, set[str]]]) -> dict[Path, X64Decision]:
    """What the programs say of each file that one of them loads."""
    by_file: dict[str, list[X64Decision]] = {}
    for program, decision, early in decided:
        for file in program.files:
            by_file.setdefault(file, []).append(_too_late(decision) if file in early else decision)
    joined = cache(_joined)  # many files belong to the same programs
    return {Path(file): joined(tuple(said)) for file, said in by_file.items()}


def _joined(decisions: tuple[X64Decision, ...]) -> X64Decision:
    """What the programs say together to which a file belongs."""
    return decisions[0] if len({d.value for d in decisions}) == 1 else differing(decisions)


def _too_late(decision: X64Decision) -> X64Decision:
    """What a program says of a file in which arrays may be made before it switches x64."""
    reason = f"{decision.evidence[0]} comes after what may make arrays; what depends on it is given for both"
    return decision._replace(value=None, reason=reason)


def _unreached(
    project: Project, programs: Sequence[_Program], evidence: Mapping[str, list[Evidence]], files: _Files
) -> Iterator[_Program]:
    """A program for each file that no other one reaches; those that no file imports come first."""
    reached = {file for program in programs for file in program.files}
    imported = project.imported()
    for source in sorted(project.sources.values(), key=lambda s: (s.path in imported, s.is_package)):
        if str(source.path) not in reached:
            program = _Program(as_library(project, source), evidence, files, project.shown.get(source.path))
            reached.update(program.files)
            yield program


_Found = tuple[str, str]
"""A module: its file, and its name in the program."""
_Import = tuple[str, tuple[str, ...], int]
"""What is imported: see `Part.imports`."""


class _Links(NamedTuple):
    """What a part leads to, the same in each program that loads its file."""

    file: str
    functions: tuple[tuple[Part, int], ...]
    """The functions of the file that it may use, and whether it does so always or sometimes."""
    always: frozenset[str]
    """The names of `others` that it always uses."""
    names: frozenset[str]
    """All names of `others`."""


def _digest(path: Path) -> str | None:
    """What names the content of a file; None for a notebook, and what cannot be read."""
    try:
        return None if is_notebook(path) else hashlib.sha256(read_regular(path)).hexdigest()
    except (OSError, RuntimeError):
        return None


class _Files:
    """The files that the programs load: most belong to several of them, and each is read and found once.

    A file is known by its path's text, since a path is compared slowly, and that is done very often here.
    """

    def __init__(self, project: Project, known: _Known) -> None:
        self._project = project
        self._known = known
        self._links: dict[int, _Links] = {}
        self._loaded: dict[tuple[tuple[str, ...], _Found], _Loaded] = {}
        self.tree = cache(self._parse)
        self.code = cache(self._read)
        self.imported = cache(self._imported)
        self._at = cache(self._look)

    def loaded_before(self, roots: tuple[str, ...], modules: Sequence[_Found]) -> _Loaded:
        """What has been loaded before the last of these modules goes on, for it imports that first.

        Tests import the package that they test, which loads the same each time: that is found once.
        """
        own, name = modules[-1]
        package = name.rpartition(".")[0]
        imports: list[_Import] = [(package, (), 0)] if package else []
        imports += [what for what, how in self.code(own).body.imports.items() if how == ALWAYS]
        found = (found for what in imports for found in self.imported(roots, what, name, own.endswith(_PACKAGE)))
        first = next(found, None)
        if first is None or first in modules:
            return _Loaded(roots, self)
        loaded = self._loaded.get((roots, first))
        if loaded is None:
            loaded = self._loaded[roots, first] = _Loaded(roots, self)
            loaded.load(*first, ALWAYS)
        names = loaded.names
        # A script that is imported as well has another name as a module.
        return loaded.copy() if all(names.get(file, name) == name for file, name in modules) else _Loaded(roots, self)

    def links(self, part: Part) -> _Links:
        """What a part of a file leads to that was read."""
        return self._links[id(part)]

    def _parse(self, file: str) -> ast.Module:
        """What is in a file; nothing where it cannot be parsed."""
        path = Path(file)
        source = self._project.sources.get(path)
        try:
            return source.tree if source is not None else _read(path)[1]
        except SourceError:
            return ast.Module([], [])

    def _read(self, file: str) -> FileCode:
        code = self._code(Path(file))
        for part in code.parts:
            self._links[id(part)] = _Links(
                file,
                tuple((function, how) for name, how in part.own.items() for function in code.by_name.get(name, ())),
                frozenset(name for name, how in part.others.items() if how == ALWAYS),
                frozenset(part.others),
            )
        return code

    def _code(self, path: Path) -> FileCode:
        """What is in a file; what is known of the same content serves as well."""
        key = _digest(path)
        if key is not None and key in self._known:  # each file has parts of its own
            return code_written(self._known[key])
        code = read_code(self.tree(str(path)))
        if key is not None and _digest(path) == key:  # no edit came in between
            self._known[key] = written(code)
        return code

    def _imported(self, roots: tuple[str, ...], what: _Import, own: str, is_package: bool) -> tuple[_Found, ...]:
        """What an import loads in a module of this name."""
        module, names, above = what
        if above:
            parts = own.split(".")
            package = parts if is_package else parts[:-1]
            module = ".".join([*package[: len(package) - above + 1], *([module] if module else [])])
        found = self._find(roots, module)
        for name in names:
            found += self._find(roots, f"{module}.{name}" if module else name)
        return tuple(dict.fromkeys(found))

    def _find(self, roots: tuple[str, ...], name: str) -> list[_Found]:
        """The files that importing a module loads, packages first."""
        parts = name.split(".")
        for root in roots:
            found = []
            for i in range(1, len(parts) + 1):
                name = ".".join(parts[:i])
                file = self._at(root, name)
                if file:
                    found.append((file, name))
                elif file is None:
                    break
            if found:
                return found
        return []

    def _look(self, root: str, name: str) -> str | None:
        """The file of a module; empty for a folder that is none, None if there is nothing of this name."""
        place = Path(root, *name.split("."))
        for file in (place / "__init__.py", place.with_name(f"{place.name}.py")):
            if file.is_file():
                return str(file.resolve())
        return "" if place.is_dir() else None


class _Loaded:
    """What is loaded and run by some modules, and what of it; a copy of it goes on by itself."""

    def __init__(self, roots: tuple[str, ...], files: _Files) -> None:
        self._roots = roots
        self._files = files
        self.levels: dict[str, int] = {}
        """The files, with whether they are loaded always or sometimes."""
        self.codes: dict[str, FileCode] = {}
        self.names: dict[str, str] = {}
        self.parts: dict[int, int] = {}
        self._used: dict[str, int] = {}
        self._always_used: set[str] = set()
        self._functions: dict[str, tuple[Part, ...]] = {}

    def copy(self) -> _Loaded:
        """One that has loaded the same."""
        made = _Loaded(self._roots, self._files)
        made.levels, made.codes, made.names = self.levels.copy(), self.codes.copy(), self.names.copy()
        made.parts, made._used = self.parts.copy(), self._used.copy()
        made._always_used, made._functions = self._always_used.copy(), self._functions.copy()
        return made

    def load(self, file: str, name: str, level: int, *, is_main: bool = False) -> None:
        """Load a file by the name of its module; what it does only if it is run itself, too, if it `is_main`."""
        if self.levels.get(file, 0) >= level and not is_main:
            return
        self.levels[file] = level
        if file not in self.codes:
            self.names[file] = name
            code = self.codes[file] = self._files.code(file)
            for function in code.functions:
                self._functions[function.name] = (*self._functions.get(function.name, ()), function)
        code = self.codes[file]
        self.run(code.body, level)
        if is_main:
            self.run(code.main, level)
        for part in code.functions:
            if part.name in self._used:
                self.run(part, min(level, self._used[part.name]))

    def run(self, part: Part, level: int) -> None:
        """Run a part of a file that is loaded."""
        ran = self.parts
        if level <= ran.get(id(part), 0):
            return
        ran[id(part)] = level
        links = self._files.links(part)
        for what, how in part.imports.items():
            self.import_(what, links.file, min(level, how))
        for function, how in links.functions:
            if ran.get(id(function), 0) < (level if level < how else how):  # nearly none
                self.run(function, min(level, how))
        if links.names <= self._used.keys() and (level < ALWAYS or links.always <= self._always_used):
            return  # as of most parts
        for name, how in part.others.items():
            how = min(level, how)
            if how > self._used.get(name, 0):
                self._used[name] = how
                if how == ALWAYS:
                    self._always_used.add(name)
                for function in self._functions.get(name, ()):
                    if self._files.links(function).file != links.file:
                        self.run(function, how)

    def import_(self, what: _Import, here: str, level: int) -> None:
        """Import something in a file that is loaded."""
        is_package = here.endswith(_PACKAGE)
        for file, name in self._files.imported(self._roots, what, self.names[here], is_package):
            if self.levels.get(file, 0) < level:
                self.load(file, name, level)


class _Program:
    """What one entry point loads."""

    def __init__(
        self,
        entry: EntryPoint,
        evidence: Mapping[str, list[Evidence]],
        files: _Files,
        shown: str | None = None,
    ) -> None:
        self.entry = entry if shown is None else _named(entry, shown)
        self._entry_file = str(entry.path.resolve())
        modules = [(str(path.resolve()), name) for name, path in entry.modules]
        roots = tuple(str(root.resolve()) for root in entry.roots)
        self._loaded = loaded = files.loaded_before(roots, modules)
        for file, name in modules:
            is_main = file == self._entry_file and entry.kind in ("script", "module")
            loaded.load(file, name, ALWAYS, is_main=is_main)
            package = name.rpartition(".")[0]
            if package:
                loaded.import_((package, (), 0), file, ALWAYS)
        self._start_functions()
        self._files, self._roots = files, roots
        self._switches: list[tuple[str, int]] = []
        """Where it switches x64."""
        self.evidence = list(self._evidence(evidence))
        self.files: Final = tuple(loaded.levels)
        """What it loads, always or sometimes."""

    def early_files(self) -> set[str]:
        """The files in which it may make arrays before it switches x64."""
        entry, files, roots = self.entry, self._files, self._roots
        lines: dict[str, set[int]] = {}
        for found in self._switches:
            lines.setdefault(found[0], set()).add(found[1])
        return early_files(
            [(str(path.resolve()), name) for name, path in entry.modules],
            self._entry_file if entry.kind in ("script", "module") else "",
            files.tree,
            lambda what, file, name: files.imported(roots, what, name, file.endswith(_PACKAGE)),
            lines,
        )

    def _evidence(self, evidence: Mapping[str, list[Evidence]]) -> Iterator[Evidence]:
        own = [str(path.resolve()) for _, path in self.entry.modules]
        for file in dict.fromkeys([*own, *self._loaded.codes]):
            code = self._loaded.codes[file]
            for found in evidence.get(file, ()):
                level = self._loaded.parts.get(id(code.part_of(found.line)), 0)
                if level:
                    self._switches.append((file, found.line))
                    yield found if level == ALWAYS else Evidence(found.file, found.line, found.text, None)

    def _start_functions(self) -> None:
        """Functions that nothing uses: those of the entry point are for its callers, others if a decorator has them.

        All of a library's may be called by who uses it.
        """
        is_library = self.entry.kind == "library"
        for file, code in list(self._loaded.codes.items()):
            is_own = file == self._entry_file
            for part in code.functions if is_own or is_library else code.decorated:
                if id(part) not in self._loaded.parts:
                    self._loaded.run(part, ALWAYS if is_own else SOMETIMES)


def _named(entry: EntryPoint, name: str) -> EntryPoint:
    return replace(entry, name=name)
