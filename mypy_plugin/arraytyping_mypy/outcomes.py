"""How a condition comes out for the types of a call: by sizes, flags and texts, or by the numbers in an array."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final

from mypy.nodes import CallExpr, ComparisonExpr, Expression, OpExpr, RefExpr, TupleExpr, TypeInfo, UnaryExpr
from mypy.types import AnyType, Instance, NoneType, ProperType, TupleType, Type, UnionType, get_proper_type

from arraytyping.scalars import NAMES
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.names import ARRAYS

__all__ = ["Outcome", "outcome_of"]

Value = Callable[[Expression, Type], Any]
"""The abstract value of an expression that has this type."""


class Outcome(Enum):
    """How a condition comes out for the types of a call."""

    TRUE = True
    FALSE = False
    DATA = "by the numbers in an array"
    OPEN = "not known"


def outcome_of(expression: Expression, types: Mapping[Expression, Type], value: Value) -> Outcome:
    """How a condition comes out whose parts have these types."""
    if isinstance(expression, UnaryExpr) and expression.op == "not":
        inner = outcome_of(expression.expr, types, value)
        return {Outcome.TRUE: Outcome.FALSE, Outcome.FALSE: Outcome.TRUE}.get(inner, inner)
    if isinstance(expression, OpExpr) and expression.op in ("and", "or"):
        sides = [outcome_of(side, types, value) for side in (expression.left, expression.right)]
        return _both(expression.op, *sides)
    if isinstance(expression, ComparisonExpr):
        return _comparison(expression, types, value) if len(expression.operators) == 1 else Outcome.OPEN
    if isinstance(expression, CallExpr) and _is_isinstance(expression):
        given, wanted = expression.args
        return _instance(given, wanted, types)
    p = _type(expression, types)
    if p is None:
        return Outcome.OPEN
    if _is_array(p):
        return Outcome.DATA
    found = value(expression, p)
    return Outcome(bool(found)) if found is None or isinstance(found, bool | int | str) else Outcome.OPEN


def _comparison(expression: ComparisonExpr, types: Mapping[Expression, Type], value: Value) -> Outcome:
    (operator,) = expression.operators
    left, right = (_type(side, types) for side in expression.operands)
    if left is None or right is None:
        return Outcome.OPEN
    if operator in ("is", "is not"):
        if not isinstance(right, NoneType):
            return Outcome.OPEN
        found = _is_none(left)
        return Outcome.OPEN if found is None else Outcome(found is (operator == "is"))
    if _is_array(left) or _is_array(right):
        return Outcome.OPEN if operator in ("in", "not in") else Outcome.DATA
    first, second = (value(e, t) for e, t in zip(expression.operands, (left, right)))
    if not (_is_plain(first) and _is_plain(second)):
        return Outcome.OPEN
    try:
        return Outcome(bool(_COMPARE[operator](first, second)))
    except TypeError:
        return Outcome.OPEN


def _instance(given: Expression, wanted: Expression, types: Mapping[Expression, Type]) -> Outcome:
    p = _type(given, types)
    p = p.partial_fallback if isinstance(p, TupleType) else p
    classes = wanted.items if isinstance(wanted, TupleExpr) else [wanted]
    nodes = [c.node for c in classes if isinstance(c, RefExpr)]
    if not isinstance(p, Instance):
        return Outcome.OPEN
    return Outcome.TRUE if any(isinstance(n, TypeInfo) and n in p.type.mro for n in nodes) else Outcome.OPEN


def _type(expression: Expression, types: Mapping[Expression, Type]) -> ProperType | None:
    found = types.get(expression)
    return None if found is None else get_proper_type(found)


_COMPARE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}


def _both(operator: str, left: Outcome, right: Outcome) -> Outcome:
    deciding, other = (Outcome.FALSE, Outcome.TRUE) if operator == "and" else (Outcome.TRUE, Outcome.FALSE)
    if left is deciding or right is deciding:
        return deciding
    if left is other:
        return right
    if right is other:
        return left
    return Outcome.DATA if left is right else Outcome.OPEN


def _is_plain(value: Any) -> bool:
    """Whether it is a number, a text, a dtype or a tuple of such, every part of which is known."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return isinstance(value, bool | int | str) or (isinstance(value, type) and value in NAMES)


def _is_none(p: ProperType) -> bool | None:
    """Whether a value of this type is None; None if it may be."""
    if isinstance(p, NoneType):
        return True
    if isinstance(p, AnyType):
        return None
    if isinstance(p, UnionType):
        found = {_is_none(get_finite_type(i)) for i in p.items}
        return found.pop() if len(found) == 1 else None
    return None if isinstance(p, Instance) and p.type.fullname == "builtins.object" else False


def _is_isinstance(call: CallExpr) -> bool:
    callee = call.callee
    return isinstance(callee, RefExpr) and callee.fullname == "builtins.isinstance" and len(call.args) == 2


def _is_array(p: ProperType) -> bool:
    return isinstance(p, Instance) and p.type.fullname in ARRAYS
