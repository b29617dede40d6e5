"""`jax.nn.initializers`: what an initializer draws has the shape that it is asked for, of the default dtype or another.

A factory may be given a dtype for all that is drawn later; then, and of an initializer from elsewhere, nothing is known
but the shape.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from mypy.plugin import FunctionContext, MethodContext
from mypy.types import AnyType, ExtraAttrs, Instance, Type, TypeOfAny, get_proper_type

from arraytyping_mypy.arguments import bind
from arraytyping_mypy.calls import answer, result_type
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook", "method_hook"]

_MODULE: Final = "jax._src.nn.initializers."
_FACTORIES: Final = frozenset(
    f"{_MODULE}{name}"
    for name in (
        "uniform", "normal", "truncated_normal", "variance_scaling", "glorot_uniform", "glorot_normal",
        "lecun_uniform", "lecun_normal", "he_uniform", "he_normal", "kaiming_uniform", "kaiming_normal",
        "xavier_uniform", "xavier_normal", "orthogonal",
    )
)  # fmt: skip
_KEPT: Final = "__arraytyping_default_dtype"


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a function that makes an initializer, or None."""
    return partial(_make, sessions) if fullname in _FACTORIES else None


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of the call of an initializer, or None."""
    return partial(_draw, sessions) if fullname == f"{_MODULE}Initializer.__call__" else None


def _make(sessions: Sessions, ctx: FunctionContext) -> Type:
    p = get_proper_type(ctx.default_return_type)
    given = dict(zip(ctx.callee_arg_names, ctx.arg_types))
    is_plain = not given.get("dtype") and not any(k.is_star() for kinds in ctx.arg_kinds for k in kinds)
    if not isinstance(p, Instance) or not is_plain:
        return ctx.default_return_type
    made = p.copy_modified()
    made.extra_attrs = ExtraAttrs({_KEPT: AnyType(TypeOfAny.special_form)}, None, None)
    return made


def _draw(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.type)
    if not session.is_active or not isinstance(p, Instance):
        return ctx.default_return_type
    bound = bind(ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names, session)
    if bound is None:
        return ctx.default_return_type
    positional, named = bound
    given: dict[str, Any] = dict(zip(("key", "shape", "dtype", "out_sharding"), positional)) | named
    has_default = p.extra_attrs is not None and _KEPT in p.extra_attrs.attrs
    if "shape" not in given or "key" not in given or (given.get("dtype") is None and not has_default):
        return ctx.default_return_type
    arguments = {name: given[name] for name in ("key", "shape", "dtype") if given.get(name) is not None}
    made = answer("random.normal", [], arguments, session)
    if made is None or made.error is not None:
        return ctx.default_return_type  # an initializer makes integers, which `normal` does not
    return result_type(made, ctx.default_return_type, session)
