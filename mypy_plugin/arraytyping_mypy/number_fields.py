"""Fields that are declared as numbers, and may be arrays when the program runs.

`count: int` in a named tuple is an int where it is made, a scalar array under `jit`, and an array of all counts once
`scan` or `vmap` has stacked the tuples.  So it is with every class whose instances are pytrees, and with a protocol,
which such a class may fulfil.  A field of another dataclass is what it is declared.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    Expression,
    FloatExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    TypeInfo,
    Var,
)
from mypy.types import Instance, TupleType, get_proper_type

from arraytyping_mypy.features.instance_types import instance_info
from arraytyping_mypy.hierarchy import KEY, TREE
from arraytyping_mypy.names import LIBRARIES
from arraytyping_mypy.session import Session

__all__ = ["may_be_stacked"]

_NODE: Final = "flax.struct.PyTreeNode"


def may_be_stacked(expression: MemberExpr, session: Session) -> bool:
    """Whether an attribute is a field of a pytree's class of which no more is known than that it is declared a number.

    A number with which an instance was made in sight is known by its value.
    """
    found, owner = session.stored(expression), session.stored(expression.expr)
    number = None if found is None else get_proper_type(found)
    if isinstance(number, Instance) and number.last_known_value is not None:
        return False
    if owner is None or instance_info(owner) is not None or _is_made_of_literals(expression.expr, session):
        return False
    p = get_proper_type(owner)
    p = p.partial_fallback if isinstance(p, TupleType) else p
    if not isinstance(p, Instance) or p.type.module_name.partition(".")[0] in LIBRARIES:
        return False
    symbol = p.type.get(expression.name)
    field = None if symbol is None else symbol.node
    if not isinstance(field, Var) or field.is_inferred or field.is_classvar or field.is_final:
        return False
    return _may_be_tree(p.type, session) and expression.name not in (session.classes.static_fields(p.type) or ())


def _may_be_tree(info: TypeInfo, session: Session) -> bool:
    if info.is_protocol or info.has_base(_NODE) or any(base.is_named_tuple for base in info.mro):
        return True
    if any(base.metadata.get(KEY, {}).get(TREE) for base in info.mro):
        return True
    return session.classes.is_handed_on(info)


def _is_made_of_literals(expression: Expression, session: Session) -> bool:
    """Whether an instance is made in sight, or one of several, and all that it is made of is written out."""
    if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        made = session.bindings.initializer(expression.node)
        return isinstance(made, CallExpr | ConditionalExpr) and _is_made_of_literals(made, session)
    if isinstance(expression, ConditionalExpr):
        return all(_is_made_of_literals(e, session) for e in (expression.if_expr, expression.else_expr))
    if not isinstance(expression, CallExpr) or not isinstance(expression.callee, RefExpr):
        return False
    return isinstance(expression.callee.node, TypeInfo) and all(map(_is_literal, expression.args))


def _is_literal(expression: Expression) -> bool:
    is_bool = isinstance(expression, NameExpr) and expression.fullname in ("builtins.True", "builtins.False")
    return is_bool or isinstance(expression, IntExpr | FloatExpr | StrExpr)
