"""Whether a call of a function comes to an expression of its body, whatever the values are that it is given.

Where a test of types, sizes or Python values decides, it has to be decided by the types of the call; what hangs on the
numbers in an array may go either way, and counts as reached, as in flow.  Behind a statement that may leave the
function nothing is certain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    AssertStmt,
    AssignmentStmt,
    Block,
    BreakStmt,
    CallExpr,
    ClassDef,
    ComparisonExpr,
    ConditionalExpr,
    ContinueStmt,
    Decorator,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    GeneratorExpr,
    IfStmt,
    LambdaExpr,
    ListComprehension,
    MatchStmt,
    NameExpr,
    Node,
    OpExpr,
    RaiseStmt,
    RefExpr,
    ReturnStmt,
    SetComprehension,
    TryStmt,
    TupleExpr,
    WhileStmt,
)
from mypy.types import Type

from arraytyping_mypy.convert import value_of
from arraytyping_mypy.outcomes import Outcome, outcome_of
from arraytyping_mypy.walk import children

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["is_reached"]

NOTHING: Final[Mapping[Expression, bool]] = MappingProxyType({})
_CONSUMING: Final = frozenset(
    f"builtins.{name}" for name in ("sum", "tuple", "list", "dict", "set", "max", "min", "sorted", "all", "any")
)
"""What takes the first item of a generator at least."""


def is_reached(
    function: FuncItem,
    target: Node,
    types: Mapping[Expression, Type],
    session: Session,
    decided: Mapping[Expression, bool] = NOTHING,
) -> bool:
    """Whether every call of a function with these types comes to this part of its body.

    Of some conditions the outcome is known already.
    """
    if function.is_generator or function.is_coroutine or function.is_async_generator:
        return False
    path = _path(function.body, target)
    return bool(path) and all(
        _Body(types, session, decided).goes_on(outer, inner, path[:i])
        for i, (outer, inner) in enumerate(pairwise(path))
    )


def _path(root: Node, target: Node) -> list[Node]:
    """The nodes from one down to another; empty if it is not below."""
    if root is target:
        return [root]
    for child in children(root):
        found = _path(child, target)
        if found:
            return [root, *found]
    return []


class _Body:
    def __init__(self, types: Mapping[Expression, Type], session: Session, decided: Mapping[Expression, bool]) -> None:
        self._types = types
        self._decided = decided
        self._found = partial(outcome_of, types=types, value=lambda _, t: value_of(t, session))

    def _outcome(self, test: Expression) -> Outcome:
        return Outcome(self._decided[test]) if test in self._decided else self._found(test)

    def goes_on(self, outer: Node, inner: Node, around: Sequence[Node]) -> bool:
        """Whether what comes to a node comes to a certain one of those directly below it."""
        match outer:
            case Block():
                before = outer.body[: next(i for i, s in enumerate(outer.body) if s is inner)]
                return not any(self._may_leave(s) for s in before)
            case IfStmt():
                return self._branch(outer, inner)
            case WhileStmt():
                return inner is outer.expr or (inner is outer.body and self._outcome(outer.expr) is Outcome.TRUE)
            case ForStmt():
                return inner is not outer.else_body
            case TryStmt():
                return inner is outer.body or inner is outer.finally_body
            case MatchStmt():
                bodies = [b for b in outer.bodies if b is not inner]
                return inner is outer.subject or (inner in outer.bodies and all(map(self._is_dead, bodies)))
            case OpExpr() if outer.op in ("and", "or"):
                goal = Outcome.TRUE if outer.op == "and" else Outcome.FALSE
                return inner is outer.left or self._outcome(outer.left) in (goal, Outcome.DATA)
            case ConditionalExpr():
                goal = Outcome.TRUE if inner is outer.if_expr else Outcome.FALSE
                return inner is outer.cond or self._outcome(outer.cond) in (goal, Outcome.DATA)
            case ComparisonExpr():
                return any(inner is o for o in outer.operands[:2])
            case GeneratorExpr():
                return inner is outer.sequences[0] or (not any(outer.condlists) and self._is_consumed(outer, around))
            case DictionaryComprehension():
                return inner is outer.sequences[0] or not any(outer.condlists)
            case AssertStmt():
                return inner is outer.expr
            case LambdaExpr() | FuncDef() | ClassDef() | Decorator():
                return False
        return True

    def _branch(self, statement: IfStmt, inner: Node) -> bool:
        for test, body in zip(statement.expr, statement.body):
            if inner is test:
                return True
            outcome = Outcome.DATA if _asks_for_program(test) else self._outcome(test)
            if inner is body:
                return outcome in (Outcome.TRUE, Outcome.DATA) or self._is_only(statement, body)
            if outcome not in (Outcome.FALSE, Outcome.DATA) and not self._is_dead(body):
                return False
        return True

    def _is_only(self, statement: IfStmt, body: Block) -> bool:
        """Whether mypy comes to no other branch, as of `if isinstance(x, tuple): ... else: ...`."""
        others = [b for b in (*statement.body, statement.else_body) if b is not body]
        return statement.else_body is not None and all(b is not None and self._is_dead(b) for b in others)

    def _is_consumed(self, generator: GeneratorExpr, around: Sequence[Node]) -> bool:
        parent = around[-1] if around else None
        if isinstance(parent, ListComprehension | SetComprehension):
            return True
        if isinstance(parent, AssignmentStmt):
            return any(isinstance(target, TupleExpr) and len(target.items) > 0 for target in parent.lvalues)
        return (
            isinstance(parent, CallExpr)
            and isinstance(parent.callee, RefExpr)
            and parent.callee.fullname in _CONSUMING
            and parent.args[0] is generator
        )

    def _may_leave(self, node: Node, in_loop: bool = False) -> bool:
        """Whether a statement may end the function, or the round of the loop around it."""
        match node:
            case ReturnStmt() | RaiseStmt():
                return True
            case BreakStmt() | ContinueStmt():
                return not in_loop
            case AssertStmt():
                return self._outcome(node.expr) not in (Outcome.TRUE, Outcome.DATA)
            case IfStmt():
                for test, body in zip(node.expr, node.body):
                    outcome = self._outcome(test)
                    is_open = outcome in (Outcome.TRUE, Outcome.OPEN) and not self._is_dead(body)
                    if is_open and self._may_leave(body, in_loop):
                        return True
                    if outcome is Outcome.TRUE:
                        return False
                return node.else_body is not None and self._may_leave(node.else_body, in_loop)
            case MatchStmt():
                return any(self._may_leave(b, in_loop) for b in node.bodies if not self._is_dead(b))
            case ForStmt() | WhileStmt():
                rest = node.else_body is not None and self._may_leave(node.else_body, in_loop)
                return rest or self._may_leave(node.body, in_loop=True)
            case FuncDef() | ClassDef() | Decorator() | Expression():
                return False
        return any(self._may_leave(child, in_loop) for child in children(node))

    def _is_dead(self, block: Node) -> bool:
        """Whether mypy comes to none of the expressions of a block."""
        found = [n for n in _below(block) if isinstance(n, CallExpr | NameExpr | OpExpr)]
        return bool(found) and not any(n in self._types for n in found)


def _asks_for_program(test: Expression) -> bool:
    """Whether it is `__name__ == "__main__"`, of a module that is run as a program."""
    if not isinstance(test, ComparisonExpr) or test.operators != ["=="]:
        return False
    return any(isinstance(e, NameExpr) and e.name == "__name__" for e in test.operands)


def _below(node: Node) -> list[Node]:
    found = [node]
    for one in found:
        found.extend(children(one))
    return found
