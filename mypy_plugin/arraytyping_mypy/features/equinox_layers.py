"""The layers of equinox, `eqx.nn.Linear`, `eqx.nn.Sequential` and others, made and called in what is followed.

A layer is known by the arrays that its result hangs on, as an instance of a class of the program is by its fields:
transformations of trees change their types as they change the arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from mypy.nodes import CallExpr
from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.types import CallableType, Instance, TupleType, Type, get_proper_type

from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.arguments import read
from arraytyping_mypy.calls import answer
from arraytyping_mypy.checker import type_again
from arraytyping_mypy.features.equinox_calls import Apply, Call, Layer, Made
from arraytyping_mypy.features.equinox_cells import CELLS
from arraytyping_mypy.features.equinox_composed import COMPOSED
from arraytyping_mypy.features.equinox_linear import LINEAR
from arraytyping_mypy.features.equinox_windows import WINDOWS
from arraytyping_mypy.features.instance_types import is_text
from arraytyping_mypy.frameworks import function_rule
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["attribute_hook", "called", "function_hook", "functions_in", "method_hook"]

_LAYERS: Final[dict[str, Layer]] = {**LINEAR, **CELLS, **WINDOWS, **COMPOSED}
_OPTIONS: Final = ("key", "inference", "mask")
"""What is given by name, and changes no type."""


def _layer_of(t: Type) -> tuple[Layer, TupleType] | None:
    """The kind of layer that is known by its arrays, with its type; None for anything else."""
    p = get_proper_type(t)
    layer = _LAYERS.get(p.partial_fallback.type.fullname) if isinstance(p, TupleType) else None
    return None if layer is None or not isinstance(p, TupleType) else (layer, p)


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a class of layers, or None."""
    layer = _LAYERS.get(fullname)
    return None if layer is None else partial(_make, layer, sessions)


def method_hook(fullname: str, sessions: Sessions, apply: Apply) -> Callable[[MethodContext], Type] | None:
    """The hook of a call of a layer, or None; `apply` calls what a layer calls."""
    layer, _, method = fullname.rpartition(".")
    return partial(_call, sessions, apply) if method == "__call__" and layer in _LAYERS else None


def attribute_hook(fullname: str) -> Callable[[AttributeContext], Type] | None:
    """The hook of an attribute of a layer that holds its parameters, or None."""
    owner, _, name = fullname.rpartition(".")
    layer = _LAYERS.get(owner)
    return None if layer is None or name not in layer.fields else partial(_read, layer.fields.index(name))


def _read(place: int, ctx: AttributeContext) -> Type:
    found = _layer_of(ctx.type)
    is_known = found is not None and len(found[1].items) > place and not ctx.is_lvalue
    return found[1].items[place] if found is not None and is_known else ctx.default_attr_type


def _make(layer: Layer, sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.default_return_type)
    if not session.is_active or not session.is_following:
        return ctx.default_return_type
    if not isinstance(p, Instance) or any(kind.is_star() for kinds in ctx.arg_kinds for kind in kinds):
        return ctx.default_return_type
    given = {
        name: (es[0], types[0])
        for name, es, types in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types)
        if name is not None and len(es) == 1
    }
    values = {name: read(e, t, session) for name, (e, t) in given.items()}
    types = {name: session.following.function(e, t) for name, (e, t) in given.items()}
    kept = layer.make(Made(values, types, _dtype(values.get("dtype"), session), session))
    return ctx.default_return_type if kept is None else TupleType(kept, p)


def _dtype(asked: Any, session: Session) -> str | None:
    """The dtype of the parameters; None if it is not known, or none of floats."""
    found = answer("numpy.zeros", [()] if asked is None else [(), asked], {}, session)
    value = UNKNOWN if found is None or found.error is not None else found.value
    return value.dtype if isinstance(value, ShapedArray) and value.dtype in ANY_FLOAT else None


def _call(sessions: Sessions, apply: Apply, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    call = ctx.context
    if not session.is_active or not session.is_following:
        return ctx.default_return_type
    known = {id(e): t for es, types in zip(ctx.args, ctx.arg_types) for e, t in zip(es, types)}
    if not isinstance(call, CallExpr) or any(kind.is_star() for kind in call.arg_kinds):
        return ctx.default_return_type
    types: list[Type] = []
    named: dict[str, Type] = {}
    for e, name in zip(call.args, call.arg_names):
        t = known.get(id(e))
        if t is None or name not in (None, *_OPTIONS):
            return ctx.default_return_type
        if name is None:
            types.append(t)
        else:
            named[name] = t
    found = _layer_of(type_again(ctx.api, call.callee))
    session.following.site = call
    inner = partial(_inner, apply, call)
    made = None if found is None else found[0].call(found[1].items, types, Call(session, inner, call, named))
    return ctx.default_return_type if made is None else made


def _inner(
    apply: Apply, site: CallExpr, function: Type, given: Sequence[Type], named: Mapping[str, Type], session: Session
) -> Type | None:
    """What a function or a layer gives that another one calls; what a layer refuses is told where that was called."""
    found = _layer_of(function)
    if found is None or named.keys() - {"key"}:
        return apply(function, given, named, session)
    return found[0].call(found[1].items, given, Call(session, partial(_inner, apply, site), site, named))


def functions_in(layer: Type) -> list[Type] | None:
    """What a layer calls, if it is one that is known, but for functions of JAX that have a rule."""
    found = _layer_of(layer)
    return None if found is None else [t for t in found[1].items[slice(*found[0].functions)] if not _has_rule(t)]


def _has_rule(function: Type) -> bool:
    p = get_proper_type(function)
    definition = p.definition if isinstance(p, CallableType) else None
    return is_text(p) or (definition is not None and function_rule(jax_name(definition.fullname)) is not None)


def called(layer: Type, given: Sequence[Type], session: Session, apply: Apply) -> Type | None:
    """What a layer gives for arguments that transformations hand it; None if it is no layer that is known."""
    found = _layer_of(layer)
    return None if found is None else found[0].call(found[1].items, given, Call(session, apply))
