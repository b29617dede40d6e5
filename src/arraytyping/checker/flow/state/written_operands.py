"""The operands of an operation as they are written in the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.origins import Origin

__all__ = ["short", "short_text", "written"]


def written(origin: Origin) -> Iterator[tuple[str, Value]]:
    """The operands as they are written, each with what it was."""
    node = origin.node
    parts: list[ast.expr] = []
    if isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, ast.AugAssign):
        parts = [node.target, node.value]
    elif isinstance(node, ast.Compare) and len(node.comparators) == 1:
        parts = [node.left, node.comparators[0]]
    elif isinstance(node, ast.Call):
        given = len(origin.args) - len(node.args)
        parts = [node.func.value, *node.args] if given == 1 and isinstance(node.func, ast.Attribute) else node.args
    if len(parts) == len(origin.args):
        for part, value in zip(parts, origin.args):
            if type(value) is tuple and isinstance(part, ast.List | ast.Tuple) and len(part.elts) == len(value):
                yield from ((ast.unparse(e), v) for e, v in zip(part.elts, value))
            else:
                yield ast.unparse(part), value
    else:
        yield from (("", value) for value in origin.operands)


def short(node: ast.AST, longest: int = 40) -> str:
    """An expression on one line, cut if it is long."""
    if isinstance(node, ast.AugAssign):
        operator = ast.unparse(ast.BinOp(ast.Name("x"), node.op, ast.Name("y")))[2:-2]
        return short_text(f"{ast.unparse(node.target)} {operator} {ast.unparse(node.value)}", longest)
    return short_text(ast.unparse(node), longest)


def short_text(text: str, longest: int = 40) -> str:
    """A text on one line, cut if it is long."""
    text = " ".join(text.split())
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
