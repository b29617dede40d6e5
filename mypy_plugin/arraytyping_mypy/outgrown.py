"""Variables that are bound to displays of themselves again and again: `x = (x, x)`, sixteen times in a row.

Where a variable may be bound again to another type, as the plugin has it, each line doubles the type, of which mypy
goes through all parts.  Beyond so many of them the items are objects: where they were `Any`, mypy would go on with all
types that the variable had before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CastExpr,
    ClassDef,
    Decorator,
    DictExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    ListExpr,
    MypyFile,
    NameExpr,
    Node,
    OverloadedFuncDef,
    ReturnStmt,
    SetExpr,
    StarExpr,
    Statement,
    TupleExpr,
)
from mypy.types import Instance, TupleType, Type, TypedDictType, UnboundType, UnionType, get_proper_type

from arraytyping_mypy.walk import statements

__all__ = ["PARTS", "has_outgrown", "leave_outgrown"]

PARTS: Final = 1024
"""So many parts of a type are gone through: ten lines that double it."""
_OBJECT: Final = UnboundType("__builtins__.object")
"""What mypy has yet to look up, by a name that no module can bind."""
_DISPLAYS: Final = (TupleExpr, ListExpr, SetExpr, DictExpr)
_SINGLE: Final = frozenset((AssignmentStmt, ExpressionStmt, ReturnStmt))
"""What has no other statements in it, as most."""
_SCOPES: Final = (FuncDef, ClassDef, Decorator, OverloadedFuncDef)


def leave_outgrown(scope: MypyFile | Block, item: Type = _OBJECT) -> None:
    """Have nothing known of the items of a display, in a module or a function's body, that would outgrow that."""
    parts: dict[str, int] = {}
    for statement in _statements(scope, item):
        if not isinstance(statement, AssignmentStmt):
            continue
        count = _parts(statement.rvalue, parts) if isinstance(statement.rvalue, _DISPLAYS) else 1
        for target in statement.lvalues:
            if not isinstance(target, NameExpr):
                continue
            if count > PARTS and target.name in parts and isinstance(statement.rvalue, _DISPLAYS):
                _forget(statement.rvalue, item)
                count = _parts(statement.rvalue, {})
            parts[target.name] = count


def _statements(scope: MypyFile | Block, item: Type) -> Iterator[Statement]:
    """The statements of a scope in the order of the source; those of each function and class in it are bounded here."""
    stack: list[Node] = list(reversed(statements(scope)))
    while stack:
        node = stack.pop()
        if node.__class__ in _SINGLE:
            assert isinstance(node, Statement)
            yield node
        elif isinstance(node, _SCOPES):
            _leave_in(node, item)
        else:
            if isinstance(node, Statement):
                yield node
            stack += reversed(statements(node))


def _leave_in(node: Node, item: Type) -> None:
    if isinstance(node, FuncDef):
        leave_outgrown(node.body, item)
    elif isinstance(node, ClassDef):
        leave_outgrown(node.defs, item)
    else:
        for inner in statements(node):
            _leave_in(inner, item)


def _parts(expression: Expression, known: dict[str, int]) -> int:
    """How many parts the type of what is displayed has, if those of the variables have so many."""
    count = 0
    stack: list[Expression | None] = [expression]
    while stack:
        one = stack.pop()
        if isinstance(one, TupleExpr | ListExpr | SetExpr):
            stack += one.items
        elif isinstance(one, DictExpr):
            stack += (value for _, value in one.items)
        elif isinstance(one, StarExpr):
            stack.append(one.expr)
        else:
            count += known.get(one.name, 1) if isinstance(one, NameExpr) else 1
    return count


def _forget(display: Expression, item: Type) -> None:
    """Have nothing known of the variables in a display."""
    if isinstance(display, TupleExpr | ListExpr | SetExpr):
        display.items = [_forgotten(one, item) for one in display.items]
    elif isinstance(display, DictExpr):
        display.items = [(key, _forgotten(value, item)) for key, value in display.items]
    elif isinstance(display, StarExpr):
        display.expr = _forgotten(display.expr, item)


def _forgotten(expression: Expression, item: Type) -> Expression:
    if not isinstance(expression, NameExpr):
        _forget(expression, item)
        return expression
    unknown = CastExpr(expression, item)
    unknown.set_line(expression)
    return unknown


def has_outgrown(t: Type) -> bool:
    """Whether a type has more parts than are gone through."""
    left = PARTS
    stack = [t]
    while stack:
        left -= 1
        if left < 0:
            return True
        p = get_proper_type(stack.pop())
        if isinstance(p, TupleType | UnionType):
            stack += p.items
        elif isinstance(p, Instance):
            stack += p.args
        elif isinstance(p, TypedDictType):
            stack += p.items.values()
    return False
