"""Conditions whose outcome is known for the arguments of a call: `if training:`, `mode == "same"`, `x.ndim == 1`.

mypy goes through both branches, since the type of a parameter is that of all its values.  A function that is followed
is followed for some arguments; where these decide, what the other branch gives is not what the call gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from mypy.nodes import (
    BreakStmt,
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    FuncDef,
    IfStmt,
    LambdaExpr,
    NameExpr,
    Node,
    PassStmt,
)
from mypy.types import Type

from arraytyping_mypy.arguments import read
from arraytyping_mypy.outcomes import Outcome, outcome_of
from arraytyping_mypy.session import Session
from arraytyping_mypy.walk import children, statements

__all__ = ["Condition", "conditions", "decide", "decided_conditions", "leaving_branches"]


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


def decided_conditions(function: FuncDef, types: Mapping[Expression, Type], session: Session) -> dict[int, bool]:
    """The conditions of a function that was checked whose outcome is known, by their number in `conditions`."""
    found: dict[int, bool] = {}
    leaving = leaving_branches(function)
    for number, condition in enumerate(conditions(function)):
        outcome = outcome_of(condition.expression, types, lambda e, t: read(e, t, session))
        is_wanted = condition.owner in leaving or not _is_narrowing(condition.expression)
        if outcome in (Outcome.TRUE, Outcome.FALSE) and is_wanted:
            found[number] = outcome is Outcome.TRUE
    return found


def decide(
    function: FuncDef, known: Mapping[int, bool], truth: Callable[[bool], Expression], replaced: dict[Expression, bool]
) -> None:
    """Put what is known in the place of the conditions of a copy, which are noted in `replaced`."""
    if not known:
        return
    for number, condition in enumerate(list(conditions(function))):
        if number not in known:
            continue
        made = truth(known[number])
        replaced[condition.expression] = known[number]
        made.set_line(condition.expression)
        if isinstance(condition.owner, IfStmt):
            condition.owner.expr[condition.place] = made
        else:
            condition.owner.cond = made


def leaving_branches(function: FuncDef) -> set[Node]:
    """The branchings of a function in which something leaves a loop, or did before that was put off.

    Each node is looked at once: an `elif` is a branching in that before it, and a thousand may stand in a row.
    """
    around: dict[Node, IfStmt | None] = {}
    leaving: set[Node] = set()
    stack: list[tuple[Node, IfStmt | None]] = [(function.body, None)]
    while stack:
        node, inner = stack.pop()
        if isinstance(node, BreakStmt | PassStmt):
            while inner is not None and inner not in leaving:
                leaving.add(inner)
                inner = around[inner]
        elif isinstance(node, IfStmt):
            around[node] = inner
            stack += ((child, node) for child in statements(node))
        else:
            stack += ((child, inner) for child in statements(node))
    return leaving


def _is_narrowing(e: Expression) -> bool:
    """Whether mypy goes through one branch alone as it is: of `True`, and of `x is None` where that is certain."""
    if isinstance(e, ComparisonExpr):
        return e.operators[0] in ("is", "is not")
    return isinstance(e, NameExpr) and e.fullname in ("builtins.True", "builtins.False")
