"""What the decorators of a class may do: make pytrees of its instances, of whose fields a transformation makes others.

Of a class out of mypy's cache no decorators are known: what they may do is noted in the class as mypy analyses it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr, NameExpr
from mypy.plugin import ClassDefContext

__all__ = ["may_register", "registers_instances"]

_OTHERS: Final = (
    "dataclasses.", "functools.", "builtins.", "abc.", "typing.", "typing_extensions.", "enum.", "jaxtyping.",
    "beartype.", "typeguard.",
)  # fmt: skip
"""Where the decorators are that register nothing."""


def may_register(names: Iterable[str]) -> bool:
    """Whether one of the functions with these full names may make pytrees of a class's instances."""
    return any(not name.startswith(_OTHERS) for name in names)


def registers_instances(ctx: ClassDefContext) -> bool:
    """Whether a decorator of a class that mypy begins to analyse may make pytrees of its instances."""
    for written in (name for decorator in ctx.cls.decorators for name in _written(decorator)):
        symbol = ctx.api.lookup_qualified(written, ctx.cls, suppress_errors=True)
        if may_register([symbol.fullname or "" if symbol is not None else ""]):
            return True
    return False


def _written(decorator: Expression) -> list[str]:
    """The names in a decorator, as they are written: its own, of what it calls, and of what `partial` is given."""
    if isinstance(decorator, CallExpr):
        given = [arg for arg in decorator.args if isinstance(arg, NameExpr | MemberExpr)]
        return [name for one in (decorator.callee, *given) for name in _written(one)]
    name = _dotted(decorator)
    return [] if name in (None, "True", "False", "None") else [name or ""]


def _dotted(expression: Expression) -> str | None:
    if isinstance(expression, NameExpr):
        return expression.name
    if isinstance(expression, MemberExpr):
        owner = _dotted(expression.expr)
        return None if owner is None else f"{owner}.{expression.name}"
    return None
