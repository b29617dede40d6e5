"""Assertions that do not hold: those about arrays are mistakes, of others it is only possible.

What the program asserts of its other values may hang on what flow does not follow to the letter, such as how often a
function is traced, or which of two equal objects a library gives back.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from arraytyping.checker.flow.state.interpreter import Interpreter

__all__ = ["never_holds"]

_FACTS: Final = frozenset({"shape", "dtype", "ndim", "weak_type"})


def never_holds(it: Interpreter, node: ast.AST, said: Sequence[ast.expr], what: str) -> None:
    """Go on, or end the path, behind an assertion that does not hold; `said` is what it is about.

    Raises:
        Raised: if the path ends.
    """
    if it.quiet or any(map(_is_of_arrays, said)):
        raise it.raised(what, node)
    it.path_uncertain += 1
    try:
        it.fail(node, "array-call", what)
    finally:
        it.path_uncertain -= 1


def _is_of_arrays(said: ast.expr) -> bool:
    """Whether an expression asks for what flow knows of arrays."""
    return any(
        (isinstance(node, ast.Attribute) and node.attr in _FACTS) or (isinstance(node, ast.Name) and node.id in _FACTS)
        for node in ast.walk(said)
    )
