"""The text of a program as a tree, where a text that is none is nothing to report."""

from __future__ import annotations

import ast
import warnings
from typing import Final

from arraytyping.checker.reparsing import reparsed

__all__ = ["parsed"]

_MOST: Final = 32
_trees: dict[str, ast.Module | None] = {}
"""The texts that were asked for last, the newest at the end."""


def parsed(source: str) -> ast.Module | None:
    """The tree of a program, which is not to be changed; None if it is none."""
    if source in _trees:
        tree = _trees[source] = _trees.pop(source)
        return tree
    tree = _parsed(source)
    while len(_trees) >= _MOST:
        del _trees[next(iter(_trees))]
    _trees[source] = tree
    return tree


def _parsed(source: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in the program's strings
            last = next(((text, tree) for text, tree in reversed(_trees.items()) if tree is not None), None)
            edited = None if last is None else reparsed(last[1], last[0], source)
            return edited or ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
