"""Functions that are chosen: out of a dict, by a condition, or by their name in a module of JAX.

`ACTIVATIONS[name](x)`, `(jnp.sin if c else jnp.cos)(x)`, `getattr(jax.nn, name)(x)`.  Where it is not known which one
it is, what all of them give is known if they give the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    Decorator,
    DictExpr,
    Expression,
    FuncDef,
    IndexExpr,
    LambdaExpr,
    MypyFile,
    NameExpr,
    RefExpr,
    Var,
)
from mypy.plugin import FunctionContext
from mypy.typeops import function_type
from mypy.types import CallableType, Type, get_proper_type

from arraytyping_mypy.arguments import read
from arraytyping_mypy.checker import current_function, type_again
from arraytyping_mypy.features.applied import by_rule
from arraytyping_mypy.features.chosen_calls import CALLED
from arraytyping_mypy.features.partials import is_kept, unwrapped
from arraytyping_mypy.followable import definition_of
from arraytyping_mypy.given import arguments
from arraytyping_mypy.kept_displays import KEPT
from arraytyping_mypy.looked_up import is_field
from arraytyping_mypy.names import LIBRARIES
from arraytyping_mypy.provenance import NAMING, is_traceable
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.written import Given, items_of

__all__ = ["call", "choices", "function_hook", "is_chosen_before", "result_of"]

_DEPTH: Final = 6
_MANY: Final = 12
"""How many functions are looked at that it may be."""


def is_chosen_before(callee: NameExpr, session: Session) -> bool:
    """Whether a variable is bound to a function that is chosen, in this one place."""
    if not isinstance(callee.node, Var):
        return False
    value = session.bindings.only_value(callee.node)
    return isinstance(value, ConditionalExpr | IndexExpr) or _several(callee.node, session) is not None


def _several(variable: Var, session: Session) -> list[Expression] | None:
    """What a variable of the function under check is bound to, in several places; None if that is not all known."""
    values = session.bindings.values(variable)
    if len(values) < 2 or not session.bindings.is_settled(variable):
        return None
    if session.bindings.owner_of(variable) is not current_function(session.api):
        return None
    found = [v for v in values if v is not None]
    return found if len(found) == len(values) else None


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of `getattr`, and of what stands for the calls of chosen functions; None for others."""
    if fullname == NAMING:
        return partial(_name, sessions)
    return partial(_called, sessions) if fullname == CALLED else None


def _name(sessions: Sessions, ctx: FunctionContext) -> Type:
    """`getattr(jax.nn, "relu")`: the function of this name."""
    session = sessions.of(ctx.api)
    given = [(e, t) for es, types in zip(ctx.args, ctx.arg_types) for e, t in zip(es, types)]
    owner = given[0][0] if given else None
    module = owner.node if isinstance(owner, RefExpr) else None
    is_known = isinstance(module, MypyFile) and module.fullname.partition(".")[0] in ("jax", "arraytyping")
    name = read(*given[1], session) if session.is_active and is_known and len(given) > 1 else None
    symbol = module.names.get(name) if isinstance(module, MypyFile) and isinstance(name, str) else None
    node = None if symbol is None else symbol.node
    node = node.func if isinstance(node, Decorator) else node
    if not isinstance(node, FuncDef):
        return ctx.default_return_type
    found = function_type(node, session.api.named_generic_type("builtins.function", []))
    return found if isinstance(found, CallableType) else ctx.default_return_type


def _called(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    function, t = ctx.args[0][0], get_proper_type(ctx.arg_types[0][0])
    if not isinstance(t, CallableType) or t.variables:
        return _as_it_stands(ctx, session)
    declared = t.ret_type
    given = arguments(ctx, session) if session.is_active else None
    if given is None:
        return declared
    if isinstance(ctx.context, CallExpr):
        session.following.site = ctx.context
    return call(function, t, given[0][1:], given[1], session) or declared


def _as_it_stands(ctx: FunctionContext, session: Session) -> Type:
    """What the call gives that stands in the program, of an instance such as a layer."""
    stands = ctx.context
    if not isinstance(stands, CallExpr):
        return ctx.default_return_type
    made = CallExpr(stands.args[0], stands.args[1:], stands.arg_kinds[1:], stands.arg_names[1:])
    made.set_line(stands)
    if session.has_followed:
        session.following.add(made, stands)
    return type_again(ctx.api, made)


def call(
    function: Expression, t: Type, positional: Sequence[Type], named: Mapping[str, Type], session: Session
) -> Type | None:
    """What a call of a chosen function gives; None if that is not known."""
    several = choices(function, t, session)
    if not several or len(several) > _MANY:
        return None
    results = [result_of(one, positional, named, session) for one in several]
    first = results[0]
    return first if first is not None and all(r is not None and str(r) == str(first) for r in results) else None


def result_of(function: Type, positional: Sequence[Type], named: Mapping[str, Type], session: Session) -> Type | None:
    """What a function of the program or of JAX gives, also one with some arguments given before."""
    inner, given, keywords = unwrapped(function, positional, named)
    p = get_proper_type(inner)
    definition = definition_of(p) if isinstance(p, CallableType) and not p.variables else None
    if definition is None or not isinstance(p, CallableType):
        return None
    if definition.fullname.partition(".")[0] in LIBRARIES:
        return by_rule(definition, given, keywords, session)
    return session.following.result(p, given, keywords)


def choices(expression: Expression, t: Type | None, session: Session, depth: int = 0) -> list[Type] | None:
    """The functions that an expression may be, by their types; None if it may be another."""
    if depth > _DEPTH:
        return None
    if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        value = session.bindings.only_value(expression.node)
        is_here = session.bindings.owner_of(expression.node) in (None, current_function(session.api))
        if isinstance(value, ConditionalExpr | IndexExpr):
            return choices(value, session.stored(value), session, depth + 1) if is_here else None
        several = _several(expression.node, session)
        if several is not None:
            return _all_of(several, session, depth)
    if isinstance(expression, ConditionalExpr):
        return _all_of([expression.if_expr, expression.else_expr], session, depth)
    if isinstance(expression, IndexExpr):
        return _items(expression, session, depth)
    if t is None:
        return None
    found = session.following.function(expression, t)
    is_certain = isinstance(expression, LambdaExpr | RefExpr | CallExpr) and is_traceable(expression, session.bindings)
    is_function = isinstance(get_proper_type(found), CallableType) or is_kept(found)
    return [found] if is_certain and is_function else None


def _all_of(expressions: Sequence[Expression], session: Session, depth: int) -> list[Type] | None:
    found: list[Type] = []
    for expression in expressions:
        inner = choices(expression, session.stored(expression), session, depth + 1)
        if inner is None:
            return None
        found += inner
    return found


def _display(base: Expression, session: Session) -> Given:
    """What a dict or list is bound to that is written out in a copy, where nothing is put into it."""
    variable = base.node if isinstance(base, NameExpr) and isinstance(base.node, Var) else None
    value = None if variable is None else session.bindings.only_value(variable)
    callee = value.callee if isinstance(value, CallExpr) else None
    if variable is not None and isinstance(value, CallExpr) and isinstance(callee, RefExpr) and callee.fullname == KEPT:
        display = value.args[0]
        kind = "dict" if isinstance(display, DictExpr) else "list"
        is_closed = session.mutations.is_closed(kind) and not session.mutations.grows(variable)
        is_here = session.bindings.owner_of(variable) is current_function(session.api)
        if is_closed and is_here and not session.takes_out:
            return Given(display, session.stored(display))
    return Given(base, session.stored(base))


def _items(expression: IndexExpr, session: Session, depth: int) -> list[Type] | None:
    """The functions in a dict or list that is written out: that of the key, or all of them."""
    items = items_of(_display(expression.base, session), session)
    if items is None or not items.whole or items.empty or not items.items:
        return None
    key = read(expression.index, session.stored(expression.index), session)
    if type(key) is int and key < 0:
        key += len(items.items)
    known = [given for place, given in items.items if place == f"[{key!r}]"]
    if isinstance(key, str | int) and not known:
        return None
    found: list[Type] = []
    for given in known or [given for _, given in items.items]:
        if given.expression is not None:
            inner = choices(given.expression, given.type, session, depth + 1)
        else:
            inner = [given.type] if given.type is not None and is_field(expression, session) else None
        if inner is None:
            return None
        found += inner
    return found
