"""Where an expression of mypy's tree stands in the source, in the coordinates of `ast`.

mypy begins `(a + b) * c` after the bracket, and the columns of its own parser (the default from 2.4 on) are wrong in
lines with characters beyond ASCII.  So its expressions are matched with those that `ast` finds, by kind and line and
in their order.
"""

from __future__ import annotations

import ast
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from mypy.nodes import CallExpr, ComparisonExpr, Expression, IndexExpr, MemberExpr, NameExpr, OpExpr, StrExpr, UnaryExpr

from arraytyping.regular_files import read_regular

__all__ = ["Source"]

Position = tuple[int, int, int, int]
"""Line, column, last line, column after the end; lines from 1, columns from 0, in bytes of UTF-8."""

_KINDS: Final[dict[type, type]] = {
    ast.Call: CallExpr,
    ast.BinOp: OpExpr,
    ast.UnaryOp: UnaryExpr,
    ast.Subscript: IndexExpr,
    ast.Attribute: MemberExpr,
    ast.Compare: ComparisonExpr,
}
LONGEST: Final = 40
"""The most characters of an expression that are quoted."""


class Source:
    """The text of a module, and the places of the given expressions in it."""

    def __init__(self, file: Path, expressions: Iterable[Expression]) -> None:
        try:
            self._bytes = read_regular(file)
        except OSError:
            self._bytes = b""
        self._lines = self._bytes.splitlines()
        self._expressions = list(expressions)

    def position(self, node: Expression) -> Position:
        """Where an expression stands."""
        own = (node.line, node.column, node.end_line or node.line, node.end_column or node.column)
        return self._matched.get(id(node), own)

    def text(self, node: Expression) -> str:
        """An expression as it is written, on one line; a long one is cut."""
        if isinstance(node, NameExpr):
            return node.name
        line, column, end_line, end_column = self.position(node)
        lines = self._lines[line - 1 : end_line]
        if not lines:
            return "it"
        lines[-1] = lines[-1][:end_column]
        lines[0] = lines[0][column:]
        text = " ".join(b" ".join(lines).decode("utf-8", errors="replace").split())
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."

    @cached_property
    def _matched(self) -> dict[int, Position]:
        """The positions of the expressions that can be told apart."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(self._bytes)
        except (SyntaxError, ValueError, RecursionError):
            return {}
        real: dict[tuple[type, int], list[Position]] = defaultdict(list)
        for found in _evaluated(tree):
            kind = _KINDS.get(type(found))
            if kind is not None and isinstance(found, ast.expr) and not _may_be_a_template(found):
                end_line, end_column = found.end_lineno or 0, found.end_col_offset or 0
                real[kind, found.lineno].append((found.lineno, found.col_offset, end_line, end_column))
        ours: dict[tuple[type, int], list[Expression]] = defaultdict(list)
        for node in self._expressions:
            if not _may_be_a_template(node):
                ours[type(node), node.line].append(node)
        matched: dict[int, Position] = {}
        for key, nodes in ours.items():
            if len(nodes) == len(real[key]):
                nodes.sort(key=lambda n: (n.column, -(n.end_line or 0), -(n.end_column or 0)))
                real[key].sort(key=lambda p: (p[1], -p[2], -p[3]))
                matched.update((id(node), position) for node, position in zip(nodes, real[key]))
        return matched


def _may_be_a_template(node: ast.AST | Expression) -> bool:
    """Whether this is `"...".format` or `"...".join`, or a call of it: mypy reads f-strings as such."""
    if isinstance(node, ast.Call | CallExpr):
        node = node.func if isinstance(node, ast.Call) else node.callee
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Constant) and node.attr in ("format", "join")
    return isinstance(node, MemberExpr) and isinstance(node.expr, StrExpr) and node.name in ("format", "join")


def _evaluated(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those of annotations, which are types to mypy and no expressions."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns", "type_params"):
                stack.extend(v for v in (value if isinstance(value, list) else [value]) if isinstance(v, ast.AST))
