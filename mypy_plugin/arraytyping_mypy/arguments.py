"""A call's arguments as abstract values: read off the expression where that tells more than its type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from mypy.nodes import (
    ARG_POS,
    ArgKind,
    CallExpr,
    ComparisonExpr,
    ComplexExpr,
    EllipsisExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import CallableType, Instance, Type, UnboundType, UnionType, get_proper_type

from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, Scalar, ShapedArray, SymbolicDim, join_shapes
from arraytyping_mypy.bindings import Item
from arraytyping_mypy.checker import current_function, stored_type
from arraytyping_mypy.choices import of_any_choice
from arraytyping_mypy.convert import arrays_of, value_of
from arraytyping_mypy.declared_sizes import with_declared_sizes
from arraytyping_mypy.session import Session
from arraytyping_mypy.statics import constant

__all__ = ["Arguments", "bind", "is_uncertain", "read", "whole_union"]

Arguments = tuple[list[Any], dict[str, Any]]
"""Positional and keyword arguments, as abstract values."""

DEPTH: Final = 12
"""How deep an expression is read."""

# Expressions whose value, where it is known, is in themselves rather than in their type.
_READABLE: Final = (
    IntExpr, FloatExpr, ComplexExpr, StrExpr, EllipsisExpr, NameExpr, MemberExpr, UnaryExpr, OpExpr,
    TupleExpr, ListExpr, SliceExpr, IndexExpr, CallExpr,
)  # fmt: skip


def read(expression: Expression, t: Type | None, session: Session, depth: int = 0) -> Any:
    """The abstract value of an expression of this type (None: the type that mypy has stored for it, if any)."""
    if t is None:
        t = stored_type(session.api, expression)
    typed = UNKNOWN if t is None else value_of(of_any_choice(expression, t, session), session)
    if isinstance(typed, ShapedArray) or _has_array(typed):
        return with_declared_sizes(_array(expression, typed, session), expression, session)
    if isinstance(typed, NumPyArray) and is_uncertain(expression, session):
        return NumPyArray(None, None)
    if typed is None and is_uncertain(expression, session):
        return UNKNOWN
    if t is not None and _may_be_other(expression, t, session):
        return UNKNOWN
    if isinstance(expression, OpExpr | UnaryExpr) and _has_unbound(expression, session):
        return UNKNOWN
    if isinstance(expression, ComparisonExpr) and typed == Scalar("bool"):
        # Of two objects of which it knows nothing mypy says that they compare to a bool; arrays do not.
        sides = [read(e, None, session, depth + 1) for e in expression.operands]
        if any(_has_array(s) for s in sides):
            return _or_array(typed)
        return typed if all(_is_python(s) for s in sides) else UNKNOWN
    if depth > DEPTH or isinstance(typed, int | str) or not isinstance(expression, _READABLE):
        return typed
    value = constant(expression, lambda e: read(e, None, session, depth + 1))
    if value is not UNKNOWN:
        return value
    if _is_python(typed) and _may_be_called_with_arrays(expression, session, depth):
        return UNKNOWN
    if _is_python(typed) and _has_stacked_field(expression, session, depth):
        return _or_array(typed)
    if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        initializer = session.bindings.initializer(expression.node)
        if initializer is not None and not isinstance(initializer, ListExpr):
            value = _initial(initializer, session, depth + 1)
            # Only what cannot change after it was bound: a number, a string, a dtype, a tuple of these.
            if _is_immutable(value):
                return value
    return _exact(expression, typed, session, depth)


def _has_unbound(expression: Expression, session: Session) -> bool:
    """Whether an operand is of a type that mypy has not found; then it says of `x - 1.0` what the other operand is."""
    if isinstance(expression, OpExpr):
        return _has_unbound(expression.left, session) or _has_unbound(expression.right, session)
    if isinstance(expression, UnaryExpr):
        return _has_unbound(expression.expr, session)
    found = stored_type(session.api, expression)
    return isinstance(found, UnboundType)


def _may_be_called_with_arrays(expression: Expression, session: Session, depth: int) -> bool:
    """Whether a number comes from a value declared `Callable[[float], float]` that may get an array: then it is one."""
    if depth > DEPTH:
        return False
    if isinstance(expression, OpExpr):
        return any(_may_be_called_with_arrays(e, session, depth + 1) for e in (expression.left, expression.right))
    if isinstance(expression, UnaryExpr):
        return _may_be_called_with_arrays(expression.expr, session, depth + 1)
    if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        initializer = session.bindings.initializer(expression.node)
        return isinstance(initializer, Expression) and _may_be_called_with_arrays(initializer, session, depth + 1)
    if not isinstance(expression, CallExpr):
        return False
    found = stored_type(session.api, expression.callee)
    callee = None if found is None else get_proper_type(found)
    return (
        isinstance(callee, CallableType)
        and callee.definition is None
        and not callee.is_type_obj()
        and not all(_is_python(read(a, None, session, depth + 1)) for a in expression.args)
    )


def _has_stacked_field(expression: Expression, session: Session, depth: int) -> bool:
    """Whether a number is, or is computed of, a field declared so that a transformation may have made an array of."""
    if depth > DEPTH:
        return False
    if isinstance(expression, OpExpr):
        return any(_has_stacked_field(e, session, depth + 1) for e in (expression.left, expression.right))
    if isinstance(expression, UnaryExpr):
        return expression.op != "not" and _has_stacked_field(expression.expr, session, depth + 1)
    if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        initializer = session.bindings.initializer(expression.node)
        return isinstance(initializer, Expression) and _has_stacked_field(initializer, session, depth + 1)
    if not isinstance(expression, MemberExpr):
        return False
    from arraytyping_mypy.number_fields import may_be_stacked  # few numbers are fields

    return may_be_stacked(expression, session)


def _or_array(number: Any) -> Any:
    """What is this number, or any array in its place."""
    return Alternatives.of([number, ShapedArray(None, None)])


def _initial(initializer: Expression | Item, session: Session, depth: int) -> Any:
    if isinstance(initializer, Expression):
        return read(initializer, None, session, depth)
    whole = read(initializer.whole, None, session, depth)
    fits = isinstance(whole, tuple | list) and len(whole) == initializer.count
    return whole[initializer.index] if fits else UNKNOWN


def is_uncertain(expression: Expression, session: Session) -> bool:
    """Whether a name may be bound to another array than the one of which mypy knows the type."""
    if not isinstance(expression, NameExpr) or not isinstance(expression.node, Var):
        return False
    return session.bindings.is_uncertain(expression.node, current_function(session.api))


def _may_be_other(expression: Expression, t: Type, session: Session) -> bool:
    """Whether it is an item of a list or dict into which something of another kind may be put."""
    base = expression.base if isinstance(expression, IndexExpr) else None
    if not isinstance(base, NameExpr) or not isinstance(base.node, Var) or base.node not in session.mutations.growing:
        return False
    return session.grown.may_be_other(base.node, t)


def _array(expression: Expression, typed: Any, session: Session) -> Any:
    """What is certain of an expression whose type is an array's."""
    if type(expression) is NameExpr and type(expression.node) is Var:
        if session.bindings.is_uncertain(expression.node, current_function(session.api)):
            return ShapedArray(None, None) if isinstance(typed, ShapedArray) else UNKNOWN
        # A hook is asked for each member of a union on its own, but a union that grows must come to an end.
        whole = stored_type(session.api, expression)
        p = None if whole is None or isinstance(whole, Instance) else get_proper_type(whole)
        if isinstance(p, UnionType) and len(p.items) > 2:
            arrays = arrays_of(p, session)
            if len({a.shape for a in arrays}) > 2:
                shape = reduce(join_shapes, (a.shape for a in arrays))
                members = typed.values if isinstance(typed, Alternatives) else (typed,)
                return Alternatives.of(replace(m, shape=shape) if isinstance(m, ShapedArray) else m for m in members)
    return typed


def _has_array(value: Any) -> bool:
    return isinstance(value, Alternatives) and any(isinstance(v, ShapedArray) for v in value.values)


def _is_python(value: Any) -> bool:
    if isinstance(value, Alternatives):
        return all(map(_is_python, value.values))
    return isinstance(value, Scalar | bool | int | float | complex | str)


def _is_immutable(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_immutable, value))
    return value is None or isinstance(value, bool | int | float | complex | str | type | Scalar | SymbolicDim)


_EXACT_CALLS: Final = {
    "builtins.len": Scalar("int"),
    "builtins.int": Scalar("int"),
    "builtins.float": Scalar("float"),
    "builtins.complex": Scalar("complex"),
    "builtins.bool": Scalar("bool"),
}


def _exact(expression: Expression, typed: Any, session: Session, depth: int) -> Any:
    """A Python scalar whose type is exactly known, although an annotation of this type would admit more."""
    if not (isinstance(typed, Alternatives) and all(isinstance(v, Scalar) for v in typed.values)):
        return typed
    widest = typed.values[0]
    if isinstance(expression, CallExpr) and isinstance(expression.callee, RefExpr):
        return _EXACT_CALLS.get(expression.callee.fullname, typed)
    if isinstance(expression, UnaryExpr) and expression.op in ("-", "+"):
        inner = read(expression.expr, None, session, depth + 1)
        return inner if isinstance(inner, Scalar) and inner.kind != "bool" else typed
    if isinstance(expression, OpExpr) and expression.op in ("+", "-", "*", "//", "%", "/"):
        if widest.kind == "int":
            return widest  # arithmetic on ints and bools gives an int
        sides = [read(e, None, session, depth + 1) for e in (expression.left, expression.right)]
        if widest.kind == "float" and (
            expression.op == "/" or any(isinstance(s, float) or s == Scalar("float") for s in sides)
        ):
            return widest
    if (
        isinstance(expression, IndexExpr)
        and isinstance(expression.base, MemberExpr)
        and expression.base.name == "shape"
    ):
        return widest
    return typed


def whole_union(expression: Expression | None, session: Session) -> Any:
    """The value of an expression whose type is a union, with all members of it; None if it is no union.

    mypy asks for each member on its own.  UNKNOWN if one of them is neither an array nor a Python scalar.
    """
    t = stored_type(session.api, expression) if expression is not None else None
    if t is None or not isinstance(get_proper_type(t), UnionType):
        return None
    value = value_of(t, session)
    values = value.values if isinstance(value, Alternatives) else (value,)
    plain = all(isinstance(v, ShapedArray | NumPyArray | Scalar | bool | int | float | complex) for v in values)
    return value if plain else UNKNOWN


def bind(
    args: list[list[Expression]],
    arg_types: list[list[Type]],
    arg_kinds: list[list[ArgKind]],
    arg_names: list[list[str | None]],
    session: Session,
    reader: Callable[[Expression, Type | None, Session], Any] = read,
) -> Arguments | None:
    """A call's arguments as abstract values, or None if it unpacks a sequence or mapping."""
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for formal in range(len(args)):
        for e, t, kind, name in zip(args[formal], arg_types[formal], arg_kinds[formal], arg_names[formal]):
            if kind is ARG_POS:
                positional.append(reader(e, t, session))
            elif kind.is_star():
                return None
            elif kind.is_named() and name is not None:
                named[name] = reader(e, t, session)
            else:
                positional.append(reader(e, t, session))
    return positional, named
