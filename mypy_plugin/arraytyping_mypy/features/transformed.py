"""`grad`, `jacfwd`, `vmap` and their kin: what they give follows from the arguments of the call that comes later.

So what these return is kept as what `jax.jit` returns is, an instance with a `__call__`, whose parameter is no function
but a mark (`marks.py`); `called_transformed.py` has its calls.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from mypy.plugin import FunctionContext
from mypy.types import (
    AnyType,
    CallableType,
    Type,
    TypeOfAny,
    get_proper_type,
)

from arraytyping_mypy.arguments import read
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.features import sharded
from arraytyping_mypy.features.mapped_axes import axes_given
from arraytyping_mypy.features.marks import marked, read_mark
from arraytyping_mypy.provenance import FILTERED, SHARDING
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.wrappers import can_wrap

__all__ = [
    "function_hook",
    "mapped_function",
    "of_partial",
]

_FAMILIES: Final = {
    "grad": "grad", "value_and_grad": "grad", "jacfwd": "jacobian", "jacrev": "jacobian", "jacobian": "jacobian",
    "hessian": "jacobian", "vmap": "vmap", "filter_jit": "filter_jit", "filter_grad": "filter_grad",
    "filter_value_and_grad": "filter_grad",
}  # fmt: skip
_OF_JAX: Final = ("grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian", "vmap")
_KINDS: Final = {f"{space}{name}": name for space in ("jax._src.api.", "jax.") for name in _OF_JAX} | FILTERED


def function_hook(
    fullname: str, sessions: Sessions, otherwise: Callable[[FunctionContext], Type]
) -> Callable[[FunctionContext], Type] | None:
    """The hook of a transformation, or None; `otherwise` is that of a mapped function of which nothing is kept."""
    if fullname in SHARDING:
        return partial(_shard, sessions)
    kind = _KINDS.get(fullname)
    if kind is None:
        return None
    defaults = _DEFAULTS[_FAMILIES[kind]]
    return partial(_transform, kind, defaults, sessions, otherwise if kind == "vmap" else _default)


def _default(ctx: FunctionContext) -> Type:
    return ctx.default_return_type


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)


def _transform(
    kind: str,
    defaults: dict[str, Any],
    sessions: Sessions,
    otherwise: Callable[[FunctionContext], Type],
    ctx: FunctionContext,
) -> Type:
    session = sessions.of(ctx.api)
    info = session.jit_wrapped
    if not session.is_active or info is None or not can_wrap(info) or not ctx.arg_types or not ctx.arg_types[0]:
        return otherwise(ctx)
    if kind in FILTERED.values() and ctx.callee_arg_names[0] != "fun":
        return otherwise(ctx)  # a decorator with options
    given = dict(defaults)
    for name, values, types in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types):
        if values and (name in given or name in ("allow_int", "holomorphic", "axis_size")):
            reads = axes_given if name == "in_axes" else read
            given[name] = reads(values[0], types[0], session)
    if not all(map(_is_static, given.values())):
        return otherwise(ctx)
    return marked(kind, given, session.following.function(ctx.args[0][0], ctx.arg_types[0][0]), info, session)


def _shard(sessions: Sessions, ctx: FunctionContext) -> Type:
    """What `shard_map` gives, with the specs as they are written."""
    session = sessions.of(ctx.api)
    info = session.jit_wrapped
    if not session.is_active:
        return ctx.default_return_type
    if info is None or not can_wrap(info) or not ctx.args or len(ctx.args[0]) != 1:
        return _any()  # it is declared to give the function itself
    written = {name: es[0] for name, es in zip(ctx.callee_arg_names, ctx.args) if len(es) == 1}
    if any(kind.is_star() for kinds in ctx.arg_kinds for kind in kinds):
        return _any()
    sizes = sharded.sizes_of_mesh(written["mesh"], session) if "mesh" in written else {}
    given = {
        name: sharded.specs_of(written[name], sizes, session) if name in written else sharded.UNKNOWN_SPEC
        for name in ("in_specs", "out_specs")
    }
    function = session.following.function(ctx.args[0][0], ctx.arg_types[0][0])
    return marked(sharded.KIND, given, function, info, session)


def of_partial(fullname: str, given: dict[str, Type], function: Type, session: Session) -> Type | None:
    """What `partial(jax.vmap, in_axes=...)` and its kin make of a function; None if it is no transformation."""
    kind, info = _KINDS.get(fullname), session.jit_wrapped
    if fullname in SHARDING and info is not None and can_wrap(info):
        specs = dict.fromkeys(("in_specs", "out_specs"), sharded.UNKNOWN_SPEC)
        return marked(sharded.KIND, specs, function, info, session)
    if kind is None or info is None or not can_wrap(info):
        return None
    arguments: dict[str, Any] = dict(_DEFAULTS[_FAMILIES[kind]])
    for name, t in given.items():
        if name in arguments or name in ("allow_int", "holomorphic", "axis_size"):
            arguments[name] = value_of(t, session)
    if not all(map(_is_static, arguments.values())):
        return None
    return marked(kind, arguments, function, info, session)


_DEFAULTS: Final[dict[str, dict[str, Any]]] = {
    "vmap": {"in_axes": 0, "out_axes": 0},
    "grad": {"argnums": 0, "has_aux": False},
    "jacobian": {"argnums": 0, "has_aux": False, "holomorphic": False},
    "filter_jit": {},
    "filter_grad": {"has_aux": False},
}


def _is_static(value: Any) -> bool:
    """Whether it is written as a literal."""
    if isinstance(value, tuple | dict):
        return all(map(_is_static, value.values() if isinstance(value, dict) else value))
    return value is None or isinstance(value, bool | int)


def mapped_function(mark: Type) -> CallableType | None:
    """The function that `vmap` was given, if it is one whose parameters are known."""
    p = get_proper_type(mark)
    if not isinstance(p, CallableType):
        return None
    kind, _, inner = read_mark(p)
    function = get_proper_type(inner)
    return function if kind == "vmap" and isinstance(function, CallableType) and not function.variables else None
