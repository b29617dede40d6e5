"""All files of a project, those that are not checked among them: they call what is in the others, and derive from it.

Who checks one file, as an editor does, gives one; what else is in the project lies beside it on the disk.
"""

from __future__ import annotations

import ast
import functools
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arraytyping.checker.file_selection import DEFAULT_EXCLUDE
from arraytyping.checker.flow.sources.importers import importers
from arraytyping.checker.flow.sources.project import Project, Source
from arraytyping.checker.flow.sources.statements import nodes_of

__all__ = ["ANY_FUNCTION", "WholeProject", "whole_project"]

ANY_FUNCTION: Final = "*"
"""Stands for the name of every function."""
_MOST_FILES: Final = 500
"""So many files that are not checked are read."""
_MOST_FOLDERS: Final = 2000
_MOST_NAMED: Final = 20_000
"""So many are looked through for the names of those that are checked."""


@dataclass(frozen=True)
class WholeProject:
    """The files that are checked and those beside them."""

    project: Project
    """All of them."""
    beside: tuple[Source, ...]
    """Those that are not checked."""
    is_closed: bool
    """Whether there are no others."""
    unread: tuple[Path, ...] = ()
    """The others, where they are too many to be read; none where even to look for them takes too long."""

    def called_beside(self, modules: Iterable[Source]) -> frozenset[str]:
        """The names of functions and classes of some modules by which files that are not checked may call them."""
        modules = list(modules)
        beside = self.beside
        if not self.is_closed:
            callers = importers(self.unread, (source.path for source in modules))
            if not self.unread or len(callers) > _MOST_FILES:
                return frozenset([ANY_FUNCTION])
            read = self.project.with_files(callers)
            beside = tuple(source for path, source in read.sources.items() if path not in self.project.sources)
        taken: set[str] = set()
        called_plainly: set[str] = set()
        for source in beside:
            names, plainly = _taken_from_others(source.tree)
            taken |= names
            called_plainly |= plainly
        own = {
            node.name
            for source in modules
            for node in nodes_of(source.tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and (node.name in taken or not (node in source.tree.body and _wants_arguments(node)))
        }
        return frozenset(own & (taken | called_plainly))


def whole_project(project: Project) -> WholeProject:
    """The project with what lies beside its files."""
    known = {**project.sources, **project.set_aside}
    found: list[Path] = []
    is_listed = True
    for folder in sorted(project.folders()):
        for file in _files_below(folder):
            if file is not None and (path := Path(os.path.realpath(file))) not in known:
                found.append(path)
            if file is None or len(found) > _MOST_NAMED:
                is_listed = False
                break
    is_closed = is_listed and len(found) <= _MOST_FILES
    more = project.with_files(found if is_closed else [])
    beside = tuple(s for path, s in more.sources.items() if path not in project.sources)
    return WholeProject(more, beside, is_closed, tuple(dict.fromkeys(found)) if is_listed and not is_closed else ())


def _files_below(folder: Path) -> Iterator[Path | None]:
    """The Python files in a folder and those below; None where these are too many folders to look through."""
    for number, (directory, inner, names) in enumerate(os.walk(folder)):
        if number >= _MOST_FOLDERS:
            yield None
            return
        here = Path(directory)
        inner[:] = sorted(
            name
            for name in inner
            if name not in DEFAULT_EXCLUDE and not name.startswith(".") and not (here / name / "pyvenv.cfg").exists()
        )
        yield from (here / name for name in sorted(names) if name.endswith(".py"))


def _wants_arguments(node: ast.AST) -> bool:
    """Whether it is a function that cannot be called with nothing."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    given = node.args
    needed = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    return needed > 0 or None in given.kw_defaults


@functools.lru_cache(maxsize=4096)
def _taken_from_others(tree: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    """The names by which a file may take functions from elsewhere: those that it imports, and all attributes.

    Apart are those of attributes that are only called, with nothing, as `counts.total()`.
    """
    found: set[str] = set()
    plainly: set[str] = set()
    called: set[ast.expr] = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.ImportFrom):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not (node.args or node.keywords):
            called.add(node.func)
            plainly.add(node.func.attr)
        elif isinstance(node, ast.Attribute) and node not in called:
            found.add(node.attr)
    if "*" in found:
        found.update(node.id for node in nodes_of(tree) if isinstance(node, ast.Name))
    return frozenset(found - {"*"}), frozenset(plainly - found)
