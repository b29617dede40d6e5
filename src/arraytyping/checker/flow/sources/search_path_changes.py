"""The folders that a file puts into `sys.path`, where they are written out: by its own place, by names and literals.

Source: https://docs.python.org/3/library/sys.html#sys.path.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.sources.statements import statements

__all__ = ["added_folders"]

_ADD: Final = frozenset({"append", "insert", "extend"})
_SAME: Final = frozenset(
    {"str", "Path", "PurePath", "abspath", "realpath", "normpath", "fspath", "resolve", "absolute"}
)
"""Functions and methods that give a path again, as far as folders go."""
_DEPTH: Final = 16


def added_folders(file: Path, tree: ast.Module) -> list[Path]:
    """The folders that are there, in the order of the source; what is relative lies beside the file, or where one is.

    Of what hangs on more than the place of the file nothing is said.
    """
    reader = _Reader(file, tree)
    found: list[Path] = []
    for node in _entries(tree):
        path = reader.read(node, 0)
        if path is None:
            continue
        found += [Path(os.path.normpath(p)) for p in (file.parent / path, Path.cwd() / path) if _is_folder(p)][:1]
    return list(dict.fromkeys(found))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # too long a name, or none at all
        return False


def _entries(tree: ast.Module) -> Iterator[ast.expr]:
    """The expressions of what is put into the search path."""
    for node in statements(tree):
        if isinstance(node, ast.AugAssign) and _is_search_path(node.target):
            yield from getattr(node.value, "elts", ())
        elif isinstance(node, ast.Expr) and isinstance(call := node.value, ast.Call) and call.args:
            method = call.func
            if not isinstance(method, ast.Attribute):
                continue
            if method.attr in _ADD and _is_search_path(method.value):
                given = call.args[-1]
                yield from getattr(given, "elts", ()) if method.attr == "extend" else (given,)
            elif method.attr == "addsitedir":
                yield call.args[0]


def _is_search_path(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "path" and getattr(node.value, "id", "") == "sys"


class _Reader:
    """Reads expressions of paths in a file."""

    def __init__(self, file: Path, tree: ast.Module) -> None:
        self._file = file
        self._bound: dict[str, list[ast.expr]] = {}
        for node in statements(tree):
            for target in node.targets if isinstance(node, ast.Assign) else ():
                if isinstance(target, ast.Name) and isinstance(node, ast.Assign):
                    self._bound.setdefault(target.id, []).append(node.value)

    def read(self, node: ast.expr, depth: int) -> str | None:
        """The path that an expression stands for; None if that is not known."""
        if depth > _DEPTH:
            return None
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            if node.id == "__file__":
                return str(self._file)
            bound = self._bound.get(node.id, ())
            return self.read(bound[0], depth + 1) if len(bound) == 1 else None
        if isinstance(node, ast.Attribute):
            return self._attribute(node, depth)
        if isinstance(node, ast.Subscript):
            return self._ancestor(node, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Add):
            parts = [self.read(side, depth + 1) for side in (node.left, node.right)]
            return _joined(parts) if isinstance(node.op, ast.Div) else _concatenated(parts)
        return self._call(node, depth) if isinstance(node, ast.Call) else None

    def _attribute(self, node: ast.Attribute, depth: int) -> str | None:
        if node.attr == "parent":
            path = self.read(node.value, depth + 1)
            return None if path is None else str(Path(path).parent)
        owner = node.value
        is_of_os = isinstance(owner, ast.Name) and owner.id == "os"
        return {"pardir": os.pardir, "curdir": os.curdir, "sep": os.sep}.get(node.attr) if is_of_os else None

    def _ancestor(self, node: ast.Subscript, depth: int) -> str | None:
        """`path.parents[n]`."""
        of, index = node.value, node.slice
        if not isinstance(of, ast.Attribute) or of.attr != "parents" or not isinstance(index, ast.Constant):
            return None
        path = self.read(of.value, depth + 1)
        above = [] if path is None else [str(p) for p in Path(path).parents]
        return above[index.value] if isinstance(index.value, int) and index.value < len(above) else None

    def _call(self, node: ast.Call, depth: int) -> str | None:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        given = [self.read(argument, depth + 1) for argument in node.args]
        if name == "getcwd" or (name == "cwd" and not given):
            return str(Path.cwd())
        if name in _SAME and not given and isinstance(node.func, ast.Attribute):
            path = self.read(node.func.value, depth + 1)
            return None if path is None else os.path.normpath(path)
        if name in _SAME and len(given) == 1 and given[0] is not None:
            return given[0] if name in ("str", "Path", "PurePath", "fspath") else os.path.normpath(given[0])
        if name == "dirname" and len(given) == 1 and given[0] is not None:
            return str(Path(given[0]).parent)
        if name == "join" and getattr(getattr(node.func, "value", None), "attr", "path") == "path":
            return _joined(given)
        if name == "joinpath" and isinstance(node.func, ast.Attribute):
            return _joined([self.read(node.func.value, depth + 1), *given])
        return None


def _joined(parts: list[str | None]) -> str | None:
    return None if not parts or None in parts else str(Path(*filter(None, parts)))


def _concatenated(parts: list[str | None]) -> str | None:
    return None if None in parts else "".join(filter(None, parts))
