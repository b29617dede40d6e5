"""Modules of Flax's linen that the program defines: what `apply` and `init_with_output` give.

The module's `__call__` is followed with the fields that it was made with, for what is given behind the variables.

Source: `Module.apply` in flax/linen/module.py, `apply` in flax/core/scope.py.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import ArgKind, CallExpr, Expression, MemberExpr, NameExpr, RefExpr, StrExpr, TypeInfo
from mypy.plugin import MethodContext
from mypy.types import AnyType, CallableType, TupleType, Type, TypeOfAny, get_proper_type

from arraytyping_mypy.arguments import read
from arraytyping_mypy.features import instances, linen_layers
from arraytyping_mypy.features.applied import applied as apply
from arraytyping_mypy.features.instance_classes import is_linen
from arraytyping_mypy.features.instance_types import instance_info
from arraytyping_mypy.session import Session

__all__ = ["applied"]

_OTHERS: Final = ("capture_intermediates", "variables")


def applied(name: str, ctx: MethodContext, session: Session) -> Type | None:
    """What `apply` or `init_with_output` of a module gives; None if that is not known, as it is of `init`."""
    info = instance_info(ctx.type)
    call = ctx.context
    if info is None or not is_linen(info) or not isinstance(call, CallExpr):
        return None
    function: Type | None = instances.method(info, "__call__", session)
    types = {id(e): t for es, ts in zip(ctx.args, ctx.arg_types) for e, t in zip(es, ts)}
    positional: list[Type] = []
    named: dict[str, Type] = {}
    mutable: object = False
    for e, kind, key in zip(call.args, call.arg_kinds, call.arg_names):
        t = types.get(id(e))
        if kind.is_star() or t is None or key in _OTHERS:
            return None
        if key == "method":
            function = _method(e, t, info, session)
        elif key == "mutable":
            mutable = read(e, t, session)
        elif kind is ArgKind.ARG_POS:
            positional.append(session.following.function(e, t))
        elif key is not None and key != "rngs":
            named[key] = session.following.function(e, t)
    is_alone = name == "init" or (name == "apply" and mutable is False)
    is_pair = name == "init_with_output" or mutable is True or isinstance(mutable, str | list | tuple)
    if not positional or not (is_alone or is_pair):
        return None
    session.following.site = call
    if info.module_name != session.module and not named and "method" not in call.arg_names:
        made = linen_layers.called(ctx.type, positional[1:], session, apply)
    elif isinstance(function, CallableType):
        made = session.following.result(function, [ctx.type, *positional[1:]], named)
    else:
        return None
    if made is None or name == "init":
        return None
    if is_alone:
        return made
    any_one = AnyType(TypeOfAny.special_form)
    return TupleType([made, any_one], session.api.named_generic_type("builtins.tuple", [any_one]))


def _method(given: Expression, t: Type, info: TypeInfo, session: Session) -> Type | None:
    """The function that is called in the place of `__call__`: `"encode"`, `Net.encode`, `net.encode`, or any other."""
    if isinstance(given, NameExpr) and given.fullname == "builtins.None":
        return instances.method(info, "__call__", session)
    if isinstance(given, StrExpr):
        return instances.method(info, given.value, session)
    if isinstance(given, MemberExpr):
        owner = given.expr.node if isinstance(given.expr, RefExpr) else None
        if not isinstance(owner, TypeInfo):
            found = session.stored(given.expr)
            owner = instances.exact_class(given.expr, found, session)
        return None if owner is None else instances.method(owner, given.name, session)
    return get_proper_type(session.following.function(given, t))
