"""Where the values that met in a mistake stand in the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from arraytyping.checker.flow.state.diagnostics import Operand
from arraytyping.checker.messages.message import Message, source_lines
from arraytyping.checker.program_trees import parsed

__all__ = ["Place", "expression_at", "operand_places"]


@dataclass(frozen=True, slots=True)
class Place:
    """An expression, and the value that it had."""

    operand: Operand
    line: int
    column: int
    end_line: int
    end_column: int


def operand_places(message: Message) -> list[Place]:
    """The places of the operands that are found in the expression of a message."""
    node = expression_at(message)
    if node is None or message.diagnostic is None:
        return []
    by_text: dict[str, list[ast.expr]] = {}
    for expression in _parts(node):
        by_text.setdefault(" ".join(ast.unparse(expression).split()), []).append(expression)
    return [
        Place(o, part.lineno, part.col_offset, part.end_lineno or part.lineno, part.end_col_offset or part.col_offset)
        for o in message.diagnostic.operands
        for part in by_text.get(o.text, ())[: 1 if isinstance(node, ast.Call) else None]
    ]


def expression_at(message: Message) -> ast.expr | None:
    """The expression of a message."""
    tree = parsed("\n".join(source_lines(message.path)))
    place = (message.line, message.column, message.end_line, message.end_column)
    for node in ast.walk(tree) if tree is not None else ():
        # mypy's columns end before the last character where flow's end behind it.
        if (
            isinstance(node, ast.expr)
            and (node.lineno, node.col_offset, node.end_lineno) == place[:3]
            and (node.end_col_offset or 0) in (place[3], place[3] + 1)
        ):
            return node
    return None


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """The operands of an operator, the receiver and arguments of a call, and what stands in a tuple of these."""
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    elif isinstance(node, ast.Compare):
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.Call):
        arguments = [*node.args, *(k.value for k in node.keywords)]
        if isinstance(node.func, ast.Attribute):
            yield node.func.value
        for argument in arguments:
            yield argument
            if isinstance(argument, ast.Tuple | ast.List):
                yield from argument.elts
    elif isinstance(node, ast.Subscript):
        yield from (node.value, node.slice)
