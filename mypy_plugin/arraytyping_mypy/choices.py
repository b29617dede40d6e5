"""Expressions that are one of several values: `a if c else b`, `a or b`, `rows[i]`, `d.get(key, default)`.

mypy says one type of them all.  Where the several differ in nothing but the numbers in tuples and dicts, it takes the
first for all of them, whose numbers say nothing then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy.erasetype import remove_instance_last_known_values
from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    Expression,
    IndexExpr,
    IntExpr,
    MemberExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    UnaryExpr,
)
from mypy.types import Instance, LiteralType, TupleType, Type, TypedDictType, UnionType, get_proper_type

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["of_any_choice"]

_METHODS: Final = ("get", "pop", "setdefault")
_FUNCTIONS: Final = ("builtins.next", "builtins.getattr")


def of_any_choice(expression: Expression, t: Type, session: Session) -> Type:
    """The type of an expression without the numbers that only one of several values may have."""
    if isinstance(t, Instance):
        return t  # as most are
    p = get_proper_type(t)
    parts = list(map(get_proper_type, p.items)) if isinstance(p, UnionType) else [p]
    if not any(isinstance(part, TupleType | TypedDictType) for part in parts) or not _is_choice(expression, session):
        return t
    found = [remove_instance_last_known_values(i) if isinstance(i, TupleType | TypedDictType) else i for i in parts]
    return UnionType.make_union(found)


def _is_choice(expression: Expression, session: Session) -> bool:
    if isinstance(expression, CallExpr):
        callee = expression.callee
        if isinstance(callee, RefExpr) and callee.fullname in _FUNCTIONS:
            return True
        return isinstance(callee, MemberExpr) and callee.name in _METHODS
    if isinstance(expression, IndexExpr):
        return not _is_known(expression.index, session)
    return isinstance(expression, ConditionalExpr) or (
        isinstance(expression, OpExpr) and expression.op in ("and", "or")
    )


def _is_known(index: Expression, session: Session) -> bool:
    """Whether mypy knows which item a subscript is."""
    if isinstance(index, SliceExpr):
        parts = (index.begin_index, index.end_index, index.stride)
        return all(part is None or _is_known(part, session) for part in parts)
    index = index.expr if isinstance(index, UnaryExpr) and index.op == "-" else index
    found = session.stored(index)
    p = None if found is None else get_proper_type(found)
    is_literal = isinstance(p, LiteralType) or (isinstance(p, Instance) and p.last_known_value is not None)
    return is_literal or isinstance(index, IntExpr)
