"""Whether another text of a module says the same to whoever has followed it, and where its parts stand in the new text.

Comments, blank lines, line breaks and docstrings say nothing, and functions into which nobody has looked say as much as
their first lines.
"""

from __future__ import annotations

import ast
import functools
import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.claims import Position
from arraytyping.checker.flow.sources.cell_marks import has_cells
from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.flow.sources.unread_code import Body

__all__ = ["Moves", "moves_between", "unread_functions"]

_LOOKED_AT: Final = re.compile(
    r"__doc__|getdoc|getsource|lineno|linecache|docopt|\binspect\b|\bdoctest\b|\btraceback\b|__code__"
    r"|^\s*(?:from|import)\s+arraytyping\b",
    re.M,
)
"""What a program writes that looks at its own comments, docstrings or lines, or is looked at so."""
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_DOCUMENTED: Final = (ast.Module, ast.ClassDef, *_FUNCTIONS)


@dataclass
class Moves:
    """Where the expressions and lines of an earlier text of a module stand in a later one."""

    positions: dict[Position, Position] = field(default_factory=dict)
    lines: dict[int, int | None] = field(default_factory=dict)
    """The lines in which something begins; None where what stood in one line stands in several."""

    @property
    def first(self) -> float:
        """The first line that is not where it was."""
        return min((line for line, now in self.lines.items() if line != now), default=math.inf)


class _Differs(Exception):
    """The texts do not say the same."""


@functools.lru_cache(maxsize=512)  # many entry points share a file that has changed
def moves_between(path: Path, old: bytes, new: bytes, unread: tuple[int, ...]) -> Moves | None:
    """Where the parts of a text stand in another one that says the same; None if it does not.

    `unread` are the functions into which nobody has looked, as `unread_functions` counts them.
    """
    try:
        before, after = old.decode(), new.decode()
        if _LOOKED_AT.search(before) or _LOOKED_AT.search(after) or has_cells(before) != has_cells(after):
            return None
        found = _Comparison(frozenset(unread))
        found.compare(_tree(path, before), _tree(path, after))
    except (_Differs, SourceError, UnicodeDecodeError, RecursionError):
        return None
    moved = [now for _, now in sorted(found.statements.items())]
    # Statements in one line, and in several ones, are told apart.
    return found.moves if all(a < b for a, b in pairwise(moved)) else None


@functools.lru_cache(maxsize=64)
def _tree(path: Path, text: str) -> ast.Module:
    return read_source(path, text)[1]


def unread_functions(tree: ast.Module) -> list[int]:
    """The functions of a tree that is watched into which nobody has looked, by their number in the text.

    Those in one of them are not counted.
    """
    return [number for number, node in enumerate(_functions(tree)) if _is_unread(node)]


def _is_unread(node: ast.AST) -> bool:
    body = getattr(node, "body", None)
    return isinstance(body, Body) and not body.read and not body.is_read_whole


def _functions(node: ast.AST) -> Iterator[ast.AST]:
    for child in _children(node):
        if isinstance(child, _FUNCTIONS):
            yield child
            if _is_unread(child):
                continue
        yield from _functions(child)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes in a node, in the order of its fields, for one who does not read them."""
    for name in node._fields:
        value = getattr(node, name, None)
        for part in list.__iter__(value) if isinstance(value, list) else (value,):
            if isinstance(part, ast.AST):
                yield part


class _Comparison:
    def __init__(self, unread: Collection[int]) -> None:
        self.moves = Moves()
        self.statements: dict[int, int] = {}
        """The lines in which statements begin."""
        self._unread = unread
        self._functions = 0

    def compare(self, a: Any, b: Any) -> None:
        """Note where a node and those in it have gone.

        Raises:
            _Differs: if the other one is not the same, or something that stood in one place stands in several.
        """
        if type(a) is not type(b):
            raise _Differs
        if isinstance(a, list):
            if len(a) != len(b):
                raise _Differs
            for x, y in zip(a, b):
                self.compare(x, y)
        elif not isinstance(a, ast.AST):
            if repr(a) != repr(b):
                raise _Differs
        else:
            self._node(a, b)

    def _node(self, a: Any, b: Any) -> None:
        self._move(a, b)
        is_skipped = False
        if isinstance(a, _FUNCTIONS):
            is_skipped = self._functions in self._unread
            self._functions += 1
        for name in a._fields:
            x, y = getattr(a, name, None), getattr(b, name, None)
            if name == "body" and is_skipped:
                continue
            if name == "body" and isinstance(a, _DOCUMENTED):
                x, y = _without_docstring(x), _without_docstring(y)
            self.compare(x, y)

    def _move(self, a: Any, b: Any) -> None:
        if not hasattr(a, "lineno"):
            return
        old = a.lineno, a.col_offset, a.end_lineno, a.end_col_offset
        new = b.lineno, b.col_offset, b.end_lineno, b.end_col_offset
        if self.moves.positions.setdefault(old, new) != new:
            raise _Differs
        if self.moves.lines.setdefault(old[0], new[0]) != new[0]:
            self.moves.lines[old[0]] = None
        if isinstance(a, ast.stmt) and self.statements.setdefault(old[0], new[0]) != new[0]:
            raise _Differs


def _without_docstring(body: Any) -> Any:
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and type(first.value.value) is str:
        return body[1:]
    return body
