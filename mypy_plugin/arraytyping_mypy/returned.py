"""What a followed function gives, by what stands behind each `return` and `yield` of its copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mypy.nodes import Expression
from mypy.types import AnyType, NoneType, Type, TypeOfAny, UninhabitedType, get_proper_type

from arraytyping_mypy.copies import Copy
from arraytyping_mypy.variants import joined

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["returned"]


def returned(copy: Copy, types: Mapping[Expression, Type], session: Session) -> Type | None:
    """What a copy gives that was checked; None if that is not known."""
    if copy.yielded is not None:
        item = _yielded(copy.yielded, types, session)
        named = session.api.named_generic_type
        return None if item is None else named("typing.Generator", [item, _any(), _any()])
    found: list[Type] = []
    for expression in copy.returned:
        if expression is None:
            found.append(NoneType())
        elif expression in types:
            found.append(session.following.function(expression, types[expression]))
    if copy.end in types:
        found.append(NoneType())
    found = [t for t in found if not isinstance(get_proper_type(t), UninhabitedType)]
    return joined(found, session) if found else None


def _yielded(yielded: Sequence[Expression | None], types: Mapping[Expression, Type], session: Session) -> Type | None:
    """What a generator gives one after another."""
    found = [session.following.function(e, types[e]) for e in yielded if e is not None and e in types]
    return joined(found, session) if found and None not in yielded else None


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)
