"""Arrays that are unpacked into another number of names than they have rows, where mypy itself goes through a body."""

from __future__ import annotations

from mypy.nodes import AssignmentStmt, Expression, ForStmt, FuncItem, MypyFile, Node
from mypy.types import Type

from arraytyping_mypy.checker import stored_type
from arraytyping_mypy.refused import unpacks, wrong_count
from arraytyping_mypy.session import Session
from arraytyping_mypy.walk import statements

__all__ = ["check"]


def check(tree: MypyFile, session: Session) -> None:
    """Report them, in all bodies but those of functions without annotations, which are told of by their calls."""
    stack: list[Node] = [tree]
    while stack:
        node = stack.pop()
        if (type(node) is AssignmentStmt or type(node) is ForStmt) and unpacks(node):
            read = node.rvalue if isinstance(node, AssignmentStmt) else node.expr
            found = stored_type(session.api, read)
            types: dict[Expression, Type] = {} if found is None else {read: found}
            message = wrong_count(node, types, session)
            if message is not None:
                session.fail(message, node, "array-call", ValueError)
        elif isinstance(node, FuncItem) and node.is_dynamic():
            continue
        stack += statements(node)
