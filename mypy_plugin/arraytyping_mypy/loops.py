"""Which variables a loop hands on too slowly for mypy to see what they become.

mypy goes through a loop's body a few times and stops.  A change of shape needs one round for each variable that it
passes through on its way (`a = b; b = c; c = grow(c)`), so of variables at the end of such a row nothing is certain.

Source: `TypeChecker.accept_loop` in https://github.com/python/mypy/blob/master/mypy/checker.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    ForStmt,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    Var,
    WhileStmt,
)

from arraytyping_mypy.walk import bound_variables, nodes_of

__all__ = ["unsettled"]

ROUNDS: Final = 2
"""How many rounds a change may take to reach a variable: mypy makes four, and one brings the widening."""


_Sources: TypeAlias = dict[Var, set[Var]]
"""The variables that each variable is computed of."""


class _Assignment(NamedTuple):
    target: Var
    read: frozenset[Var]


def unsettled(loop: ForStmt | WhileStmt) -> set[Var]:
    """The variables assigned in a loop that what changes in it may reach only after mypy has stopped."""
    assignments = [a for node in nodes_of(loop.body) for a in _assignments(node)]
    last = {a.target: i for i, a in enumerate(assignments)}
    delayed: _Sources = {}
    at_once: _Sources = {}
    for i, a in enumerate(assignments):
        for source in a.read:
            if source in last and source is not a.target:
                (delayed if last[source] >= i else at_once).setdefault(a.target, set()).add(source)
    return {v for v in last if _is_late(v, delayed, at_once, ROUNDS)}


def _is_late(v: Var, delayed: _Sources, at_once: _Sources, rounds: int, passed: frozenset[Var] = frozenset()) -> bool:
    """Whether a change may take more than so many rounds to reach this variable, past those that it has passed.

    Each way is followed from one round to the next only: the ways through the assignments of one round are too many.
    """
    passed |= {v}
    reached, waiting = {v}, [v]
    while waiting:
        found = at_once.get(waiting.pop(), set()) - reached - passed
        reached |= found
        waiting += found
    earlier = {u for w in reached for u in delayed.get(w, ())}
    if rounds == 0:
        return bool(earlier)
    return any(_is_late(u, delayed, at_once, rounds - 1, passed) for u in earlier - passed)


def _assignments(node: Node) -> Iterator[_Assignment]:
    """What a single node assigns."""
    if isinstance(node, AssignmentStmt):
        read = frozenset(_names(node.rvalue))
        for target in node.lvalues:
            yield from (_Assignment(v, read) for v in bound_variables(target))
    elif isinstance(node, OperatorAssignmentStmt):
        read = frozenset(_names(node.rvalue))
        yield from (_Assignment(v, read | {v}) for v in bound_variables(node.lvalue))
    elif isinstance(node, AssignmentExpr):
        yield from (_Assignment(v, frozenset(_names(node.value))) for v in bound_variables(node.target))
    elif isinstance(node, ForStmt):
        yield from (_Assignment(v, frozenset(_names(node.expr))) for v in bound_variables(node.index))


def _names(node: Node) -> Iterator[Var]:
    return (n.node for n in nodes_of(node) if isinstance(n, NameExpr) and isinstance(n.node, Var))
