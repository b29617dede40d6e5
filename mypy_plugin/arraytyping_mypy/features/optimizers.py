"""Optimizers of Optax: what `init` and `update` give, and `apply_updates`.

Source: optax/_src/base.py and update.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import AnyType, Instance, NoneType, TupleType, Type, TypedDictType, TypeOfAny, get_proper_type

from arraytyping.semantics.avals import Alternatives, ShapedArray
from arraytyping.semantics.promotion.jax import WEAK
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.arguments import is_uncertain
from arraytyping_mypy.calls import answer, report
from arraytyping_mypy.convert import array_type, arrays_of, value_of
from arraytyping_mypy.features import optimizer_making
from arraytyping_mypy.features.optimizer_making import INJECT, MAKING, is_settled
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.features.trees import mapped_trees
from arraytyping_mypy.given import arguments
from arraytyping_mypy.names import INJECTED_FACTORY, OPT_STATE, OPTIMIZER, OPTIMIZERS, UNIFORM_OPTIMIZER
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["FUNCTIONS", "NAMING", "applied", "function_hook", "is_state", "method_hook", "state_of", "stepped"]

_OTHERS: Final = ("builtins.dict", "builtins.list")

FUNCTIONS: Final = MAKING | {"optax.apply_updates"}
"""The functions that a hook knows, by the names under which programs find them."""
NAMING: Final = frozenset({INJECT})
"""Those that are given another function of Optax."""


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions, or None."""
    if fullname not in FUNCTIONS:
        return None
    return partial(_apply, sessions) if fullname not in MAKING else optimizer_making.function_hook(fullname, sessions)


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a method of an optimizer that is known, or None."""
    return partial(method, sessions) if (method := _METHODS.get(fullname)) is not None else None


def _init(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    info = session.class_named(OPT_STATE) if session.is_active else None
    given = _given(ctx, ("params",), session)
    if info is None or not given or not _is_certain(ctx.context, session):
        return ctx.default_return_type
    return Instance(info, [given["params"]])


def state_of(params: Type, session: Session) -> Type | None:
    """The state of an optimizer that was made for these parameters."""
    info = session.class_named(OPT_STATE)
    return None if info is None else Instance(info, [params])


def _same(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    is_certain = session.is_active and _is_certain(ctx.context, session)
    return ctx.type if is_certain else ctx.default_return_type


def _update(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    given = _given(ctx, ("updates", "state", "params"), session) if session.is_active else None
    if not given or not _is_certain(ctx.context, session):
        return ctx.default_return_type
    state = get_proper_type(given.get("state", NoneType()))
    if not isinstance(state, Instance) or not is_state(state) or "updates" not in given:
        return ctx.default_return_type
    found = stepped(ctx.type, given["updates"], state, given.get("params", NoneType()), session)
    any_one = AnyType(TypeOfAny.special_form)
    return TupleType([found, state], session.api.named_generic_type("builtins.tuple", [any_one]))


def stepped(optimizer: Type, updates: Type, state: Instance, params: Type, session: Session) -> Type:
    """The updates of an optimizer for gradients."""
    has_params = not isinstance(get_proper_type(params), NoneType)
    trees = [updates, state.args[0], *([params] if has_params else [])]
    dtypes = set[str | None]()
    found = mapped_trees(lambda leaves: _stepped(leaves, dtypes, session), trees, session)
    p = get_proper_type(optimizer)
    kind = p.type.fullname if isinstance(p, Instance) else ""
    is_default = dtypes == {session.promotions[0].default("float")} and len(session.promotions) == 1
    # Its numbers are arrays of the widest dtype of the parameters, of the default where it is given none.
    keeps = kind == OPTIMIZER or (has_params and len(dtypes) == 1 and (kind == UNIFORM_OPTIMIZER or is_default))
    return found if keeps else AnyType(TypeOfAny.special_form)


def _stepped(leaves: Sequence[Type], dtypes: set[str | None], session: Session) -> Type | None:
    """The update of one parameter, by the gradient and what it was when the optimizer was set up, and is now."""
    if not all(is_plain_array(t) for t in leaves):
        dtypes |= {None, ""}
        return None
    each = [arrays_of(t, session) for t in leaves]
    known = {(a.dtype, a.weak_type, a.shape) for arrays in each for a in arrays}
    dtypes |= {dtype for dtype, _, _ in known} or {None}
    if len(known) != 1 or not all(each):
        return None
    ((dtype, weak_type, shape),) = known
    if dtype not in ANY_FLOAT or weak_type is not False or shape is None or None in shape:
        return None
    return array_type([ShapedArray(shape, dtype, False)], session)


def _apply(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    given = _given(ctx, ("params", "updates"), session) if session.is_active else None
    if not given or given.keys() != {"params", "updates"}:
        return ctx.default_return_type
    if is_state(given["updates"]) and _is_other_tree(given["params"]):
        message = "apply_updates: the state of an optimizer is given, and no updates for the parameters"
        session.fail(message, ctx.context, "array-tree", ValueError)
        return ctx.default_return_type
    call = ctx.context if isinstance(ctx.context, CallExpr) else None
    made = applied(given["params"], given["updates"], call, session)
    return ctx.default_return_type if isinstance(get_proper_type(made), AnyType) else made


def applied(params: Type, updates: Type, call: CallExpr | None, session: Session) -> Type:
    """The parameters after a step; what is refused is told at the call, if that is given."""
    made = mapped_trees(partial(_applied, session, call), [params, updates], session)
    if isinstance(get_proper_type(made), AnyType) and isinstance(get_proper_type(updates), AnyType):
        made = mapped_trees(lambda leaves: _applied(session, None, [*leaves, None]), [params], session)
    return made


def is_state(t: Type) -> bool:
    """Whether it is the state of an optimizer."""
    p = get_proper_type(t)
    return isinstance(p, Instance) and p.type.fullname == OPT_STATE


def _is_other_tree(t: Type) -> bool:
    """Whether it is certainly no tree like the state of any optimizer, which is a tuple."""
    p = get_proper_type(t)
    return isinstance(p, TypedDictType) or is_plain_array(p) or (isinstance(p, Instance) and p.type.fullname in _OTHERS)


def _applied(session: Session, call: CallExpr | None, leaves: Sequence[Type | None]) -> Type | None:
    """A parameter after a step: the sum in the parameter's dtype, which is not weak."""
    before, update = leaves
    if before is None or not is_plain_array(before):
        return None
    found: list[ShapedArray] = []
    for array in arrays_of(before, session):
        dtypes = {p.default(array.dtype) for p in session.promotions} if array.dtype in WEAK else {array.dtype}
        change = None if update is None or not is_plain_array(update) else value_of(update, session)
        made = None if change is None else answer("Array.__add__", [array, change], {}, session)
        if made is not None and made.error is not None:
            if call is not None:
                report(made, call, session)
            return None
        arrays = [] if made is None else _arrays(made.value)
        shapes = {a.shape for a in arrays} or {None}
        found += [ShapedArray(shape, dtype, None if dtype is None else False) for shape in shapes for dtype in dtypes]
    return array_type(found, session) if found else None


def _arrays(value: object) -> list[ShapedArray]:
    values = value.values if isinstance(value, Alternatives) else (value,)
    return [v for v in values if isinstance(v, ShapedArray)]


def _given(ctx: FunctionContext | MethodContext, names: Sequence[str], session: Session) -> dict[str, Type] | None:
    """The types of the arguments by the names of the parameters; None if something is unpacked that is not known."""
    given = arguments(ctx, session)
    if given is None or len(given[0]) > len(names):
        return None
    if any(is_uncertain(e, session) for es in ctx.args for e in es):
        return None
    return dict(zip(names, given[0])) | given[1]


def _is_certain(call: object, session: Session) -> bool:
    """Whether the optimizer is the one of which mypy knows the type, whatever else its variable may be bound to."""
    owner: Expression | None = call.callee if isinstance(call, CallExpr) else None
    return isinstance(owner, MemberExpr) and is_settled(owner.expr, session)


_METHODS: Final[dict[str, Callable[[Sessions, MethodContext], Type]]] = {
    f"{INJECTED_FACTORY}.__call__": optimizer_making.inject,
    **{
        f"{owner}.{name}": method
        for owner in OPTIMIZERS
        for name, method in (("init", _init), ("update", _update), ("gradient_transformation", _same))
    },
}
