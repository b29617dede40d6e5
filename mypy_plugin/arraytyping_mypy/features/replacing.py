"""`x.replace(w=w)` of the dataclasses of flax and chex: a method that their decorators add.

mypy takes these decorators for `dataclass_transform`, and says that the class has no such attribute.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mypy.nodes import ArgKind, Argument, Var
from mypy.plugin import ClassDefContext
from mypy.plugins.common import add_method_to_class
from mypy.types import AnyType, Instance, TypeOfAny, get_proper_type
from mypy.typevars import fill_typevars

from arraytyping_mypy.checker import make_dataclass

__all__ = ["METHOD", "decorator_hook"]

METHOD: Final = "replace"
_DECORATORS: Final = frozenset({"flax.struct.dataclass", "chex._src.dataclass.dataclass", "chex.dataclass"})


def decorator_hook(fullname: str) -> Callable[[ClassDefContext], bool] | None:
    """The hook of a class under one of these decorators, or None."""
    return _add if fullname in _DECORATORS else None


def _add(ctx: ClassDefContext) -> bool:
    done = make_dataclass(ctx)
    info = ctx.cls.info
    itself = get_proper_type(fill_typevars(info))
    if done and METHOD not in info.names and isinstance(itself, Instance):
        anything = AnyType(TypeOfAny.special_form)
        updates = Argument(Var("updates", anything), anything, None, ArgKind.ARG_STAR2)
        add_method_to_class(ctx.api, ctx.cls, METHOD, [updates], itself)
    return done
