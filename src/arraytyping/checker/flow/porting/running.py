"""One interpretation of a program, as it is or as its port, with x64 on or off."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arraytyping.checker.flow.porting.noting import Context, Key, NotingInterpreter, Seen, key_of
from arraytyping.checker.flow.porting.reading import PortingImporter
from arraytyping.checker.flow.sources.project import Project
from arraytyping.checker.flow.start.program import interpret_from
from arraytyping.checker.flow.start.python_interpreter import PythonInterpreter
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.flow.syntax.imports import Importer
from arraytyping.checker.flow.values.frames import Module
from arraytyping.checker.settings import Settings

__all__ = ["Reading", "read_program"]


@dataclass
class Reading:
    """What an interpretation has seen; `nodes` are the expressions of the files, `trees` the files themselves."""

    seen: dict[Key, dict[Context, list[Seen]]]
    cut: set[Key]
    carried: dict[Key, set[Key]]
    callees: dict[Key, set[Key]]
    functions: dict[Key, str]
    diagnostics: list[Diagnostic]
    is_complete: bool
    crashes: dict[str, int]
    modules: list[Module]
    nodes: dict[Key, ast.AST] = field(default_factory=dict)
    parents: dict[Key, Key] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for module in self.modules:
            for node in ast.walk(module.tree):
                if hasattr(node, "lineno"):
                    key = key_of(module, node)
                    self.nodes[key] = node
                    for child in ast.iter_child_nodes(node):
                        if hasattr(child, "lineno"):
                            self.parents[key_of(module, child)] = key

    def source(self, key: Key) -> str:
        """An expression as it is written, in one line."""
        text = next((m.source for m in self.modules if m.shown == key[0]), "")
        found = ast.get_source_segment(text, self.nodes[key]) if key in self.nodes else None
        return " ".join((found or "").split())


def read_program(path: Path, *, as_port: bool, x64: bool | None) -> Reading:
    """Interpret a program that is run as a script.

    `x64` is that of JAX where the program begins, None for what the environment says.
    """
    project = Project([path])
    roots = project.roots(path.resolve(), path.resolve().parent)
    importer = (PortingImporter if as_port else Importer)(roots, project.shown)
    made: list[NotingInterpreter] = []

    def begin(given: PythonInterpreter) -> None:
        it = NotingInterpreter(importer, given.registry, given.engines, given.limits)
        it.frame = given.frame
        made.append(it)
        importer.load(it, "__main__", path, False, "__main__")

    settings = Settings() if x64 is None else Settings(x64=x64)
    result = interpret_from(begin, importer, path, settings=settings)
    (it,) = made
    diagnostics = sorted(it.diagnostics.values(), key=lambda m: m.position)
    crashes: Any = it.crashes
    return Reading(
        it.seen,
        it.cut,
        it.carried,
        it.callees,
        it.functions,
        diagnostics,
        result.is_complete,
        dict(crashes),
        [module for module in importer.loaded if module.is_program and not module.path.is_dir()],
    )
