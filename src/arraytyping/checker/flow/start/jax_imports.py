"""Which file of a program imports jax, itself or through the program's own modules.

It is asked where jax is installed nowhere: without it nothing can be said of such a program.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.sources.project import Project, Source, module_name, near
from arraytyping.checker.flow.sources.source_files import SourceError, read_source

__all__ = ["JaxImport", "find_jax_import"]

_JAX: Final = frozenset({"jax", "jaxlib", "chex", "equinox", "flax", "optax"})
"""jax, and those libraries that flow knows and that do not work without it."""


@dataclass(frozen=True, slots=True)
class JaxImport:
    """An import of `name`, by a file as it is shown."""

    path: str
    line: int
    name: str


def find_jax_import(paths: Sequence[Path]) -> JaxImport | None:
    """The first import of jax in these files and directories, and in the program's modules that they import."""
    from arraytyping.checker.flow.syntax.imports import Importer  # half of flow, and seldom needed

    project = Project(paths)
    waiting = list(project.sources.values())
    seen = {source.path for source in waiting}
    for source in waiting:
        importer = Importer(project.roots(source.path, source.base))
        for line, name in _imports(source):
            found = importer.find(name)
            if found is None and importer.find(name.partition(".")[0]) is None:
                if name.partition(".")[0] in _JAX:
                    shown = project.shown.get(source.path, str(near(source.path)))
                    return JaxImport(shown, line, name.partition(".")[0])
                continue
            if found is not None and found[0].is_file() and (path := found[0].resolve()) not in seen:
                seen.add(path)
                try:
                    waiting.append(Source(path, read_source(path)[1], *module_name(path)))
                except SourceError:
                    continue
    return None


def _imports(source: Source) -> Iterator[tuple[int, str]]:
    """The names of the modules that a file may import, with the lines."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            alone = Source(source.path, ast.Module([node], []), source.name, source.base)
            yield from ((node.lineno, name) for name in sorted(alone.imports))
