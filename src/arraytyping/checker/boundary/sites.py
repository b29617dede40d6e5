"""Sites: the expressions of a program at which something may come from outside, and names for them that last.

A site is known by the function that it is in and by its text, so that it stays the same where lines move, and is
another one as soon as it is written otherwise.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arraytyping.checker.claims import Position, position_of

__all__ = ["Site", "bound_targets", "sites_of"]

_LONGEST: Final = 100
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True, order=True)
class Site:
    """A place of a file: the function around it (empty in a module's own code), and the text of the expression."""

    file: str
    function: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.text}" + (f" in {self.function}" if self.function else "")


def sites_of(tree: ast.Module) -> dict[Position, tuple[str, str]]:
    """Function and text of each site, by its position.

    Sites are calls, attributes and items that are read, what loops bind, and the parameters of functions.
    """
    found: dict[Position, tuple[str, str]] = {}
    counts: dict[tuple[str, str], int] = {}
    for function, node, text in _walk(tree, ""):
        key = (function, _shortened(text))
        counts[key] = count = counts.get(key, 0) + 1
        found[position_of(node)] = key if count == 1 else (function, f"{key[1]} #{count}")
    return found


def bound_targets(node: ast.AST) -> Iterator[ast.expr]:
    """What a loop or a comprehension binds in each round, where reading it again does nothing else."""
    if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension) and _is_plain(node.target):
        yield node.target


def _is_plain(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple | ast.List):
        return all(map(_is_plain, target.elts))
    return isinstance(target, ast.Name)


def _walk(node: ast.AST, function: str) -> Iterator[tuple[str, ast.expr | ast.arg, str]]:
    """The sites below a node in the order of the source, each with the function around it and its text."""
    inner = function
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        inner = f"{function}.{node.name}" if function else node.name
    if isinstance(node, _FUNCTIONS):
        arguments = node.args
        for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            yield inner, parameter, f"parameter {parameter.arg}"
    for target in bound_targets(node):
        yield inner, target, f"for {ast.unparse(target)} in {ast.unparse(node.iter)}"  # type: ignore[attr-defined]
    is_read = isinstance(getattr(node, "ctx", None), ast.Load)
    if isinstance(node, ast.Call) or (isinstance(node, ast.Attribute | ast.Subscript) and is_read):
        yield inner, node, ast.unparse(node)
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, inner)


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}... {hashlib.sha256(text.encode()).hexdigest()[:8]}"
