"""Whether a call of a function comes to an expression of its body, whatever the values are that it is given.

Where a test of types, sizes or Python values decides, it has to be decided by the types of the call; what hangs on the
numbers in an array may go either way, and counts as reached, as in flow.  Behind a statement that may leave the
function nothing is certain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

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
    TypeInfo,
    UnaryExpr,
    WhileStmt,
)
from mypy.types import AnyType, Instance, NoneType, ProperType, Type, UnionType, get_proper_type

from arraytyping_mypy.convert import value_of
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.walk import children

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["is_reached"]

_CONSUMING: Final = frozenset(
    f"builtins.{name}" for name in ("sum", "tuple", "list", "dict", "set", "max", "min", "sorted", "all", "any")
)
"""What takes the first item of a generator at least."""


class _Test(Enum):
    """How a test comes out for the types of a call."""

    TRUE = True
    FALSE = False
    DATA = "by the numbers in an array"
    OPEN = "not known"


def is_reached(function: FuncItem, target: Node, types: Mapping[Expression, Type], session: Session) -> bool:
    """Whether every call of a function with these types comes to this part of its body."""
    if function.is_generator or function.is_coroutine or function.is_async_generator:
        return False
    path = _path(function.body, target)
    return bool(path) and all(
        _Body(types, session).goes_on(outer, inner, path[:i]) for i, (outer, inner) in enumerate(pairwise(path))
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
    def __init__(self, types: Mapping[Expression, Type], session: Session) -> None:
        self._types = types
        self._session = session

    def goes_on(self, outer: Node, inner: Node, around: Sequence[Node]) -> bool:
        """Whether what comes to a node comes to a certain one of those directly below it."""
        match outer:
            case Block():
                before = outer.body[: next(i for i, s in enumerate(outer.body) if s is inner)]
                return not any(self._may_leave(s) for s in before)
            case IfStmt():
                return self._branch(outer, inner)
            case WhileStmt():
                return inner is outer.expr or (inner is outer.body and self._test(outer.expr) is _Test.TRUE)
            case ForStmt():
                return inner is not outer.else_body
            case TryStmt():
                return inner is outer.body or inner is outer.finally_body
            case MatchStmt():
                bodies = [b for b in outer.bodies if b is not inner]
                return inner is outer.subject or (inner in outer.bodies and all(map(self._is_dead, bodies)))
            case OpExpr() if outer.op in ("and", "or"):
                goal = _Test.TRUE if outer.op == "and" else _Test.FALSE
                return inner is outer.left or self._test(outer.left) in (goal, _Test.DATA)
            case ConditionalExpr():
                goal = _Test.TRUE if inner is outer.if_expr else _Test.FALSE
                return inner is outer.cond or self._test(outer.cond) in (goal, _Test.DATA)
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
            outcome = self._test(test)
            if inner is body:
                return outcome in (_Test.TRUE, _Test.DATA)
            if outcome not in (_Test.FALSE, _Test.DATA) and not self._is_dead(body):
                return False
        return True

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
                return self._test(node.expr) not in (_Test.TRUE, _Test.DATA)
            case IfStmt():
                for test, body in zip(node.expr, node.body):
                    outcome = self._test(test)
                    is_open = outcome in (_Test.TRUE, _Test.OPEN) and not self._is_dead(body)
                    if is_open and self._may_leave(body, in_loop):
                        return True
                    if outcome is _Test.TRUE:
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

    def _test(self, expression: Expression) -> _Test:
        """How a condition comes out."""
        if isinstance(expression, UnaryExpr) and expression.op == "not":
            inner = self._test(expression.expr)
            return {_Test.TRUE: _Test.FALSE, _Test.FALSE: _Test.TRUE}.get(inner, inner)
        if isinstance(expression, OpExpr) and expression.op in ("and", "or"):
            return _both(expression.op, self._test(expression.left), self._test(expression.right))
        if isinstance(expression, ComparisonExpr):
            return self._comparison(expression) if len(expression.operators) == 1 else _Test.OPEN
        if isinstance(expression, CallExpr) and _is_isinstance(expression):
            return self._instance(*expression.args)
        p = self._type(expression)
        if p is None:
            return _Test.OPEN
        if _is_array(p):
            return _Test.DATA
        value = value_of(p, self._session)
        return _Test(bool(value)) if value is None or isinstance(value, bool | int | str) else _Test.OPEN

    def _comparison(self, expression: ComparisonExpr) -> _Test:
        (operator,) = expression.operators
        sides = [self._type(side) for side in expression.operands]
        left, right = sides
        if left is None or right is None:
            return _Test.OPEN
        if operator in ("is", "is not"):
            if not isinstance(right, NoneType):
                return _Test.OPEN
            found = _is_none(left)
            return _Test.OPEN if found is None else _Test(found is (operator == "is"))
        if operator in ("in", "not in"):
            return _Test.OPEN
        if _is_array(left) or _is_array(right):
            return _Test.DATA
        first, second = (value_of(side, self._session) for side in sides if side is not None)
        if not (_is_plain(first) and _is_plain(second)):
            return _Test.OPEN
        try:
            return _Test(bool(_COMPARE[operator](first, second)))
        except TypeError:
            return _Test.OPEN

    def _instance(self, given: Expression, wanted: Expression) -> _Test:
        p = self._type(given)
        node = wanted.node if isinstance(wanted, RefExpr) else None
        if not isinstance(p, Instance) or not isinstance(node, TypeInfo):
            return _Test.OPEN
        return _Test.TRUE if node in p.type.mro else _Test.OPEN

    def _type(self, expression: Expression) -> ProperType | None:
        found = self._types.get(expression)
        return None if found is None else get_proper_type(found)


_COMPARE: Final[dict[str, Any]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _both(operator: str, left: _Test, right: _Test) -> _Test:
    deciding, other = (_Test.FALSE, _Test.TRUE) if operator == "and" else (_Test.TRUE, _Test.FALSE)
    if left is deciding or right is deciding:
        return deciding
    if left is other:
        return right
    if right is other:
        return left
    return _Test.DATA if left is right else _Test.OPEN


def _is_plain(value: Any) -> bool:
    """Whether it is a number, a text or a tuple of such, every part of which is known."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return isinstance(value, bool | int | str)


def _is_none(p: ProperType) -> bool | None:
    """Whether a value of this type is None; None if it may be."""
    if isinstance(p, NoneType):
        return True
    if isinstance(p, AnyType):
        return None
    if isinstance(p, UnionType):
        found = {_is_none(get_proper_type(i)) for i in p.items}
        return found.pop() if len(found) == 1 else None
    return None if isinstance(p, Instance) and p.type.fullname == "builtins.object" else False


def _is_isinstance(call: CallExpr) -> bool:
    callee = call.callee
    return isinstance(callee, RefExpr) and callee.fullname == "builtins.isinstance" and len(call.args) == 2


def _is_array(p: ProperType) -> bool:
    return isinstance(p, Instance) and p.type.fullname in ARRAYS


def _below(node: Node) -> list[Node]:
    found = [node]
    for one in found:
        found.extend(children(one))
    return found
