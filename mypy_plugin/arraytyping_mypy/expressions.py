"""The expressions of a module that may make an array: calls, operators, comparisons, subscripts and attributes.

They are collected from mypy's syntax tree before mypy frees it; their types are known after the build.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    DelStmt,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    StarExpr,
    TupleExpr,
    UnaryExpr,
    WithStmt,
)

from arraytyping_mypy.walk import children

__all__ = ["Place", "operands", "places"]

_KINDS: Final = (CallExpr, OpExpr, UnaryExpr, IndexExpr, MemberExpr, ComparisonExpr)


@dataclass(frozen=True, slots=True)
class Place:
    """One expression, the function that it stands in, and whether it is the target of an assignment."""

    node: Expression
    function: FuncDef | None
    is_target: bool

    @property
    def is_value(self) -> bool:
        """Whether it makes a value, which `cast(T, x)`, `reveal_type(x)`, `list[int]`, `int | str` only look like."""
        is_special = isinstance(self.node, CallExpr | IndexExpr | OpExpr) and self.node.analyzed is not None
        return not (self.is_target or is_special)


def places(tree: MypyFile) -> list[Place]:
    """The expressions of a module, in no particular order."""
    found: list[Place] = []
    stack: list[tuple[Node, FuncDef | None]] = [(tree, None)]
    targets: set[int] = set()
    while stack:
        node, function = stack.pop()
        if isinstance(node, FuncDef):
            function = node
        targets.update(id(target) for target in _targets(node))
        if isinstance(node, _KINDS) and not _is_and_or(node):
            found.append(Place(node, function, id(node) in targets))
        stack.extend((child, function) for child in children(node))
    return found


def _is_and_or(node: Expression) -> bool:
    return isinstance(node, OpExpr) and node.op in ("and", "or")


def _targets(node: Node) -> Iterator[Expression]:
    if isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            yield from _flat(target)
    elif isinstance(node, OperatorAssignmentStmt):
        yield from _flat(node.lvalue)
    elif isinstance(node, AssignmentExpr):
        yield from _flat(node.target)
    elif isinstance(node, DelStmt):
        yield from _flat(node.expr)
    elif isinstance(node, ForStmt):
        yield from _flat(node.index)
    elif isinstance(node, GeneratorExpr):
        for target in node.indices:
            yield from _flat(target)
    elif isinstance(node, WithStmt):
        for optional in node.target:
            if optional is not None:
                yield from _flat(optional)


def _flat(target: Expression) -> Iterator[Expression]:
    yield target
    if isinstance(target, TupleExpr | ListExpr):
        for item in target.items:
            yield from _flat(item)
    elif isinstance(target, StarExpr):
        yield from _flat(target.expr)


def operands(node: Expression) -> Iterator[Expression]:
    """The expressions whose values decide that of this one."""
    if isinstance(node, CallExpr):
        if isinstance(node.callee, MemberExpr):
            yield node.callee.expr
        yield from node.args
    elif isinstance(node, OpExpr):
        yield node.left
        yield node.right
    elif isinstance(node, UnaryExpr | MemberExpr):
        yield node.expr
    elif isinstance(node, IndexExpr):
        yield node.base
        yield node.index
    elif isinstance(node, ComparisonExpr):
        yield from node.operands
