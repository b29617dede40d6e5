"""A session of IPython: its cells as programs, each with what the variables are before it."""

from __future__ import annotations

import ast
import base64
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.jupyter.history import History, parsed
from arraytyping.checker.jupyter.loaded_modules import LoadedModules
from arraytyping.checker.jupyter.prelude import Block, Prelude
from arraytyping.checker.notebooks.cells import SessionCells
from arraytyping.checker.notebooks.magics import PRELUDE, PROVIDED, as_python

__all__ = ["CellProgram", "Session"]

_FILE: Final = "_arraytyping_cell_.py"
"""The name under which a cell is followed; there is no such file."""
_HIDDEN: Final = frozenset({"In", "Out", "exit", "quit", "open", *PROVIDED})


@dataclass(frozen=True)
class CellProgram:
    """A cell, and the program that is followed in its place."""

    number: int
    source: str
    """The cell as it was given, with magics."""
    text: str
    path: Path
    blocks: tuple[Block, ...]
    """Where the cell, and what other cells have defined, stand in the text."""
    first: int
    """The line before the cell."""
    bound: tuple[tuple[str, int], ...]
    """The names that the cell binds, and the lines on which they are asked for at its end."""

    @property
    def cells(self) -> SessionCells:
        """Where its lines stand in the cells of the session."""
        return SessionCells((), (), tuple((b.first, b.last, b.cell, b.line) for b in self.blocks))

    def concerns(self, path: str, line: int, is_called: bool) -> bool:
        """Whether a mistake at a line is one of the cell: there, or in a function that it calls."""
        if Path(path).name != self.path.name:
            return is_called
        cell = next((b for b in self.blocks if b.first <= line <= b.last), None)
        return cell is not None and (cell.first == self.first + 1 or is_called)

    @property
    def request(self) -> dict[str, Any]:
        """The question to an engine."""
        return {
            "paths": [str(self.path)], "config_file": None, "jobs": 1, "uses_cache": False, "devices": None,
            "target": [str(self.path)], "enable": [], "progress": None,
            "contents": {str(self.path): base64.b64encode(self.text.encode()).decode()},
        }  # fmt: skip


class Session:
    """What is known of a session besides its variables: what its cells have defined."""

    def __init__(self) -> None:
        self._history = History()
        self._modules = LoadedModules()
        self._before: dict[str, Any] = {}

    def begin(self, variables: Mapping[str, Any]) -> None:
        """Note the variables before a cell runs."""
        self._modules.note()
        self._before = dict(variables)

    def end(self, number: int, source: str, variables: Mapping[str, Any]) -> None:
        """Note what a cell that has run has defined."""
        self._modules.note()
        self._history.note(number, source, self._before, dict(variables))
        self._before = {}

    def program(self, number: int, source: str, variables: Mapping[str, Any], folder: Path) -> CellProgram | None:
        """The program of a cell that is about to run; None if there is nothing to follow."""
        cell = as_python(source)
        tree = parsed(cell)
        if tree is None or not tree.body:
            return None
        if _has_mesh():
            return None
        known = {n: v for n, v in variables.items() if n not in _HIDDEN}
        prelude = Prelude(known, self._history, self._modules)
        prelude.write([tree])
        lines = prelude.lines
        if any(name in cell and name not in known for name in PROVIDED):
            lines = [PRELUDE, *lines]
        moved = len(lines) - len(prelude.lines)
        blocks = [Block(b.first + moved, b.last + moved, b.cell, b.line) for b in prelude.blocks]
        first = len(lines)
        lines = [*lines, *cell.split("\n")]
        blocks.append(Block(first + 1, len(lines), number, 1))
        bound = [n for n in _bound(tree) if n.isidentifier()]
        places = tuple((name, len(lines) + place) for place, name in enumerate(bound, 1))
        text = "\n".join([*lines, *bound, ""])
        return CellProgram(number, source, text, folder / _FILE, tuple(blocks), first, places)


def _bound(tree: ast.Module) -> list[str]:
    """The names that a cell binds to values, in order."""
    found: dict[str, None] = {}
    for statement in tree.body:
        nodes: list[ast.AST] = [statement]
        while nodes:
            node = nodes.pop(0)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda | ast.comprehension):
                continue
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and not node.id.startswith("_"):
                found.setdefault(node.id)
            nodes += ast.iter_child_nodes(node)
    return [*found]


def _has_mesh() -> bool:
    """Whether a mesh is set for the whole session, which is not looked at."""
    jax = sys.modules.get("jax")
    get = getattr(getattr(jax, "sharding", None), "get_abstract_mesh", None)
    return get is not None and not get().empty
