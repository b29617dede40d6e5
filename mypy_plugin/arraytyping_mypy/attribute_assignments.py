"""Where a class assigns attributes of its own: in its body, and on the first parameter of its methods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    ClassDef,
    Decorator,
    Expression,
    ExpressionStmt,
    FuncDef,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OverloadedFuncDef,
    ReturnStmt,
)

from arraytyping_mypy.walk import single_targets, statements

__all__ = ["AttributeAssignment", "attribute_assignments"]


class AttributeAssignment(NamedTuple):
    """One assignment to an attribute."""

    name: str
    value: Expression | None
    """What is assigned; None if that is not written, as it is a part of what is taken apart."""
    is_typed: bool
    """Whether mypy checks the function in which it stands."""
    is_augmented: bool
    """Whether it is `x.a += value`, by which an attribute is bound again, whosever it is."""


def attribute_assignments(definition: ClassDef) -> Iterator[AttributeAssignment]:
    """The assignments to the attributes of a class, in no order."""
    for statement in definition.defs.body:
        if isinstance(statement, AssignmentStmt):
            names = (target.name for target in statement.lvalues if isinstance(target, NameExpr))
            yield from (AttributeAssignment(name, statement.rvalue, True, False) for name in names)
        methods = statement.items if isinstance(statement, OverloadedFuncDef) else [statement]  # a property's setter
        for method in methods:
            function = method.func if isinstance(method, Decorator) else method
            if isinstance(function, FuncDef) and function.arguments:
                yield from _of_method(function, function.arguments[0].variable.name)


def _of_method(function: FuncDef, own: str) -> Iterator[AttributeAssignment]:
    is_typed = not function.is_dynamic()
    stack: list[Node] = [function.body]
    while stack:
        node = stack.pop()
        kind = node.__class__  # of each class of a library this is asked
        if kind is AssignmentStmt:
            assert isinstance(node, AssignmentStmt)
            for target in node.lvalues:
                if target.__class__ is NameExpr:
                    continue
                value = node.rvalue if isinstance(target, MemberExpr) else None
                for one in single_targets(target):
                    if isinstance(one, MemberExpr) and isinstance(one.expr, NameExpr) and one.expr.name == own:
                        yield AttributeAssignment(one.name, value, is_typed, False)
        elif kind is OperatorAssignmentStmt:
            assert isinstance(node, OperatorAssignmentStmt)
            if isinstance(node.lvalue, MemberExpr):
                yield AttributeAssignment(node.lvalue.name, node.rvalue, is_typed, True)
        elif kind is not ExpressionStmt and kind is not ReturnStmt:
            stack += statements(node)  # in no expression anything is assigned to an attribute
