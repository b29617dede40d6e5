"""Arithmetic on Python's integers whose values are known: `d // heads` is a size, `dim**0.5` a float."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from mypy.plugin import MethodContext
from mypy.types import AnyType, Instance, LiteralType, Type, TypeOfAny, get_proper_type

from arraytyping_mypy.checker import power_of
from arraytyping_mypy.sessions import Sessions

__all__ = ["method_hook"]

_OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "builtins.int.__add__": operator.add,
    "builtins.int.__sub__": operator.sub,
    "builtins.int.__mul__": operator.mul,
    "builtins.int.__floordiv__": operator.floordiv,
    "builtins.int.__mod__": operator.mod,
}
_POWER: Final = "builtins.int.__pow__"
_FLOAT_POWERS: Final = ("builtins.float.__pow__", "builtins.float.__rpow__")
_REFLECTED: Final = tuple(f"builtins.{kind}.__r" for kind in ("int", "float", "complex", "bool"))
_MOST: Final = 1 << 32


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of one of these operators, or None."""
    if fullname == _POWER:
        return partial(_power, sessions)
    if fullname in _FLOAT_POWERS:
        return partial(_float_power, fullname.endswith("rpow__"), sessions)
    if fullname.startswith(_REFLECTED):
        return partial(_reflected, sessions)
    function = _OPERATORS.get(fullname)
    return None if function is None else partial(_operate, function, sessions)


def _reflected(sessions: Sessions, ctx: MethodContext) -> Type:
    """What stands on the left of a number may be an array where mypy knows no more than that it is an `object`."""
    given = get_proper_type(ctx.arg_types[0][0]) if ctx.arg_types and ctx.arg_types[0] else None
    is_any = isinstance(given, Instance) and given.type.fullname == "builtins.object" and _is_followed(sessions, ctx)
    return AnyType(TypeOfAny.special_form) if is_any else ctx.default_return_type


def _operate(function: Callable[[Any, Any], Any], sessions: Sessions, ctx: MethodContext) -> Type:
    p = get_proper_type(ctx.default_return_type)
    sides = _sides(ctx)
    if (
        sides is None
        or not isinstance(p, Instance)
        or p.type.fullname != "builtins.int"
        or not _is_followed(sessions, ctx)
    ):
        return ctx.default_return_type
    try:
        value = function(*sides)
    except ZeroDivisionError:
        return ctx.default_return_type
    return p.copy_modified(last_known_value=LiteralType(value, p)) if abs(value) < _MOST else p


def _power(sessions: Sessions, ctx: MethodContext) -> Type:
    """Typeshed leaves open what a power is of which the sign of base or exponent decides."""
    left = _known(ctx.type)
    right = get_proper_type(ctx.arg_types[0][0]) if ctx.arg_types and ctx.arg_types[0] else None
    if left is None or not isinstance(right, Instance) or not _is_followed(sessions, ctx):
        return power_of(ctx)
    if right.type.fullname == "builtins.float" and left > 0:
        return ctx.api.named_generic_type("builtins.float", [])
    exponent = _known(right)
    if exponent is None or abs(exponent) > 64 or (exponent < 0 and left == 0):
        return power_of(ctx)
    if exponent < 0:
        return ctx.api.named_generic_type("builtins.float", [])
    p = ctx.api.named_generic_type("builtins.int", [])
    value = left**exponent
    return p.copy_modified(last_known_value=LiteralType(value, p)) if abs(value) < _MOST else p


def _float_power(is_reversed: bool, sessions: Sessions, ctx: MethodContext) -> Type:
    """A power of a positive number is a float, where base or exponent is one."""
    given = ctx.arg_types[0][0] if ctx.arg_types and ctx.arg_types[0] else ctx.type
    base, exponent = (given, ctx.type) if is_reversed else (ctx.type, given)
    p = get_proper_type(base)
    value = p.last_known_value.value if isinstance(p, Instance) and p.last_known_value is not None else None
    is_positive = type(value) in (int, float) and isinstance(value, int | float) and value > 0
    e = get_proper_type(exponent)
    is_real = isinstance(e, Instance) and e.type.fullname in ("builtins.float", "builtins.int")
    if not is_positive or not is_real or not _is_followed(sessions, ctx):
        return ctx.default_return_type
    return ctx.api.named_generic_type("builtins.float", [])


def _is_followed(sessions: Sessions, ctx: MethodContext) -> bool:
    """Whether the operator stands in a function that is followed: elsewhere a type of mypy's may be shown."""
    session = sessions.of(ctx.api)
    return session.is_active and session.is_following


def _sides(ctx: MethodContext) -> tuple[int, int] | None:
    left = _known(ctx.type)
    right = _known(ctx.arg_types[0][0]) if ctx.arg_types and ctx.arg_types[0] else None
    return None if left is None or right is None else (left, right)


def _known(t: Type) -> int | None:
    p = get_proper_type(t)
    if isinstance(p, Instance) and p.last_known_value is not None and p.type.fullname == "builtins.int":
        p = p.last_known_value
    return p.value if isinstance(p, LiteralType) and type(p.value) is int else None
