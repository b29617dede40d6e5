"""Conditions whose outcome is known for the arguments of a call: `if training:`, `mode == "same"`, `x.ndim == 1`.

mypy goes through both branches, since the type of a parameter is that of all its values.  A function that is followed
is followed for some arguments; where these decide, what the other branch gives is not what the call gives.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    FuncDef,
    IfStmt,
    LambdaExpr,
    NameExpr,
    Node,
    OpExpr,
    UnaryExpr,
)
from mypy.types import Instance, LiteralType, NoneType, Type, get_proper_type

from arraytyping.scalars import NAMES
from arraytyping.semantics.avals import UNKNOWN
from arraytyping_mypy.arguments import read
from arraytyping_mypy.session import Session
from arraytyping_mypy.walk import children, nodes_of

__all__ = ["Condition", "conditions", "decide", "outcomes"]

_COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class Condition(NamedTuple):
    """Where a condition stands: of which statement or expression, and of which of its branches."""

    owner: IfStmt | ConditionalExpr
    place: int

    @property
    def expression(self) -> Expression:
        """What is asked."""
        return self.owner.expr[self.place] if isinstance(self.owner, IfStmt) else self.owner.cond


def conditions(function: FuncDef) -> Iterator[Condition]:
    """The conditions of a function, in order; not those of the functions in it."""
    stack: list[Node] = [function.body]
    while stack:
        node = stack.pop()
        if isinstance(node, IfStmt):
            yield from (Condition(node, i) for i in range(len(node.expr)))
        elif isinstance(node, ConditionalExpr):
            yield Condition(node, 0)
        if not isinstance(node, FuncDef | LambdaExpr):
            stack.extend(reversed(list(children(node))))


def outcomes(function: FuncDef, types: Mapping[Expression, Type], session: Session) -> dict[int, bool]:
    """The conditions of a function that was checked whose outcome is known, by their number in `conditions`."""
    found: dict[int, bool] = {}
    for number, condition in enumerate(conditions(function)):
        outcome = _truth(condition.expression, types, session)
        if outcome is not None:
            found[number] = outcome
    return found


def decide(function: FuncDef, known: Mapping[int, bool], truth: Callable[[bool], Expression]) -> None:
    """Put what is known in the place of the conditions of a copy."""
    for number, condition in enumerate(list(conditions(function))):
        if number not in known:
            continue
        made = truth(known[number])
        made.set_line(condition.expression)
        if isinstance(condition.owner, IfStmt):
            condition.owner.expr[condition.place] = made
        else:
            condition.owner.cond = made


def _truth(e: Expression, types: Mapping[Expression, Type], session: Session) -> bool | None:
    if isinstance(e, UnaryExpr) and e.op == "not":
        inner = _truth(e.expr, types, session)
        return None if inner is None else not inner
    if isinstance(e, OpExpr) and e.op in ("and", "or"):
        sides = [_truth(side, types, session) for side in (e.left, e.right)]
        decisive = e.op == "or"
        # What stands on the right is not asked where the left one decides; and both are, where neither does.
        return decisive if decisive in sides else None if None in sides else not decisive
    if isinstance(e, ComparisonExpr):
        return _comparison(e, types, session)
    t = types.get(e)
    p = None if t is None else get_proper_type(t)
    if isinstance(p, Instance) and p.last_known_value is not None:
        p = p.last_known_value
    is_named = isinstance(e, NameExpr) and e.fullname in ("builtins.True", "builtins.False")
    if is_named or not isinstance(p, LiteralType) or p.is_enum_literal():
        return None  # mypy knows these itself
    return bool(p.value)


def _comparison(e: ComparisonExpr, types: Mapping[Expression, Type], session: Session) -> bool | None:
    compare = _COMPARISONS.get(e.operators[0])
    if len(e.operators) != 1 or compare is None:
        return None
    left, right = (_value(operand, types, session) for operand in e.operands)
    if left is UNKNOWN or right is UNKNOWN:
        return None
    try:
        outcome = compare(left, right)
    except TypeError:
        return None
    return outcome if isinstance(outcome, bool) else None


def _value(e: Expression, types: Mapping[Expression, Type], session: Session) -> Any:
    """A number, text, tuple of these or dtype; UNKNOWN for anything else."""
    t = types.get(e)
    if t is None or any(isinstance(n, NameExpr) and n.node is None for n in nodes_of(e)):
        return UNKNOWN
    if isinstance(get_proper_type(t), NoneType):
        return None
    found = read(e, t, session)
    return found if _is_plain(found) else UNKNOWN


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return type(value) in (bool, int, str) or (isinstance(value, type) and value in NAMES)
