"""Arrays that a function of the program takes from outside of itself: they are constants of what is compiled.

Looked at are the names in its body that are bound outside, and those in functions of the program that it names.

Source: https://docs.jax.dev/en/latest/jit-compilation.html; constants lie whole on every device.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Final

from arraytyping.checker.flow.values import BoundMethod, FunctionValue, JitValue, PartialValue, Value

__all__ = ["closed_over"]

_DEPTH: Final = 3
_FACTS: Final = frozenset({"shape", "dtype", "ndim", "size"})
"""What of an array is known without its elements, so that asking for it takes nothing in."""


def closed_over(function: Value) -> Iterator[tuple[str, Value]]:
    """The names and values that a function takes from outside, those of functions left out."""
    met: set[int] = set()
    pending = [(function, 0)]
    names: set[str] = set()
    while pending:
        inner, depth = pending.pop()
        while isinstance(inner, JitValue | BoundMethod | PartialValue):
            inner = inner.function
        if not isinstance(inner, FunctionValue) or id(inner) in met or depth > _DEPTH:
            continue
        met.add(id(inner))
        for name in _free(inner.node):
            found = inner.frame.find(name)
            if isinstance(found, FunctionValue | JitValue | BoundMethod | PartialValue):
                pending.append((found, depth + 1))
            elif name not in names:
                names.add(name)
                yield name, found


@functools.cache
def _free(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> tuple[str, ...]:
    """The names that a function reads and that neither it nor a function inside of it binds, in order."""
    bound: set[str] = set()
    read: set[str] = set()
    body = node.body if isinstance(node.body, list) else [node.body]
    arguments = [a.arg for n in ast.walk(node) if isinstance(n, ast.arguments) for a in _all(n)]
    facts = {id(n.value) for s in body for n in ast.walk(s) if isinstance(n, ast.Attribute) and n.attr in _FACTS}
    for statement in body:
        for n in ast.walk(statement):
            if isinstance(n, ast.Name):
                if isinstance(n.ctx, ast.Load):
                    if id(n) not in facts:
                        read.add(n.id)
                else:
                    bound.add(n.id)
            elif isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                bound.add(n.name)
    return tuple(sorted(read - bound - set(arguments)))


def _all(spec: ast.arguments) -> list[ast.arg]:
    named = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
    return [*named, *(a for a in (spec.vararg, spec.kwarg) if a is not None)]
