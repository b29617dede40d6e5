"""Flax's `TrainState`, and the program's classes that inherit from it: `create`, `apply_gradients`.

A state is an instance that is known by its fields.  `step` is no part of that: it is a number that becomes an array.

Source: flax/training/train_state.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import CallExpr, MemberExpr, RefExpr, TypeInfo
from mypy.plugin import MethodContext
from mypy.types import AnyType, Instance, TupleType, Type, TypedDictType, TypeOfAny, get_proper_type

from arraytyping_mypy.features.instance_types import fields, instance_info, mark_of
from arraytyping_mypy.features.optimizer_making import is_optimizer, is_settled
from arraytyping_mypy.features.optimizers import applied, is_state, state_of, stepped
from arraytyping_mypy.given import arguments
from arraytyping_mypy.names import TRAIN_STATE
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["method_hook"]

_OVERWRITTEN: Final = "_overwrite_with_gradient"
"""A key of parameters that are their gradients."""


def method_hook(
    fullname: str, sessions: Sessions, otherwise: Callable[[MethodContext], Type] | None
) -> Callable[[MethodContext], Type] | None:
    """The hook of a method that may be one of `TrainState`; `otherwise` is that of a method of the program's."""
    name = fullname.rpartition(".")[2]
    return partial(_call, name, sessions, otherwise) if name in _HOOKS else otherwise


def _call(name: str, sessions: Sessions, otherwise: Callable[[MethodContext], Type] | None, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    found = _HOOKS[name](ctx, session) if session.is_active else None
    if found is None:
        return ctx.default_return_type if otherwise is None else otherwise(ctx)
    return found


def _create(ctx: MethodContext, session: Session) -> Type | None:
    call = ctx.context
    callee = call.callee if isinstance(call, CallExpr) else None
    info = callee.expr.node if isinstance(callee, MemberExpr) and isinstance(callee.expr, RefExpr) else None
    if not isinstance(info, TypeInfo) or not isinstance(call, CallExpr):
        return None
    names = _names(info, "create", session)
    given = arguments(ctx, session)
    if names is None or given is None or given[0] or not {"apply_fn", "params", "tx"} <= given[1].keys():
        return None
    own = dict(zip(call.arg_names, call.args))
    params, tx = given[1]["params"], given[1]["tx"]
    known = {name: t for name, t in given[1].items() if name != "tx"}
    if "tx" in own and is_optimizer(tx) and is_settled(own["tx"], session) and not _is_overwritten(params):
        state = state_of(params, session)
        known |= {"tx": tx} | ({} if state is None else {"opt_state": state})
    items = [known.get(name, _any()) for name in names]
    return TupleType([*items, *mark_of(info, session)], Instance(info, []))


def _apply_gradients(ctx: MethodContext, session: Session) -> Type | None:
    state = get_proper_type(ctx.type)
    info = instance_info(state)
    if info is None or not isinstance(state, TupleType):
        return None
    names = _names(info, "apply_gradients", session)
    given = arguments(ctx, session)
    if names is None or given is None or given[0] or "grads" not in given[1] or len(fields(state)) != len(names):
        return None
    now = dict(zip(names, fields(state)))
    params, opt_state, grads = now["params"], get_proper_type(now["opt_state"]), given[1]["grads"]
    found: Type = _any()
    is_other = any(isinstance(get_proper_type(t), AnyType) for t in (params, grads)) or _is_overwritten(grads)
    if not is_other and is_optimizer(now["tx"]) and isinstance(opt_state, Instance) and is_state(opt_state):
        updates = stepped(now["tx"], grads, opt_state, params, session)
        found = applied(params, updates, None, session)
    now |= {name: t for name, t in given[1].items() if name in now} | {"params": found, "step": _any()}
    return state.copy_modified(items=[*(now[name] for name in names), *state.items[len(names) :]])


def _is_overwritten(params: Type) -> bool:
    """Whether there may be parameters that are their gradients."""
    p = get_proper_type(params)
    return isinstance(p, TypedDictType) and _OVERWRITTEN in p.items


def _names(info: TypeInfo, method: str, session: Session) -> list[str] | None:
    """The fields of such a class, whose method is Flax's own."""
    owner = info.get_containing_type_info(method)
    return session.classes.fields_of(info) if owner is not None and owner.fullname == TRAIN_STATE else None


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)


_HOOKS: Final[dict[str, Callable[[MethodContext, Session], Type | None]]] = {
    "create": _create,
    "apply_gradients": _apply_gradients,
}
