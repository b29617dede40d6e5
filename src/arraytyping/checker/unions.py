"""Unions as they are written in annotations."""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["members_of_union"]


def members_of_union(annotation: ast.expr) -> Iterator[ast.expr]:
    """The members of `a | b | c`, or what is no union itself."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        yield from members_of_union(annotation.left)
        yield from members_of_union(annotation.right)
    else:
        yield annotation
