"""The files of a project into which complex numbers may come, since they or files that they are tied to name some."""

from __future__ import annotations

from arraytyping.checker.flow.sources.made_values import made_in
from arraytyping.checker.flow.sources.project import Project
from arraytyping.checker.import_graph import importers_of, reached

__all__ = ["complex_files"]


def complex_files(project: Project) -> frozenset[str]:
    """The paths of files that name complex numbers, import one that does, or are imported by one, directly or not."""
    naming = {path for path, source in project.sources.items() if "complex numbers" in made_in(source.tree)}
    if not naming:
        return frozenset()
    imports = project.imports_of()
    return frozenset(map(str, reached(naming, imports) | reached(naming, importers_of(imports))))
