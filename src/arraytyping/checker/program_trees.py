"""The text of a program as a tree, where a text that is none is nothing to report."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache

__all__ = ["parsed"]


@lru_cache(maxsize=32)
def parsed(source: str) -> ast.Module | None:
    """The tree of a program; None if it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in the program's strings
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
