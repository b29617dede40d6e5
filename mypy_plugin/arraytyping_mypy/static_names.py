"""Which arguments of a jitted function are static, read off its decorator or the call of `jax.jit`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    IntExpr,
    ListExpr,
    MypyFile,
    NameExpr,
    RefExpr,
    StrExpr,
    TupleExpr,
    Var,
)

from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.walk import nodes_of

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["Static", "decorators_of", "static_names"]

_JIT: Final = frozenset({"jax._src.api.jit", "jax.jit"})
_OPTIONS: Final = frozenset({"donate_argnums", "donate_argnames", "inline", "keep_unused", "device", "backend"})
"""Options that change nothing of what is traced."""


class Static(NamedTuple):
    """The names of static arguments, and of those that were given what can be static."""

    names: frozenset[str] = frozenset()
    hashable: frozenset[str] = frozenset()


def decorators_of(tree: MypyFile) -> dict[FuncDef, Decorator]:
    """The decorated functions of a module."""
    return {node.func: node for node in nodes_of(tree) if isinstance(node, Decorator)}


def static_names(definition: FuncDef, session: Session) -> frozenset[str] | None:
    """The names of the static arguments of a jitted function; None if they are not known."""
    original = session.following.original(definition)
    decorator = session.decorators.get(original) if isinstance(original, FuncDef) else None
    if decorator is not None:
        wanted = decorator.original_decorators
        return _of_option(wanted[0], definition) if len(wanted) == 1 else None
    site = session.following.site
    callee = site.callee if isinstance(site, CallExpr) else None
    if isinstance(callee, NameExpr) and isinstance(callee.node, Var):
        callee = session.bindings.only_value(callee.node)
    if not isinstance(callee, CallExpr) or not _is_jit(callee.callee) or not callee.args:
        return None
    function = callee.args[0]
    node = function.node if isinstance(function, RefExpr) else function
    is_it = isinstance(node, FuncItem) and session.following.original(node) is original
    return _of_arguments(callee, 1, definition) if is_it else None


def _of_option(decorator: Expression, definition: FuncDef) -> frozenset[str] | None:
    if _is_jit(decorator):
        return frozenset()
    if not isinstance(decorator, CallExpr):
        return None
    if _is_jit(decorator.callee):
        return _of_arguments(decorator, 0, definition)
    is_partial = isinstance(decorator.callee, RefExpr) and decorator.callee.fullname == "functools.partial"
    if is_partial and decorator.args and _is_jit(decorator.args[0]):
        return _of_arguments(decorator, 1, definition)
    return None


def _of_arguments(call: CallExpr, first: int, definition: FuncDef) -> frozenset[str] | None:
    """What the keywords of a call of `jit` say, behind this many arguments."""
    parameters = [a.variable.name for a in definition.arguments]
    found: set[str] = set()
    for i, (argument, name) in enumerate(zip(call.args, call.arg_names)):
        if i < first and name is None:
            continue
        if name not in ("static_argnums", "static_argnames"):
            if name not in _OPTIONS:
                return None
            continue
        for item in _items(argument):
            if name == "static_argnames" and isinstance(item, StrExpr):
                found.add(item.value)
            elif name == "static_argnums" and isinstance(item, IntExpr) and item.value < len(parameters):
                found.add(parameters[item.value])
            else:
                return None
    return frozenset(found)


def _items(argument: Expression) -> Iterator[Expression]:
    yield from argument.items if isinstance(argument, TupleExpr | ListExpr) else [argument]


def _is_jit(e: Expression) -> bool:
    return isinstance(e, RefExpr) and jax_name(e.fullname) in _JIT
