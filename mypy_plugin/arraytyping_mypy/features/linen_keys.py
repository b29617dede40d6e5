"""The random keys that Flax's modules are initialised with, which come before what the module is called with.

Source: `_is_valid_rng` in flax/core/scope.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.plugin import MethodContext
from mypy.types import Instance, TupleType, Type, get_proper_type

from arraytyping.semantics.avals import ShapedArray
from arraytyping_mypy.checker import is_checked
from arraytyping_mypy.convert import KEY, arrays_of
from arraytyping_mypy.features.linen_modules import applied
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.sessions import Sessions

__all__ = ["method_hook"]

_METHODS: Final = ("init", "init_with_output", "apply", "clone", "copy")
_ANEW: Final = ("clone", "copy")
"""What gives a module with other fields."""
_MODULE: Final = "flax.linen.module.Module"

_Hook = Callable[[MethodContext], Type]


def method_hook(fullname: str, sessions: Sessions, otherwise: _Hook | None) -> _Hook | None:
    """The hook of a method that may take keys; `otherwise` is that of a method of the program's."""
    name = fullname.rpartition(".")[2]
    return partial(_check, name, sessions, otherwise) if name in _METHODS else otherwise


def _check(name: str, sessions: Sessions, otherwise: _Hook | None, ctx: MethodContext) -> Type:
    result = ctx.default_return_type if otherwise is None else otherwise(ctx)
    given = dict(zip(ctx.callee_arg_names, zip(ctx.arg_types, ctx.arg_kinds))).get("rngs")
    p = get_proper_type(ctx.type)
    p = p.partial_fallback if isinstance(p, TupleType) else p
    owner = p.type.get_containing_type_info(name) if isinstance(p, Instance) else None
    session = sessions.of(ctx.api)
    if owner is None or owner.fullname != _MODULE or not session.is_active:
        return result
    if name in _ANEW:
        return p
    if is_checked(ctx.api):
        result = applied(name, ctx, session) or result
    if given is None or len(given[0]) != 1 or given[1][0].is_star():
        return result
    arrays = arrays_of(given[0][0], session) if is_plain_array(given[0][0]) else []
    if arrays and not any(map(_may_be_key, arrays)):
        session.fail(
            f"InvalidRngError: {name} takes random keys first, and is given {arrays[0]}",
            ctx.context,
            "array-call",
            Exception,
        )
    return result


def _may_be_key(array: ShapedArray) -> bool:
    """Whether it may be one key, or the numbers of one."""
    if array.dtype is None or (array.dtype.startswith(KEY) and not array.shape):
        return True
    return array.dtype == "uint32" and (array.shape is None or len(array.shape) == 1)
