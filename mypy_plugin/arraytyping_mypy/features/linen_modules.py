"""Modules of Flax's linen that the program defines: what `apply` and `init_with_output` give.

The module's `__call__` is followed with the fields that it was made with, for what is given behind the variables.

Source: `Module.apply` in flax/linen/module.py, `apply` in flax/core/scope.py.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import ArgKind, CallExpr
from mypy.plugin import MethodContext
from mypy.types import AnyType, TupleType, Type, TypeOfAny

from arraytyping_mypy.arguments import read
from arraytyping_mypy.features import instances
from arraytyping_mypy.features.instance_classes import is_linen
from arraytyping_mypy.session import Session

__all__ = ["applied"]

_OTHERS: Final = ("method", "capture_intermediates", "variables")


def applied(name: str, ctx: MethodContext, session: Session) -> Type | None:
    """What `apply` or `init_with_output` of a module gives; None if that is not known."""
    info = instances.instance_info(ctx.type)
    call = ctx.context
    if info is None or not is_linen(info) or not isinstance(call, CallExpr) or name == "init":
        return None
    function = instances.method(info, "__call__", session)
    types = {id(e): t for es, ts in zip(ctx.args, ctx.arg_types) for e, t in zip(es, ts)}
    positional: list[Type] = []
    named: dict[str, Type] = {}
    mutable: object = False
    for e, kind, key in zip(call.args, call.arg_kinds, call.arg_names):
        t = types.get(id(e))
        if kind.is_star() or t is None or key in _OTHERS:
            return None
        if key == "mutable":
            mutable = read(e, t, session)
        elif kind is ArgKind.ARG_POS:
            positional.append(session.following.function(e, t))
        elif key is not None and key != "rngs":
            named[key] = session.following.function(e, t)
    is_alone = name == "apply" and mutable is False
    is_pair = name == "init_with_output" or mutable is True or isinstance(mutable, str | list | tuple)
    if function is None or not positional or not (is_alone or is_pair):
        return None
    session.following.site = call
    made = session.following.result(function, [ctx.type, *positional[1:]], named)
    if made is None or is_alone:
        return made
    any_one = AnyType(TypeOfAny.special_form)
    return TupleType([made, any_one], session.api.named_generic_type("builtins.tuple", [any_one]))
