"""How optimizers of Optax are made: of numbers and schedules, and of other optimizers.

An optimizer is known if all that it is made of keeps the dtypes and shapes of the gradients, where the parameters have
the same: that is so of those named here, made with numbers, schedules and other such optimizers alone.  What
`inject_hyperparams` makes has its numbers as arrays of the widest dtype of all parameters, so that it keeps dtypes only
where all have one; and what a schedule gives it may be an array of the default dtype.

Source: optax/_src/alias.py, transform.py and combine.py, transforms/, schedules/_inject.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr, NameExpr, RefExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import Instance, NoneType, Type, get_proper_type

from arraytyping.semantics.avals import Alternatives, Scalar
from arraytyping_mypy.arguments import is_uncertain
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.features import instances, named_tuples
from arraytyping_mypy.given import arguments
from arraytyping_mypy.names import (
    DEFAULT_OPTIMIZER,
    INJECTED_FACTORY,
    OPTIMIZER,
    OPTIMIZERS as KINDS,
    SCHEDULE,
    UNIFORM_OPTIMIZER,
)
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.written import Given, items_of

__all__ = [
    "FACTORIES", "INJECT", "MAKING", "OPTIMIZERS", "SCHEDULES", "function_hook", "inject", "is_optimizer", "is_settled",
]  # fmt: skip

OPTIMIZERS: Final = frozenset({
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
FACTORIES: Final = OPTIMIZERS - {"apply_if_finite", "chain", "scale_by_schedule"}
"""Those that are made of numbers and schedules, which `inject_hyperparams` may put into the state."""
SCHEDULES: Final = frozenset({
    "constant_schedule", "cosine_decay_schedule", "cosine_onecycle_schedule", "exponential_decay", "join_schedules",
    "linear_onecycle_schedule", "linear_schedule", "piecewise_constant_schedule", "polynomial_schedule",
    "sgdr_schedule", "warmup_constant_schedule", "warmup_cosine_decay_schedule", "warmup_exponential_decay_schedule",
})  # fmt: skip
_WRAPPERS: Final = ("masked", "MultiSteps")
"""What is made of one optimizer: of what else it is given, no dtype hangs on."""
_GROUPS: Final = ("multi_transform", "partition")
"""What is made of a dict of optimizers."""
INJECT: Final = "optax.inject_hyperparams"
_MASKS: Final = frozenset({"mask", "weight_decay_mask", "trust_ratio_mask"})
"""Parameters by which something is done to some of the parameters only."""

MAKING: Final = frozenset({INJECT}) | {
    f"optax.{name}"
    for name in (*OPTIMIZERS, *SCHEDULES, *_WRAPPERS, *_GROUPS, *(f"schedules.{name}" for name in SCHEDULES))
}
"""The functions that a hook knows, by the names under which programs find them."""


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type]:
    """The hook of one of these functions."""
    if fullname == INJECT:
        return partial(_inject, sessions)
    name = fullname.rpartition(".")[2]
    if name in SCHEDULES:
        return partial(_schedule, sessions)
    return partial(_group if name in _GROUPS else _wrap if name in _WRAPPERS else _make, sessions)


def is_settled(expression: Expression, session: Session) -> bool:
    """Whether an expression's value is what mypy's type says, whatever else a variable or attribute is bound to."""
    if isinstance(expression, MemberExpr):
        around = session.stored(expression.expr)
        if around is None:
            return False
        names = named_tuples.fields_of(around)
        if names is not None:
            return expression.name in names
        return instances.attribute(expression.name, around, session) is not None
    return isinstance(expression, NameExpr | CallExpr) and not is_uncertain(expression, session)


def is_optimizer(t: Type) -> bool:
    """Whether it is an optimizer of which something is known."""
    p = get_proper_type(t)
    return isinstance(p, Instance) and p.type.fullname in KINDS


def _make(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    given = _given(ctx, session)
    if given is None:
        return ctx.default_return_type
    parts = [*given[0], *(t for name, t in given[1].items() if name not in _MASKS)]
    return _made_of(parts, session) or ctx.default_return_type


def _given(ctx: FunctionContext | MethodContext, session: Session) -> tuple[list[Type], dict[str, Type]] | None:
    """The types of the arguments; None if one may be another optimizer or schedule than mypy says."""
    if not session.is_active:
        return None
    for es, types in zip(ctx.args, ctx.arg_types):
        for e, t in zip(es, types):
            p = get_proper_type(t)
            is_made = isinstance(p, Instance) and p.type.fullname in (*KINDS, SCHEDULE)
            if is_made and not is_settled(e, session):
                return None
    return arguments(ctx, session)


def _wrap(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    given = _given(ctx, session)
    inner = None if given is None else given[0][0] if given[0] else given[1].get("opt", given[1].get("inner"))
    if inner is None or not is_optimizer(inner):
        return ctx.default_return_type
    return _made_of([inner], session) or ctx.default_return_type


def _group(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    given = [
        (e, t)
        for es, types, names in zip(ctx.args, ctx.arg_types, ctx.arg_names)
        for e, t, name in zip(es, types, names)
        if name in (None, "transforms")
    ]
    items = items_of(Given(*given[0]), session) if given and session.is_active else None
    if items is None or items.kind != "dict" or not items.whole or items.empty:
        return ctx.default_return_type
    types = [_certain(g.expression, g.type, session) for _, g in items.items]
    parts = [t for t in types if t is not None and is_optimizer(t)]
    return (len(parts) == len(types) and _made_of(parts, session)) or ctx.default_return_type


def _certain(expression: Expression | None, t: Type | None, session: Session) -> Type | None:
    return None if t is None or (expression is not None and not is_settled(expression, session)) else t


def _inject(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    info = session.class_named(INJECTED_FACTORY) if session.is_active else None
    given = [(e, name) for es, names in zip(ctx.args, ctx.arg_names) for e, name in zip(es, names)]
    if info is None or not given or any(name not in (None, "inner_factory", "static_args") for _, name in given):
        return ctx.default_return_type
    space, _, name = given[0][0].fullname.rpartition(".") if isinstance(given[0][0], RefExpr) else ("", "", "")
    is_known = space == "optax" and name in FACTORIES and len(given) <= 2 and session.keeps_hyperparams
    return Instance(info, []) if is_known else ctx.default_return_type


def inject(sessions: Sessions, ctx: MethodContext) -> Type:
    """A call of what `inject_hyperparams` gives."""
    session = sessions.of(ctx.api)
    given = _given(ctx, session)
    parts = [] if given is None else [*given[0], *(t for name, t in given[1].items() if name not in _MASKS)]
    names = [p.type.fullname for p in map(get_proper_type, parts) if isinstance(p, Instance)]
    info = session.class_named(DEFAULT_OPTIMIZER if SCHEDULE in names else UNIFORM_OPTIMIZER)
    is_known = given is not None and all(_is_understood(t, session) and not is_optimizer(t) for t in parts)
    return Instance(info, []) if is_known and info is not None else ctx.default_return_type


def _made_of(parts: Iterable[Type], session: Session) -> Type | None:
    """The optimizer that is made of such parts; None if one is not understood."""
    types = [get_proper_type(t) for t in parts]
    kinds = {t.type.fullname for t in types if isinstance(t, Instance) and is_optimizer(t)}
    info = session.class_named(next((kind for kind in KINDS if kind in kinds), OPTIMIZER))
    return Instance(info, []) if info is not None and all(_is_understood(t, session) for t in types) else None


def _is_understood(t: Type, session: Session) -> bool:
    """Whether it is a number, a schedule or an optimizer that is known."""
    p = get_proper_type(t)
    if isinstance(p, NoneType) or is_optimizer(p):
        return True
    if isinstance(p, Instance) and p.type.fullname == SCHEDULE:
        return True
    value = value_of(p, session)
    values = value.values if isinstance(value, Alternatives) else (value,)
    return all(isinstance(v, Scalar | bool | int | float) for v in values)


def _schedule(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    info = session.class_named(SCHEDULE) if session.is_active else None
    return ctx.default_return_type if info is None else Instance(info, [])
