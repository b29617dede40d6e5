"""Names that jax has no more in annotations that Python evaluates where they stand, as it does before 3.14."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterable, Sequence
from typing import Final

from arraytyping.checker.flow.real_calls.removed_names import REMOVED
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["are_postponed", "evaluate_removed", "of_signature"]

_LAST: Final = frozenset(name.rpartition(".")[2] for name in REMOVED)


def evaluate_removed(it: Interpreter, annotations: Iterable[ast.expr], frame: Frame) -> None:
    """Evaluate what in these annotations may be a name that jax has no more, so that it is told.

    Nothing else in them is looked at: what an annotation means is read where it is used.
    """
    if sys.version_info >= (3, 14) or not frame.module.is_program or are_postponed(frame.module.tree):
        return
    for annotation in annotations:
        for node in _may_be_gone(annotation):
            it.evaluate(node, frame)


def of_signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """The annotations of a function's parameters and of its result."""
    spec = node.args
    given = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
    found = [p.annotation for p in given if p is not None and p.annotation is not None]
    return found if node.returns is None else [*found, node.returns]


@functools.cache
def are_postponed(tree: ast.Module) -> bool:
    """Whether a module says that annotations are not evaluated."""
    imports = [s for s in tree.body if isinstance(s, ast.ImportFrom) and s.module == "__future__"]
    return any(alias.name == "annotations" for s in imports for alias in s.names)


@functools.cache
def _may_be_gone(annotation: ast.expr) -> Sequence[ast.Attribute]:
    """The attributes whose last name is one of those; what stands in a string is not evaluated."""
    return [n for n in ast.walk(annotation) if isinstance(n, ast.Attribute) and n.attr in _LAST]
