"""Texts that a round of a loop computes of what it takes: `f"w{i}"` is `"w0"` in the first.

A dict is known by its keys as they are written; so in a loop that is written out such a key is, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    RefExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    Var,
)
from mypy.types import Instance, LiteralType, TupleType, Type

from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.walk import children, nodes_of

__all__ = ["Values", "computed_texts", "text_of", "values_of"]

Values = Mapping[Var, int | str]
"""The numbers and texts that variables are in a round."""

_LONGEST = 100
"""How long a number may be that stands in a text."""


def values_of(target: Node, item: Type) -> dict[Var, int | str]:
    """What the targets of a loop are for an item, as far as they are a number or a text."""
    p = get_finite_type(item)
    if isinstance(target, TupleExpr) and isinstance(p, TupleType) and len(p.items) == len(target.items):
        return {v: value for t, i in zip(target.items, p.items) for v, value in values_of(t, i).items()}
    known = p.last_known_value if isinstance(p, Instance) else p
    if not isinstance(target, NameExpr) or not isinstance(target.node, Var) or not isinstance(known, LiteralType):
        return {}
    value = known.value
    return {target.node: value} if type(value) is int or isinstance(value, str) else {}


def text_of(e: Expression, values: Values) -> str | None:
    """The text that an expression is; None if it is none, or not known."""
    if isinstance(e, StrExpr):
        return e.value
    if isinstance(e, OpExpr) and e.op == "+":
        left, right = text_of(e.left, values), text_of(e.right, values)
        return None if left is None or right is None else left + right
    if isinstance(e, NameExpr):
        value = values.get(e.node) if isinstance(e.node, Var) else None
        return value if isinstance(value, str) else None
    if not isinstance(e, CallExpr) or any(name is not None for name in e.arg_names):
        return None
    if isinstance(e.callee, RefExpr) and e.callee.fullname == "builtins.str" and len(e.args) == 1:
        return _shown(e.args[0], values)
    owner = e.callee.expr if isinstance(e.callee, MemberExpr) else None
    if not isinstance(e.callee, MemberExpr) or not isinstance(owner, StrExpr):
        return None
    if e.callee.name == "join" and not owner.value and len(e.args) == 1 and isinstance(e.args[0], ListExpr):
        parts = [text_of(part, values) for part in e.args[0].items]  # of an f-string, as mypy reads it
        known = [part for part in parts if part is not None]
        return "".join(known) if len(known) == len(parts) else None
    if e.callee.name == "format" and owner.value == "{:{}}" and len(e.args) == 2:
        return _shown(e.args[0], values) if text_of(e.args[1], values) == "" else None
    if e.callee.name == "format" and len(e.args) == 1 and owner.value.count("{") == owner.value.count("{}") == 1:
        shown = _shown(e.args[0], values)
        return None if shown is None or owner.value.count("}") != 1 else owner.value.replace("{}", shown)
    return None


def _shown(e: Expression, values: Values) -> str | None:
    """A number or text in a text."""
    value = values.get(e.node) if isinstance(e, NameExpr) and isinstance(e.node, Var) else None
    if isinstance(e, IntExpr):
        value = e.value
    if isinstance(e, OpExpr) and e.op in ("+", "-"):
        sides = [_number(side, values) for side in (e.left, e.right)]
        known = [n for n in sides if n is not None]
        value = None if len(known) < 2 else known[0] + known[1] if e.op == "+" else known[0] - known[1]
    if isinstance(value, int):
        return str(value) if abs(value) < 10**_LONGEST else None
    return text_of(e, values) if value is None else value


def _number(e: Expression, values: Values) -> int | None:
    if isinstance(e, IntExpr):
        return e.value
    value = values.get(e.node) if isinstance(e, NameExpr) and isinstance(e.node, Var) else None
    return value if isinstance(value, int) else None


def computed_texts(round_: Block, values: Values) -> Iterator[tuple[Node, Expression, StrExpr]]:
    """The texts that a round computes of what it takes, with what they stand in; not where something runs later."""
    values = {v: value for v, value in values.items() if _is_bound_once(v, round_)}
    stack: list[tuple[Node, Node]] = [(child, round_) for child in children(round_)] if values else []
    while stack:
        node, parent = stack.pop()
        if isinstance(node, FuncDef | LambdaExpr):
            continue
        if isinstance(node, GeneratorExpr) and not isinstance(parent, ListComprehension):
            continue
        is_key = isinstance(parent, IndexExpr) and node is parent.index
        is_computed = is_key or isinstance(node, CallExpr | OpExpr)
        text = text_of(node, values) if isinstance(node, Expression) and is_computed else None
        if text is None or isinstance(node, StrExpr) or not isinstance(node, Expression):
            stack.extend((child, node) for child in children(node))
            continue
        made = StrExpr(text)
        made.set_line(node)
        yield parent, node, made


def _is_bound_once(variable: Var, round_: Block) -> bool:
    """Whether a round binds a variable by its first statement alone."""
    targets: list[Expression] = []
    for node in nodes_of(round_):
        if isinstance(node, AssignmentStmt):
            targets += node.lvalues
        elif isinstance(node, OperatorAssignmentStmt):
            targets.append(node.lvalue)
        elif isinstance(node, ForStmt):
            targets.append(node.index)
        elif isinstance(node, GeneratorExpr):
            targets += node.indices
    return sum(name.node is variable for target in targets for name in _names(target)) == 1


def _names(target: Node) -> Iterator[NameExpr]:
    if isinstance(target, NameExpr):
        yield target
    elif isinstance(target, TupleExpr | ListExpr | StarExpr):
        for part in children(target):
            yield from _names(part)
