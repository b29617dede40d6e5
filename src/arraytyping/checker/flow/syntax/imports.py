"""Imports: modules of the program are interpreted, those of known libraries are imported, all others are unknown.

A program's module is found under the roots of the program, by its path; nothing of it is imported for real.
"""

from __future__ import annotations

import ast
import enum
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.python import attributes
from arraytyping.checker.flow.real_calls.library_imports import import_library, why_without_jax
from arraytyping.checker.flow.real_calls.removed_names import what_became_of
from arraytyping.checker.flow.sources.bound_names import binds_in_others, binds_unseen
from arraytyping.checker.flow.sources.built_modules import is_built
from arraytyping.checker.flow.sources.installed_sources import READS_ONLY
from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.flow.state.certainty import doubting
from arraytyping.checker.flow.state.imported_packages import note_imported
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds, Raised, Recursion
from arraytyping.checker.flow.syntax.library_modules import LibraryModules
from arraytyping.checker.flow.syntax.module_search import ModuleSearch
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    InertValue,
    InstanceValue,
    LazyName,
    ModuleValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.frames import Frame, Module

__all__ = ["Importer"]


_EXECUTED: Final = "__executed__"
"""Bound in each module when it has been executed; when that is taken back, so is this."""


def _loader(name: str, path: Path) -> Value:
    """What has loaded a module, as far as programs ask for it: its name and file."""
    cls = ClassValue("SourceFileLoader", (), {}, None)
    cls.kind = "unknown"
    return InstanceValue(cls, {"name": name, "path": str(path)})


class Importer(ModuleSearch):
    """The modules of one run, by name; `roots` are the directories under which the program's own are looked for."""

    lazy_types: frozenset[type] = frozenset({LazyName, enum.auto})

    def __init__(
        self, roots: tuple[Path, ...], shown: dict[Path, str] | None = None, stand_ins: tuple[Path, ...] = ()
    ) -> None:
        super().__init__(roots)
        self.libraries: LibraryModules = LibraryModules(stand_ins)
        self.modules: dict[str, Module] = {}
        self.by_path: dict[Path, Module] = {}
        self.loaded: list[Module] = []
        self.errors: list[SourceError] = []
        self.shown: dict[Path, str] = {} if shown is None else shown
        self.overrides: dict[Path, str] = {}
        self.data: set[Path] = set()
        """The files of data that were read or looked for, and the folders that were listed."""
        self.watch: Callable[[Interpreter, Module], None] | None = None
        """Told of each module of the program before anything of it is executed."""

    def resolve(self, it: Interpreter, value: Any) -> Value:
        """The value of a name that is bound lazily."""
        if isinstance(value, enum.auto):  # for which the class that it stands in has put a number meanwhile
            return it.unknown("what auto() stands for")
        return self.libraries.resolve(it, value)

    def resolved(self, it: Interpreter, value: Value) -> Value:
        """A value, and of a name that is bound lazily its value."""
        return self.resolve(it, value) if type(value) in self.lazy_types else value

    # ------------------------------------------------------------------ modules of the program

    def load(
        self, it: Interpreter, name: str, path: Path, is_package: bool, run_name: str | None = None
    ) -> Module | None:
        """The module in a file, executed once; None if it cannot be read.

        `run_name` is what the module sees as `__name__`, if it is run as a program.
        """
        key = run_name or name
        known = self.modules.get(key)
        if known is not None:
            if _is_taken_back(known):
                self._execute(it, known, run_name)
            return known
        try:
            source, tree = (
                ("", ast.parse("")) if path.is_dir() else read_source(path, self.overrides.get(path.resolve()))
            )
        except SourceError as error:
            self.errors.append(error)
            return None
        module = Module(name, path, source, tree, True, is_package)
        module.shown = self.shown.get(path.resolve(), module.shown)
        self.modules[key] = module
        self.loaded.append(module)
        self.by_path.setdefault(path.resolve(), module)
        frame = module.frame
        package = name if is_package else name.rpartition(".")[0]
        frame.variables.update(
            __name__=run_name or name,
            __file__=str(path),
            __doc__=ast.get_docstring(tree),
            __package__=package,
            __spec__=None,
            __loader__=_loader(run_name or name, path),
        )
        if is_package:
            frame.variables["__path__"] = Unknown("the path of a package")
        if self.watch is not None:
            self.watch(it, module)
        self._execute(it, module, run_name)
        return module

    def _execute(self, it: Interpreter, module: Module, run_name: str | None) -> None:
        frame = module.frame
        frame.mark = it.journal.mark
        with it.in_frame(frame), doubting(it, frame):
            self._run(it, module, run_name)
        it.journal.bind(frame, _EXECUTED, True)
        module.is_done = True

    def _run(self, it: Interpreter, module: Module, run_name: str | None) -> None:
        try:
            it.execute(module.tree.body, module.frame)
        except Raised as error:
            if run_name is None:
                raise
            it.report(error)
        except ProgramEnds:
            if run_name is None:
                raise
        except Recursion:
            it.unknown("a recursion at the top of a module")

    # ------------------------------------------------------------------ import statements

    def import_module(self, it: Interpreter, name: str, node: ast.AST, frame: Frame, is_whole: bool) -> Value:
        """What `import name` binds: the module itself with `as`, else the package at its head."""
        if self.find(name.partition(".")[0]) is not None and not _is_stdlib(name):
            module = self.module(it, name)
            if module is None:
                return _not_found(it, f"the module {name}")
            if is_whole:
                return ModuleValue(module)
            head = self.modules.get(name.partition(".")[0])
            return ModuleValue(head) if head is not None else it.unknown(f"the module {name}")
        note_imported(it, name)
        real = None if self.stands_in(name) else import_library(name)
        if real is not None:
            return real if is_whole else sys.modules[name.partition(".")[0]]
        if self.libraries.find(name) is not None:
            return LazyName(name if is_whole else name.partition(".")[0])
        if (why := what_became_of(name)) is not None:
            instead = attributes.replaced(it, name, f"ModuleNotFoundError: {why}", node)
            return instead if is_whole else sys.modules[name.partition(".")[0]]
        self._refuse(name, node, frame)
        return _foreign(it, name, f"the module {name}, which is not followed")

    def stands_in(self, name: str) -> bool:
        """Whether there is a stand-in for a module, or for one that it is in."""
        return self.libraries.stands_in(name)

    def import_names(self, it: Interpreter, node: ast.ImportFrom, frame: Frame) -> Iterator[tuple[str, Value]]:
        """The names and values that `from ... import ...` binds."""
        base = self._absolute(node, frame)
        if base is None:
            for alias in node.names:
                yield alias.asname or alias.name, _not_found(it, "a relative import outside of a package")
            return
        if base == "__future__":
            return
        # What a stand-in imports of us is ours, also where the program that is checked is this very package.
        is_ours = base.partition(".")[0] == "arraytyping" and not frame.module.is_program
        if not is_ours and self.find(base.partition(".")[0]) is not None and not _is_stdlib(base):
            yield from self._program_names(it, base, node)
            return
        note_imported(it, base)
        real = None if self.stands_in(base) else import_library(base)
        if real is None and self.libraries.find(base) is not None:
            for alias in node.names:
                if alias.name == "*":
                    yield from self.libraries.star(it, base)
                else:
                    yield alias.asname or alias.name, LazyName(base, alias.name)
            return
        if real is None:
            self._refuse(base, node, frame)
            if (why := what_became_of(base)) is not None:
                instead = attributes.replaced(it, base, f"ModuleNotFoundError: {why}", node)
                if isinstance(instead, ModuleValue):
                    for alias in node.names:
                        found = self.attribute(it, instead, alias.name)
                        yield alias.asname or alias.name, it.unknown(base) if found is MISSING else found
                    return
                real = instead if isinstance(instead, types.ModuleType) else None
        for alias in node.names:
            if real is None:
                if alias.name != "*":
                    yield alias.asname or alias.name, _foreign(it, base, f"{base}.{alias.name}, which is not followed")
            elif alias.name == "*":
                names = getattr(real, "__all__", None) or [n for n in vars(real) if not n.startswith("_")]
                for name in names:
                    found = getattr(real, name, None)
                    stands = it.registry.find_object(found)
                    yield name, it.engines.from_python(found) if stands is None else stands(it)
            else:
                yield alias.asname or alias.name, self._library_name(it, real, base, alias.name, node)

    def _program_names(self, it: Interpreter, base: str, node: ast.ImportFrom) -> Iterator[tuple[str, Value]]:
        """The names that are bound of a module of the program."""
        module = self.module(it, base)
        for alias in node.names:
            if module is None:
                if alias.name != "*":
                    yield alias.asname or alias.name, _not_found(it, f"the module {base}")
            elif alias.name == "*":
                yield from self._star(it, module)
            else:
                value = self.attribute(it, ModuleValue(module), alias.name)
                if value is MISSING:
                    value = _not_found(it, f"{base}.{alias.name}")
                    # One in a circle of imports may bind it yet; of a module that cannot be read that is told.
                    is_missing = module.is_done and self.find(f"{base}.{alias.name}") is None
                    if is_missing and not is_built(module.path, alias.name):
                        it.fail(node, "array-call", f"ImportError: cannot import name {alias.name!r} from {base!r}")
                yield alias.asname or alias.name, value

    def _refuse(self, name: str, node: ast.AST, frame: Frame) -> None:
        """Note that the program cannot be followed, if it is jax that could not be imported."""
        if (why := why_without_jax(name)) is not None:
            message = f"jax cannot be imported, so nothing is known of arrays: {why}"
            self.errors.append(SourceError(Path(frame.module.shown), getattr(node, "lineno", 1), message))

    def _library_name(self, it: Interpreter, real: Any, base: str, name: str, node: ast.AST) -> Value:
        if self.stands_in(f"{base}.{name}"):
            return LazyName(f"{base}.{name}")
        try:
            found = getattr(real, name, MISSING)
        except ImportError as error:  # a name that a library loads when it is asked for
            it.obscure += 1
            return it.unknown(f"{base}.{name}, which cannot be imported: {error}")
        if found is MISSING:
            found = import_library(f"{base}.{name}")
            if found is None and (why := what_became_of(f"{base}.{name}")) is not None:
                return attributes.replaced(it, f"{base}.{name}", f"ImportError: {why}", node)
            if found is None:
                return _not_found(it, f"{base}.{name}")
        stands = it.registry.find_object(found)
        return it.engines.from_python(found) if stands is None else stands(it)

    def library_submodule(self, it: Interpreter, package: str, name: str) -> Value:
        """A submodule of a library that is not imported yet, or that has a stand-in; MISSING if there is none."""
        if self.stands_in(f"{package}.{name}"):
            return self.resolve(it, LazyName(f"{package}.{name}"))
        found = import_library(f"{package}.{name}")
        return MISSING if found is None else found

    def _absolute(self, node: ast.ImportFrom, frame: Frame) -> str | None:
        if not node.level:
            return node.module or ""
        module = frame.module
        package = module.name.split(".") if module.is_package else module.name.split(".")[:-1]
        up = node.level - 1
        if up > len(package) or not package:
            return None
        base = package[: len(package) - up]
        return ".".join([*base, *([node.module] if node.module else [])]) or None

    def module(self, it: Interpreter, name: str) -> Module | None:
        """A module of the program, its packages executed first."""
        parts = name.split(".")
        module: Module | None = None
        for i in range(1, len(parts) + 1):
            prefix = ".".join(parts[:i])
            known = self.modules.get(prefix)
            if known is None or _is_taken_back(known):
                found = self.find(prefix)
                if found is None:
                    return None
                known = self.load(it, prefix, *found)
                if known is None:
                    return None
                if module is not None:
                    it.journal.bind(module.frame, parts[i - 1], ModuleValue(known))
            module = known
        return module

    def _star(self, it: Interpreter, module: Module) -> Iterator[tuple[str, Value]]:
        exported = module.frame.variables.get("__all__")
        names = None
        if exported is not None:
            items, _ = it.iterate(exported, None)
            names = [n for n in items or () if isinstance(n, str)]
        for name, value in list(module.frame.variables.items()):
            if name in names if names is not None else not name.startswith("_"):
                yield name, value

    def attribute(self, it: Interpreter, value: ModuleValue, name: str) -> Value:
        """An attribute of a module of the program: a name, or a submodule; MISSING if there is none."""
        module = value.module
        if module.is_library:
            return self.libraries.attribute(it, module.name, module, name)
        found = module.frame.variables.get(name, MISSING)
        if type(found) is LazyName:
            return self.resolve(it, found)
        if found is not MISSING:
            return found
        if module.is_package and self.find(f"{module.name}.{name}") is not None:
            sub = self.module(it, f"{module.name}.{name}")
            if sub is not None:
                return ModuleValue(sub)
        getattr_ = module.frame.variables.get("__getattr__")
        if getattr_ is not None:
            return it.call(getattr_, [name], {}, None)
        if not module.is_done:
            return Unknown(f"{name} of a module that is being imported")
        if module.path.is_dir():  # a library that is installed elsewhere goes before a folder of its name
            return Unknown(f"{name} of the folder {module.name}, which has no such file")
        if binds_unseen(module.tree) or any(binds_in_others(m.tree) for m in self.loaded if m.is_program):
            return Unknown(f"{name} of {module.name}, which may bind names that are not seen")
        return MISSING


def _foreign(it: Interpreter, module: str, why: str) -> Unknown:
    """What a module that is not followed gives; where it is not installed, its import raises."""
    it.obscure += 1
    unknown = it.unknown(why)
    return InertValue(why) if module.partition(".")[0] in READS_ONLY else unknown


def _not_found(it: Interpreter, what: str) -> Unknown:
    """What is imported that is not found here: where the program runs it may be there, or the import raises."""
    it.obscure += 1
    return it.unknown(f"{what}, which is not found")


def _is_stdlib(name: str) -> bool:
    return name.partition(".")[0] in ("__future__",)


def _is_taken_back(module: Module) -> bool:
    """Whether a module was executed on a path, or in a test, that was taken back since, with all that it had bound."""
    return module.is_done and _EXECUTED not in module.frame.variables
