"""Which value a variable has that is bound several times, one after the other: `params = init(k); params = f(params)`.

All of its bindings have to be statements of one and the same block, and what reads it has to come later in that block,
in whatever is nested in it but functions: then the binding before is the one that was met last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mypy.nodes import (
    AssignmentStmt,
    Block,
    Expression,
    FuncItem,
    MypyFile,
    NameExpr,
    Node,
    Statement,
    TryStmt,
    Var,
)

from arraytyping_mypy.checker import current_function, module_tree
from arraytyping_mypy.walk import children

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["StraightLines"]


class StraightLines:
    """The variables of a module, and of copies of its functions, that are bound one after the other."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._values: dict[MypyFile | FuncItem, dict[NameExpr, Expression]] = {}

    def value(self, name: NameExpr) -> Expression | None:
        """The expression that a variable was bound to last where it is read; None if that is not certain."""
        function = current_function(self._session.api)
        if not isinstance(name.node, Var) or self._session.bindings.owner_of(name.node) is not function:
            return None
        owner = module_tree(self._session.api) if function is None else function
        if owner not in self._values:
            self._values[owner] = self._of(owner)
        return self._values[owner].get(name)

    def _of(self, owner: MypyFile | FuncItem) -> dict[NameExpr, Expression]:
        found: dict[NameExpr, Expression] = {}
        stack: list[Node] = [owner] if isinstance(owner, MypyFile) else [owner.body]
        while stack:
            node = stack.pop()
            if isinstance(node, FuncItem):
                continue
            if isinstance(node, MypyFile | Block):
                self._note(node.defs if isinstance(node, MypyFile) else node.body, found)
            if isinstance(node, TryStmt):
                continue  # what comes behind may have come from its middle
            stack.extend(children(node))
        return found

    def _note(self, statements: Sequence[Statement], found: dict[NameExpr, Expression]) -> None:
        bound: dict[Var, list[Expression]] = {}
        for statement in statements:
            if isinstance(statement, AssignmentStmt):
                for target in statement.lvalues:
                    if isinstance(target, NameExpr) and isinstance(target.node, Var):
                        bound.setdefault(target.node, []).append(statement.rvalue)
        several = {v for v, values in bound.items() if len(values) > 1 and self._are_all(v, values)}
        if not several:
            return
        last: dict[Var, Expression] = {}
        for statement in statements:
            waiting: list[Node] = [statement.rvalue if isinstance(statement, AssignmentStmt) else statement]
            while waiting:
                node = waiting.pop()
                if isinstance(node, NameExpr) and isinstance(node.node, Var) and node.node in last:
                    found[node] = last[node.node]
                elif not isinstance(node, FuncItem):
                    waiting.extend(children(node))
            if isinstance(statement, AssignmentStmt):
                for target in statement.lvalues:
                    if isinstance(target, NameExpr) and isinstance(target.node, Var) and target.node in several:
                        last[target.node] = statement.rvalue

    def _are_all(self, variable: Var, values: Sequence[Expression]) -> bool:
        """Whether these are all bindings of a variable, which no other function binds."""
        every = self._session.bindings.values(variable)
        return self._session.bindings.is_settled(variable) and len(every) == len(values) and None not in every
