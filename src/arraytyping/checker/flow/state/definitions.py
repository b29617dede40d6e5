"""The functions and classes that are defined while something is followed, of which some are never called."""

from __future__ import annotations

import ast
from typing import Any

__all__ = ["Definitions"]


class Definitions:
    """What is defined, in order, and which functions are called."""

    def __init__(self) -> None:
        self._defined: dict[ast.AST, Any] = {}
        self._seen: set[ast.AST] = set()

    def add(self, node: ast.AST, value: Any) -> None:
        """A function or class is defined; of several by one statement the last counts."""
        self._defined[node] = value

    def enter(self, node: ast.AST) -> None:
        """A function is called."""
        self._seen.add(node)

    def take(self) -> Any:
        """The first one that was neither called nor taken before; None if there is none."""
        for node, value in self._defined.items():
            if node not in self._seen:
                self._seen.add(node)
                return value
        return None
