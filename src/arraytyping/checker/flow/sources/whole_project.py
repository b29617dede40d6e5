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
from arraytyping.checker.flow.sources.project import Project, Source
from arraytyping.checker.flow.sources.statements import nodes_of

__all__ = ["ANY_FUNCTION", "WholeProject", "whole_project"]

ANY_FUNCTION: Final = "*"
"""Stands for the name of every function."""
_MOST_FILES: Final = 500
"""So many files that are not checked are read."""
_MOST_FOLDERS: Final = 2000


@dataclass(frozen=True)
class WholeProject:
    """The files that are checked and those beside them."""

    project: Project
    """All of them."""
    beside: tuple[Source, ...]
    """Those that are not checked."""
    is_closed: bool
    """Whether there are no others."""

    def called_beside(self, modules: Iterable[Source]) -> frozenset[str]:
        """The names of functions and classes of some modules by which files that are not checked may call them."""
        if not self.is_closed:
            return frozenset([ANY_FUNCTION])
        own = {
            node.name
            for source in modules
            for node in nodes_of(source.tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        return frozenset(own & set().union(*(_taken_from_others(source.tree) for source in self.beside)))


def whole_project(project: Project) -> WholeProject:
    """The project with what lies beside its files."""
    known = {**project.sources, **project.set_aside}
    found: list[Path] = []
    is_closed = True
    for folder in sorted(project.folders()):
        for file in _files_below(folder):
            if file is not None and (path := Path(os.path.realpath(file))) not in known:
                found.append(path)
            if file is None or len(found) > _MOST_FILES:
                is_closed = False
                break
    more = project.with_files(found if is_closed else [])
    return WholeProject(more, tuple(s for path, s in more.sources.items() if path not in project.sources), is_closed)


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


@functools.lru_cache(maxsize=4096)
def _taken_from_others(tree: ast.Module) -> frozenset[str]:
    """The names by which a file may take functions from elsewhere: those that it imports, and all attributes."""
    found: set[str] = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.ImportFrom):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
    if "*" in found:
        found.update(node.id for node in nodes_of(tree) if isinstance(node, ast.Name))
    return frozenset(found - {"*"})
