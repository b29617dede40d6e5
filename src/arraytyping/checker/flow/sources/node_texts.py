"""The text of a part of a program, written once: a loop and a class ask for it again and again."""

from __future__ import annotations

import ast
import functools

__all__ = ["text_of"]


@functools.lru_cache(maxsize=8192)
def text_of(node: ast.AST) -> str:
    """The text of a node, as `ast.unparse` writes it."""
    return ast.unparse(node)
