"""The files of a project into which complex numbers may come, since they or files that they are tied to name some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from arraytyping.checker.flow.sources.made_values import made_in
from arraytyping.checker.flow.sources.project import Project

__all__ = ["complex_files"]


def complex_files(project: Project) -> frozenset[str]:
    """The paths of files that name complex numbers, import one that does, or are imported by one, directly or not."""
    naming = {path for path, source in project.sources.items() if "complex numbers" in made_in(source.tree)}
    if not naming:
        return frozenset()
    imports = project.imports_of()
    importers: dict[Path, set[Path]] = {}
    for path, imported in imports.items():
        for other in imported:
            importers.setdefault(other, set()).add(path)
    return frozenset(map(str, _reached(naming, imports) | _reached(naming, importers)))


def _reached(begin: Iterable[Path], edges: Mapping[Path, set[Path]]) -> set[Path]:
    found: set[Path] = set()
    waiting = list(begin)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += edges.get(path, ())
    return found
