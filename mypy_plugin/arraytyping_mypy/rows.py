"""The statements of a function that are done one after the other, and what they put at the end of lists.

Of a list that grows in such statements alone it is known at each of them what is in it, and in which order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    StarExpr,
    Statement,
    Var,
)

from arraytyping_mypy.effects import puts_of, putting
from arraytyping_mypy.walk import children, nodes_of

__all__ = ["Row", "in_a_row", "rows_of"]


def in_a_row(block: Block) -> Iterator[Statement]:
    """The statements of a function that are done one after the other, those in rounds of loops written out too."""
    for statement in block.body:
        if isinstance(statement, Block):
            yield from in_a_row(statement)
        else:
            yield statement


@dataclass(slots=True)
class Row:
    """What is put into one list, by statements in a row."""

    puts: list[tuple[int, Expression]] = field(default_factory=list)
    """The number of the statement, and what it puts at the end."""
    places: dict[NameExpr, int] = field(default_factory=dict)
    """In which statement the list is named."""

    def whole(self, name: NameExpr) -> list[Expression] | None:
        """What is in the list where it is named for good; None where more may be put in, also by another name of it."""
        place = self.places.get(name)
        is_whole = place is not None and all(i < place for i, _ in self.puts)
        return [e for _, e in self.puts] if is_whole else None


def rows_of(function: FuncDef) -> Mapping[Var, Row]:
    """The lists of a function that a display makes and only statements in a row put something into."""
    statements = list(in_a_row(function.body))
    rows: dict[Var, Row] = {}
    excluded: set[Var] = set()
    for i, statement in enumerate(statements):
        made = _made(statement)
        if made is not None:
            variable, items = made
            if variable in rows:
                excluded.add(variable)
            rows[variable] = Row([(i, e) for e in items])
            continue
        put = _put(statement)
        for node in putting(nodes_of(statement)):
            for other in puts_of(node):
                grown = other.target.node if isinstance(other.target, NameExpr) else None
                is_last = put is not None and put[0] is grown and _is_whole(statement, node)
                if isinstance(grown, Var) and not is_last:
                    excluded.add(grown)
        if put is not None and put[0] in rows:
            rows[put[0]].puts += [(i, e) for e in put[1]]
    for i, statement in enumerate(statements):
        for name in _names(statement):
            if isinstance(name.node, Var) and name.node in rows:
                rows[name.node].places[name] = i
    return {variable: row for variable, row in rows.items() if variable not in excluded}


def _made(statement: Statement) -> tuple[Var, Sequence[Expression]] | None:
    """The list that a statement makes."""
    if not isinstance(statement, AssignmentStmt) or len(statement.lvalues) != 1:
        return None
    target, value = statement.lvalues[0], statement.rvalue
    if not isinstance(target, NameExpr) or not isinstance(target.node, Var) or not isinstance(value, ListExpr):
        return None
    return None if any(isinstance(e, StarExpr) for e in value.items) else (target.node, value.items)


def _put(statement: Statement) -> tuple[Var, Sequence[Expression]] | None:
    """What a statement puts at the end of a list."""
    target: Expression | None = None
    items: Sequence[Expression] = ()
    if isinstance(statement, OperatorAssignmentStmt) and statement.op == "+" and isinstance(statement.rvalue, ListExpr):
        target, items = statement.lvalue, statement.rvalue.items
    elif isinstance(statement, ExpressionStmt) and isinstance(statement.expr, CallExpr):
        callee = statement.expr.callee
        if isinstance(callee, MemberExpr) and callee.name == "append" and len(statement.expr.args) == 1:
            target, items = callee.expr, statement.expr.args
    if not isinstance(target, NameExpr) or not isinstance(target.node, Var):
        return None
    return None if any(isinstance(e, StarExpr) for e in items) else (target.node, items)


def _is_whole(statement: Statement, node: Node) -> bool:
    """Whether a node is what the statement does."""
    return node is statement or (isinstance(statement, ExpressionStmt) and node is statement.expr)


def _names(node: Node) -> Iterator[NameExpr]:
    """The names in a statement, without those in functions."""
    stack = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, NameExpr):
            yield one
        elif not isinstance(one, FuncItem):
            stack += reversed(children(one))
