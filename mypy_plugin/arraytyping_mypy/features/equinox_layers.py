"""The layers of equinox: `eqx.nn.Linear`, `eqx.nn.MLP` and others, made and called in functions that are followed.

A layer is known by the arrays that its result hangs on, as an instance of a class of the program is by its fields:
transformations of trees change their types as they change the arrays.

Source: equinox/nn/_linear.py and _mlp.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from mypy.nodes import CallExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import Instance, NoneType, TupleType, Type, get_proper_type

from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.arguments import read
from arraytyping_mypy.calls import answer, report, result_type
from arraytyping_mypy.checker import type_again
from arraytyping_mypy.convert import array_type, unknown_array, value_of
from arraytyping_mypy.features.equinox_cells import CELLS_CALLED, CELLS_MADE
from arraytyping_mypy.features.equinox_windows import WINDOWS_CALLED, WINDOWS_MADE
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["called", "function_hook", "is_known", "method_hook"]

_LINEAR: Final = "equinox.nn._linear.Linear"
_MLP: Final = "equinox.nn._mlp.MLP"
_SIZES: Final = {_LINEAR: ("in_features", "out_features"), _MLP: ("in_size", "out_size")}
_OPTIONS: Final = ("key", "inference")
"""What is given by name, and changes no type."""
_UNREAD: Final = {_LINEAR: (), _MLP: ("activation", "final_activation", "scan")}
"""What changes more than is understood here."""
_MADE: Final = CELLS_MADE | WINDOWS_MADE
_CALLED: Final = CELLS_CALLED | WINDOWS_CALLED


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a class of layers, or None."""
    return partial(_make, fullname, sessions) if fullname in _SIZES or fullname in _MADE else None


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a call of a layer, or None."""
    layer, _, method = fullname.rpartition(".")
    is_known = method == "__call__" and (layer in _SIZES or layer in _CALLED)
    return partial(_call, sessions) if is_known else None


def _make(layer: str, sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.default_return_type)
    if not session.is_active or not session.has_followed or not session.following.is_active:
        return ctx.default_return_type
    if not isinstance(p, Instance) or any(kind.is_star() for kinds in ctx.arg_kinds for kind in kinds):
        return ctx.default_return_type
    given = {
        name: read(es[0], types[0], session)
        for name, es, types in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types)
        if name is not None and len(es) == 1
    }
    dtype = _dtype(given.get("dtype"), session)
    if layer in _MADE:
        kept = None if dtype is None else _MADE[layer](given, dtype, session)
        return ctx.default_return_type if kept is None else TupleType(kept, p)
    sizes = [given.get(name) for name in _SIZES[layer]]
    if dtype is None or any(isinstance(n, str) or n is None for n in sizes) or any(n in given for n in _UNREAD[layer]):
        return ctx.default_return_type
    entering, leaving = (n if type(n) is int else None for n in sizes)
    if layer == _LINEAR:
        has_bias = given.get("use_bias", True)
        if type(has_bias) is not bool:
            return ctx.default_return_type
        bias = array_type([ShapedArray((leaving,), dtype, False)], session) if has_bias else NoneType()
        return TupleType([array_type([ShapedArray((leaving, entering), dtype, False)], session), bias], p)
    depth, width = given.get("depth"), given.get("width_size")
    inner = width if type(width) is int else None
    if type(depth) is not int or depth < 0:
        return ctx.default_return_type
    shapes = [(inner, entering), (leaving, inner)] if depth else [(leaving, entering)]
    return TupleType([array_type([ShapedArray(shape, dtype, False)], session) for shape in shapes], p)


def _dtype(asked: Any, session: Session) -> str | None:
    """The dtype of the parameters; None if it is not known, or none of floats."""
    found = answer("numpy.zeros", [()] if asked is None else [(), asked], {}, session)
    value = UNKNOWN if found is None or found.error is not None else found.value
    return value.dtype if isinstance(value, ShapedArray) and value.dtype in ANY_FLOAT else None


def _call(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    call = ctx.context
    if not session.is_active or not session.has_followed or not session.following.is_active:
        return ctx.default_return_type
    known = {id(e): t for es, types in zip(ctx.args, ctx.arg_types) for e, t in zip(es, types)}
    if not isinstance(call, CallExpr) or any(kind.is_star() for kind in call.arg_kinds):
        return ctx.default_return_type
    given = [known.get(id(e)) for e, name in zip(call.args, call.arg_names) if name is None]
    types = [t for t in given if t is not None]
    if len(types) != len(given) or any(name not in (None, *_OPTIONS) for name in call.arg_names):
        return ctx.default_return_type
    made = called(type_again(ctx.api, call.callee), types, session, call)
    return ctx.default_return_type if made is None else made


def is_known(layer: Type) -> bool:
    """Whether it is a layer of which the arrays are known."""
    p = get_proper_type(layer)
    name = p.partial_fallback.type.fullname if isinstance(p, TupleType) else ""
    return name in _CALLED or name in _SIZES


def called(layer: Type, given: Sequence[Type], session: Session, site: CallExpr | None = None) -> Type | None:
    """What a layer gives for an argument; None if it is no layer that is known, or refuses the argument.

    At its call, if that is known, it is told what is refused.
    """
    p = get_proper_type(layer)
    name = p.partial_fallback.type.fullname if isinstance(p, TupleType) else ""
    if isinstance(p, TupleType) and name in _CALLED:
        return _CALLED[name](p.items, given, session)
    if not isinstance(p, TupleType) or name not in _SIZES or len(given) != 1:
        return None
    x = value_of(given[0], session)
    weights = [value_of(i, session) for i in p.items]
    steps = [("Array.__matmul__", weights[0])]
    if name == _LINEAR and weights[1] is not None:
        steps.append(("Array.__add__", weights[1]))
    elif name == _MLP:
        steps += [("Array.__matmul__", w) for w in weights[1:]]
    result: Type | None = None
    for rule, weight in steps:
        if not isinstance(x, ShapedArray) or not isinstance(weight, ShapedArray):
            return None
        made = answer(rule, [weight, x] if rule == "Array.__matmul__" else [x, weight], {}, session)
        if made is None or made.error is not None:
            if made is not None and site is not None:
                report(made, site, session)
            return None
        x, result = made.value, result_type(made, unknown_array(session), session)
    return result
