"""`self.param(name, init, ...)` in modules of Flax's linen: an array of the shape that the initializer gives.

`apply` refuses a parameter of another shape than the initializer's; its dtype it takes as it is given.

Source: `Scope.param` in flax/core/scope.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from mypy.nodes import CallExpr, RefExpr
from mypy.plugin import MethodContext
from mypy.types import CallableType, Instance, TupleType, Type, get_proper_type

from arraytyping.semantics.avals import Alternatives, Shape, ShapedArray
from arraytyping_mypy.arguments import read
from arraytyping_mypy.calls import answer
from arraytyping_mypy.checker import is_checked
from arraytyping_mypy.convert import array_type, arrays_of, unknown_array
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["method_hook"]

_MODULE: Final = "flax.linen.module.Module"
_INITIALIZERS: Final = ("jax._src.nn.initializers.", "jax.nn.initializers.", "flax.linen.initializers.")
_OPTIONS: Final = ("unbox",)


def method_hook(
    fullname: str, sessions: Sessions, otherwise: Callable[[MethodContext], Type] | None
) -> Callable[[MethodContext], Type] | None:
    """The hook of a method that may be linen's; `otherwise` is that of a method of the program's."""
    return partial(_call, sessions, otherwise) if fullname.endswith(".param") else otherwise


def _call(sessions: Sessions, otherwise: Callable[[MethodContext], Type] | None, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.type)
    p = p.partial_fallback if isinstance(p, TupleType) else p
    owner = p.type.get_containing_type_info("param") if isinstance(p, Instance) else None
    if owner is None or owner.fullname != _MODULE:
        return ctx.default_return_type if otherwise is None else otherwise(ctx)
    shapes = _shapes(ctx, session) if session.is_active and is_checked(ctx.api) else None
    if not shapes:
        return ctx.default_return_type
    return array_type([ShapedArray(shape, None) for shape in shapes], session)


def _shapes(ctx: MethodContext, session: Session) -> Sequence[Shape | None] | None:
    """The shapes that the initializer may give; None if that is not known, or no array."""
    call = ctx.context
    known = {id(e): t for es, types in zip(ctx.args, ctx.arg_types) for e, t in zip(es, types)}
    if not isinstance(call, CallExpr) or any(kind.is_star() for kind in call.arg_kinds):
        return None
    given = [(e, known.get(id(e))) for e, name in zip(call.args, call.arg_names) if name is None]
    if len(given) < 2 or any(name not in (None, *_OPTIONS) for name in call.arg_names):
        return None
    function, t = given[1]
    if t is None:
        return None
    if _is_initializer(function.fullname if isinstance(function, RefExpr) else "", t):
        shape = read(*given[2], session) if len(given) > 2 else None
        made = answer("numpy.zeros", [shape], {}, session)
        values = [] if made is None or made.error is not None else [made.value]
        values = list(values[0].values) if values and isinstance(values[0], Alternatives) else values
        return [v.shape for v in values] if all(isinstance(v, ShapedArray) for v in values) else None
    p = get_proper_type(session.following.function(function, t))
    if not isinstance(p, CallableType) or any(t is None for _, t in given[2:]):
        return None
    types = [session.following.function(e, t) for e, t in given[2:] if t is not None]
    session.following.site = call
    found = session.following.result(p, [unknown_array(session), *types], {})
    return [a.shape for a in arrays_of(found, session)] if found is not None and is_plain_array(found) else None


def _is_initializer(name: str, t: Type) -> bool:
    """Whether it is one of JAX's initializers, which are given the shape behind the key."""
    p = get_proper_type(t)
    if isinstance(p, Instance):
        return p.type.fullname.startswith(_INITIALIZERS)
    return name.startswith(_INITIALIZERS) and name.rpartition(".")[2] in ("zeros", "ones")
