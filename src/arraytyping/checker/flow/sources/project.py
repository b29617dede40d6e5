"""A project: its files, the names of its modules, and the directories where a program finds its own modules.

As in Python, the directory of a script comes first; then the one around its package, `src` and the root of the
project, as if the project were installed.
"""

from __future__ import annotations

import ast
import os
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from importlib.machinery import PathFinder
from pathlib import Path

from arraytyping.checker.file_selection import DEFAULT_EXCLUDE
from arraytyping.checker.flow.sources.project_roots import project_root, root_above
from arraytyping.checker.flow.sources.search_path_changes import added_folders
from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.flow.sources.stand_ins import find_stand_in
from arraytyping.checker.flow.sources.statements import statements
from arraytyping.checker.flow.sources.test_files import is_test_file
from arraytyping.checker.imported_files import imported_names, read_or_nothing
from arraytyping.regular_files import read_regular_text

__all__ = ["Project", "Source", "files_under", "module_name", "near"]

_INSTALLED = frozenset({"site-packages", "dist-packages"})


class Source:
    """A file of the project: its tree, its name as a module, and the directory under which it has that name."""

    def __init__(self, path: Path, tree: ast.Module, name: str, base: Path) -> None:
        self.path = path
        self.tree = tree
        self.name = name
        self.base = base

    @property
    def is_test(self) -> bool:
        """Whether pytest collects it."""
        return is_test_file(self.path)

    @property
    def is_package(self) -> bool:
        """Whether it is the `__init__.py` of a package."""
        return self.path.name == "__init__.py"

    @cached_property
    def has_main(self) -> bool:
        """Whether it asks if it is run as a program."""
        for node in self.tree.body:
            if isinstance(node, ast.If) and isinstance(node.test, ast.Compare):
                names = [n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)]
                values = [n.value for n in ast.walk(node.test) if isinstance(n, ast.Constant)]
                if "__name__" in names and "__main__" in values:
                    return True
        return False

    @cached_property
    def has_functions(self) -> bool:
        """Whether it defines functions, or classes, which may have methods."""
        return any(isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) for n in self.tree.body)

    @cached_property
    def does_something(self) -> bool:
        """Whether its body calls something other than to decorate."""
        kinds = (ast.Expr, ast.Assign, ast.AnnAssign, ast.For, ast.While, ast.With, ast.Assert)
        statements = [node for node in self.tree.body if isinstance(node, kinds)]
        return any(isinstance(n, ast.Call) for node in statements for n in ast.walk(node))

    @cached_property
    def imports(self) -> frozenset[str]:
        """The names of the modules that it may import, with their packages."""
        found: set[str] = set()
        for node in statements(self.tree):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = self._absolute(node)
                found.add(base)
                found.update(f"{base}.{alias.name}" for alias in node.names)
        return frozenset(found)

    @cached_property
    def search_path(self) -> list[Path]:
        """The folders that it puts into the search path."""
        return [] if self.imports.isdisjoint({"site", "sys"}) else added_folders(self.path, self.tree)

    @cached_property
    def imports_neighbours(self) -> bool:
        """Whether it imports files beside it as only a script can, though they are parts of a package."""
        if self.base == self.path.parent:
            return False
        heads: set[str] = set()
        for node in statements(self.tree):
            if isinstance(node, ast.Import):
                heads.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                heads.add(node.module.partition(".")[0])
        # One that imports its own package by name may have a neighbour of a library's name, as in `pkg/torch/`.
        is_part = self.name.partition(".")[0] in heads
        return any(
            not _is_module(self.base, head)
            and not _is_installed(head)
            and not (is_part and find_stand_in(head) is not None)
            and self._has_neighbour(head)  # last, since it reads the file
            for head in heads - sys.stdlib_module_names
        )

    def _has_neighbour(self, name: str) -> bool:
        """Whether a module of this name lies beside it, other than itself.

        One that imports its own name is called as the library of which it makes use, as in `operators/numba.py`.
        """
        file = self.path.with_name(f"{name}.py")
        if not _is_module(self.path.parent, name) or file == self.path:
            return False
        heads = {imported.partition(".")[0] for imported in imported_names(read_or_nothing(file))}
        return name not in heads

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self.name.split(".") if self.is_package else self.name.split(".")[:-1]
        return ".".join([*package[: len(package) - node.level + 1], *([node.module] if node.module else [])])


class Project:
    """The files under the paths that were given; `root` is the directory of the configuration.

    `read` gives the text and the tree of a file.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        root: Path | None = None,
        read: Callable[[Path], tuple[str, ast.Module]] = read_source,
    ) -> None:
        self._read = read
        self.root: Path = (root or Path.cwd()).resolve()
        self.errors: list[SourceError] = []
        self.sources: dict[Path, Source] = {}
        self.set_aside: dict[Path, Source] = {}
        """The files of which another machine says what there is to say."""
        self.shown: dict[Path, str] = {}
        # Many files lie in few directories, which do not change while a project is read.
        self._top = cache(root_above)
        self._base = cache(_base_of)
        self._roots = cache(self._find_roots)
        for path in paths:
            for file in files_under(path):
                self._add(file)

    def _add(self, file: Path) -> None:
        path = Path(os.path.realpath(file))  # which a link to itself does not stop
        if path in self.sources:
            return
        self.shown.setdefault(path, str(file))
        try:
            _, tree = self._read(path)
        except SourceError as error:
            self.errors.append(SourceError(file, error.line, error.message))
            return
        self.sources[path] = Source(path, tree, *_named(path, self._top(path.parent), self._base(path.parent)))

    def keep_only(self, files: frozenset[Path]) -> None:
        """Set all other files aside, of which another machine says what there is to say."""
        self.set_aside = {path: source for path, source in self.sources.items() if path not in files}
        self.sources = {path: source for path, source in self.sources.items() if path in files}

    def folders(self) -> set[Path]:
        """The folders in which the whole of it lies: those of its configuration, else those of packages and scripts."""
        found = {self._top(path.parent) for path in self.sources}
        return {top for top in found if not any(other in top.parents for other in found)}

    def with_files(self, paths: Iterable[Path]) -> Project:
        """The project with those set aside, and with some other files, without those that cannot be read."""
        more = Project((), self.root, self._read)
        more.sources = {**self.sources, **self.set_aside}
        more.shown.update(self.shown)
        for path in paths:
            more._add(path)
        return more

    def roots(self, path: Path, first: Path) -> tuple[Path, ...]:
        """Where a program that begins in a file finds its own modules; `first` is before all others."""
        around = self._top(path.parent)
        roots = self._roots(first, _named(path, around, self._base(path.parent))[1], around)
        return tuple(dict.fromkeys((*roots[:1], *self._added(path, around), *roots[1:])))

    def _added(self, path: Path, around: Path) -> Iterator[Path]:
        """The folders of the project that a file puts into the search path; what lies beside it is no part of it."""
        source = self.sources.get(path)
        for folder in () if source is None else source.search_path:
            if any(folder.is_relative_to(top) for top in (around, self.root)) and folder.name not in _INSTALLED:
                yield near(folder)

    def _find_roots(self, first: Path, base: Path, around: Path) -> tuple[Path, ...]:
        found = [first, base, *_python_path(around), around / "src", around, self.root / "src", self.root]
        # Whatever is installed is no part of the program, also where a file of a library itself was given.
        return tuple(dict.fromkeys(near(p) for p in found if p.is_dir() and p.name not in _INSTALLED))

    def imported(self) -> set[Path]:
        """The files that other ones import."""
        by_name = self._by_name()
        return {
            found.path
            for source in self.sources.values()
            for name in source.imports
            for found in by_name.get(name, ())
            if _imports(source, name, found)
        }

    def imports_of(self) -> dict[Path, set[Path]]:
        """The files that each file imports, with the packages that they are in."""
        by_name = self._by_name()
        return {
            source.path: {
                found.path
                for name in {n for full in source.imports for n in _with_packages(full)}
                for found in by_name.get(name, ())
                if _imports(source, name, found)
            }
            for source in self.sources.values()
        }

    def _by_name(self) -> dict[str, list[Source]]:
        """The files that a name of a module may stand for."""
        by_name: dict[str, list[Source]] = {}
        for source in self.sources.values():
            by_name.setdefault(source.name, []).append(source)
            if source.path.stem != source.name:
                by_name.setdefault(source.path.stem, []).append(source)
            by_name.setdefault(_from_above(source), []).append(source)
        return by_name

    def conftests(self, path: Path) -> list[Path]:
        """The conftest files that hold for a test file, the nearest first."""
        top = self._top(path.parent)
        found = []
        for directory in path.parents:
            if (file := directory / "conftest.py").is_file():
                found.append(near(file))
            if directory == top:
                break
        return found


def _is_module(directory: Path, name: str) -> bool:
    return (directory / f"{name}.py").is_file() or (directory / name / "__init__.py").is_file()


def _is_installed(name: str) -> bool:
    """Whether a module of this name is found without the program's own folders."""
    try:
        return PathFinder.find_spec(name) is not None
    except (ImportError, ValueError, OSError):
        return False


def _imports(source: Source, name: str, found: Source) -> bool:
    return found is not source and (name in (found.name, _from_above(found)) or found.path.parent == source.path.parent)


def _from_above(source: Source) -> str:
    """The name of a module where the program is run from the folder above its own."""
    return f"{source.base.name}.{source.name}"


def _with_packages(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[:i]) for i in range(1, len(parts) + 1))


def files_under(path: Path) -> Iterator[Path]:
    """The Python files under a path, or the file that it is; patterns need a library that not every program has."""
    if not path.is_dir():
        yield path
        return
    for directory, directories, names in os.walk(path):
        here = Path(directory)
        directories[:] = sorted(
            d for d in directories
            if d not in DEFAULT_EXCLUDE and not d.startswith(".") and not (here / d / "pyvenv.cfg").exists()
        )  # fmt: skip
        yield from (here / name for name in sorted(names) if name.endswith(".py"))


def module_name(path: Path) -> tuple[str, Path]:
    """The name of a file as a module, and the directory under which it has it."""
    return _named(path, project_root(path), _base_of(path.parent))


def _named(path: Path, top: Path, base: Path) -> tuple[str, Path]:
    if (top / "src") in path.parents:
        parts = path.relative_to(top / "src").with_suffix("").parts
        if all(part.isidentifier() for part in parts):
            return _dotted(parts), top / "src"
    return _dotted(path.relative_to(base).with_suffix("").parts), base


def _base_of(directory: Path) -> Path:
    """The directory around the packages that one lies in."""
    while (directory / "__init__.py").is_file() and directory.name.isidentifier() and directory != directory.parent:
        directory = directory.parent
    return directory


def _dotted(parts: tuple[str, ...]) -> str:
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _python_path(root: Path) -> list[Path]:
    """What pytest is told to put before the search path."""
    try:
        document = tomllib.loads(read_regular_text(root / "pyproject.toml"))
        given = document["tool"]["pytest"]["ini_options"]["pythonpath"]
    except (OSError, ValueError, LookupError, TypeError):
        return []
    names = given.split() if isinstance(given, str) else given if isinstance(given, list) else []
    return [root / name for name in names if isinstance(name, str)]


def near(path: Path) -> Path:
    """A path relative to the current directory where it lies under it: so are modules shown that are found there."""
    try:
        return path.resolve().relative_to(Path.cwd())
    except ValueError:
        return path.resolve()
