"""Optimizers of Optax: what `init` and `update` give, and `apply_updates`.

An optimizer is known if all that it is made of keeps the dtypes and shapes of the gradients, where the parameters have
the same: that is so of those named here, made with numbers, schedules and other such optimizers alone.

Source: optax/_src/alias.py, transform.py and update.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import AnyType, Instance, NoneType, TupleType, Type, TypedDictType, TypeOfAny, get_proper_type

from arraytyping.semantics.avals import Alternatives, Scalar, ShapedArray
from arraytyping.semantics.promotion.jax import WEAK
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.arguments import is_uncertain
from arraytyping_mypy.calls import answer, report
from arraytyping_mypy.convert import array_type, arrays_of, value_of
from arraytyping_mypy.features import instances, named_tuples
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.features.trees import mapped_trees
from arraytyping_mypy.given import arguments
from arraytyping_mypy.names import OPT_STATE, OPTIMIZER, SCHEDULE
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["FUNCTIONS", "function_hook", "method_hook"]

_OPTIMIZERS: Final = frozenset({
    "adabelief", "adadelta", "adagrad", "adam", "adamax", "adamaxw", "adamw", "adan", "adaptive_grad_clip",
    "add_decayed_weights", "amsgrad", "apply_if_finite", "centralize", "chain", "clip", "clip_by_block_rms",
    "clip_by_global_norm", "ema", "fromage", "identity", "keep_params_nonnegative", "lamb", "lars", "lion",
    "noisy_sgd", "novograd", "optimistic_gradient_descent", "radam", "rmsprop", "scale", "scale_by_adadelta",
    "scale_by_adam", "scale_by_adamax", "scale_by_adan", "scale_by_amsgrad", "scale_by_belief",
    "scale_by_learning_rate", "scale_by_lion", "scale_by_novograd", "scale_by_optimistic_gradient",
    "scale_by_param_block_norm", "scale_by_param_block_rms", "scale_by_radam", "scale_by_rms", "scale_by_rss",
    "scale_by_schedule", "scale_by_sign", "scale_by_stddev", "scale_by_trust_ratio", "scale_by_yogi", "set_to_zero",
    "sgd", "sign_sgd", "signum", "trace", "yogi", "zero_nans",
})  # fmt: skip
_SCHEDULES: Final = frozenset({
    "constant_schedule", "cosine_decay_schedule", "cosine_onecycle_schedule", "exponential_decay", "join_schedules",
    "linear_onecycle_schedule", "linear_schedule", "piecewise_constant_schedule", "polynomial_schedule",
    "sgdr_schedule", "warmup_constant_schedule", "warmup_cosine_decay_schedule", "warmup_exponential_decay_schedule",
})  # fmt: skip
_OTHERS: Final = ("builtins.dict", "builtins.list")

FUNCTIONS: Final = frozenset(
    f"optax.{name}"
    for name in ("apply_updates", *_OPTIMIZERS, *_SCHEDULES, *(f"schedules.{name}" for name in _SCHEDULES))
)
"""The functions that a hook knows, by the names under which programs find them."""


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions, or None."""
    name = fullname.rpartition(".")[2]
    if fullname not in FUNCTIONS:
        return None
    if name == "apply_updates":
        return partial(_apply, sessions)
    return partial(_schedule if name in _SCHEDULES else _make, sessions)


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a method of an optimizer that is known, or None."""
    owner, _, name = fullname.rpartition(".")
    if owner != OPTIMIZER:
        return None
    return partial(_init if name == "init" else _update, sessions) if name in ("init", "update") else None


def _make(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    info = session.class_named(OPTIMIZER)
    given = arguments(ctx, session) if session.is_active and info is not None else None
    if given is None or info is None or not all(_is_understood(t, session) for t in (*given[0], *given[1].values())):
        return ctx.default_return_type
    return Instance(info, [])


def _is_understood(t: Type, session: Session) -> bool:
    """Whether it is a number, a schedule or an optimizer that is known."""
    p = get_proper_type(t)
    if isinstance(p, NoneType):
        return True
    if isinstance(p, Instance) and p.type.fullname in (OPTIMIZER, SCHEDULE):
        return True
    value = value_of(p, session)
    values = value.values if isinstance(value, Alternatives) else (value,)
    return all(isinstance(v, Scalar | bool | int | float) for v in values)


def _schedule(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    info = session.class_named(SCHEDULE) if session.is_active else None
    return ctx.default_return_type if info is None else Instance(info, [])


def _init(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    info = session.class_named(OPT_STATE) if session.is_active else None
    given = _given(ctx, ("params",), session)
    if info is None or not given or not _is_certain(ctx.context, session):
        return ctx.default_return_type
    return Instance(info, [given["params"]])


def _update(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    given = _given(ctx, ("updates", "state", "params"), session) if session.is_active else None
    if not given or not _is_certain(ctx.context, session):
        return ctx.default_return_type
    state = get_proper_type(given.get("state", NoneType()))
    if not isinstance(state, Instance) or not _is_state(state) or "updates" not in given:
        return ctx.default_return_type
    trees = [given["updates"], state.args[0]]
    if "params" in given and not isinstance(get_proper_type(given["params"]), NoneType):
        trees.append(given["params"])
    updates = mapped_trees(lambda leaves: _stepped(leaves, session), trees, session)
    any_one = AnyType(TypeOfAny.special_form)
    return TupleType([updates, state], session.api.named_generic_type("builtins.tuple", [any_one]))


def _stepped(leaves: Sequence[Type], session: Session) -> Type | None:
    """The update of one parameter, by the gradient and what it was when the optimizer was set up, and is now."""
    if not all(is_plain_array(t) for t in leaves):
        return None
    each = [arrays_of(t, session) for t in leaves]
    known = {(a.dtype, a.weak_type, a.shape) for arrays in each for a in arrays}
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
    if _is_state(given["updates"]) and _is_other_tree(given["params"]):
        message = "apply_updates: the state of an optimizer is given, and no updates for the parameters"
        session.fail(message, ctx.context, "array-tree", ValueError)
        return ctx.default_return_type
    call = ctx.context if isinstance(ctx.context, CallExpr) else None
    made = mapped_trees(partial(_applied, session, call), [given["params"], given["updates"]], session)
    if isinstance(get_proper_type(made), AnyType) and isinstance(get_proper_type(given["updates"]), AnyType):
        made = mapped_trees(lambda leaves: _applied(session, None, [*leaves, None]), [given["params"]], session)
    return ctx.default_return_type if isinstance(get_proper_type(made), AnyType) else made


def _is_state(t: Type) -> bool:
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
    owner = owner.expr if isinstance(owner, MemberExpr) else None
    if isinstance(owner, MemberExpr):
        around = session.stored(owner.expr)
        if around is None:
            return False
        names = named_tuples.fields_of(around)
        if names is not None:
            return owner.name in names
        return instances.attribute(owner.name, around, session) is not None
    return owner is not None and not is_uncertain(owner, session)
