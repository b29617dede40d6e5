"""Which part of a value meets which part of an annotation: items of lists, leaves of trees, members of unions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mypy.messages import format_type_bare
from mypy.types import Instance, NoneType, TupleType, Type, UnionType, get_proper_type

from arraytyping.semantics.avals import UNKNOWN, Alternatives, Shape, ShapedArray
from arraytyping_mypy.arguments import read
from arraytyping_mypy.checker import options_of
from arraytyping_mypy.convert import array_type, value_of
from arraytyping_mypy.disjoint import Comparison, compare, shown
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.named_annotations import may_be, several
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.statics import shape_in
from arraytyping_mypy.written import Given, Items, items_of

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = [
    "contradiction",
    "leaves_of",
    "members_of",
    "parts_of",
    "shape_given",
    "sizes_text",
    "structure_of",
    "value_given",
]

_LEAVES: Final = ARRAYS | {f"builtins.{name}" for name in ("int", "float", "complex", "bool", "str")}


def value_given(given: Given, session: Session) -> object:
    """The abstract value of what is given."""
    if given.expression is not None:
        return read(given.expression, given.type, session)
    return UNKNOWN if given.type is None else value_of(given.type, session)


def shape_given(given: Given, session: Session) -> Shape | None:
    """The shape of what is given, if that is an array."""
    return shape_in(value_given(given, session))


def sizes_text(shape: Shape) -> str:
    """A shape as messages show it."""
    return f"[{', '.join('?' if d is None else str(d) for d in shape)}]"


def contradiction(expected: Type, given: Given, where: str, session: Session) -> str | None:
    """Why no array has both types, where mypy does not say it; None if one may have."""
    value = value_given(given, session)
    arrays = [v for v in (value.values if isinstance(value, Alternatives) else (value,)) if isinstance(v, ShapedArray)]
    if not arrays or len(arrays) != (len(value.values) if isinstance(value, Alternatives) else 1):
        return None
    options = options_of(session.api)
    is_, wanted = (format_type_bare(t, options) for t in (array_type(arrays, session), expected))
    if compare(is_, wanted) is not Comparison.DISJOINT:
        return None
    return f"{where} is {shown(is_)}, but {shown(wanted)} is expected; change the value or the annotation"


def members_of(union: UnionType, given: Given, session: Session) -> list[Type]:
    """The members of a union that may be meant by a value."""
    t = None if given.type is None else get_proper_type(given.type)
    if isinstance(t, UnionType) and shape_given(given, session) is not None:
        t = get_proper_type(t.items[0])  # several arrays of one shape
    return [m for m in union.items if t is None or may_be(m, t)]


def parts_of(expected: Type, items: Items) -> list[tuple[Type, str, Given]] | None:
    """What each item is held against; None if it is another kind of container, or not known how long."""
    container = several(expected)
    if container is not None:
        is_one = items.kind in container.kinds
        return [(container.item, path, one) for path, one in items.items] if is_one else None
    p = get_proper_type(expected)
    if not isinstance(p, TupleType) or items.kind != "tuple" or not items.whole or len(items.items) != len(p.items):
        return None
    return [(item, path, one) for item, (path, one) in zip(p.items, items.items)]


def leaves_of(given: Given, session: Session, path: str = "") -> Iterator[tuple[str, Given | None]]:
    """The leaves of a tree in JAX's order, and None for what may be any tree."""
    items = items_of(given, session)
    p = None if given.type is None else get_finite_type(given.type)
    if items is not None and not items.empty:
        parts = items.items
        if items.kind == "dict" and all(key.startswith("['") for key, _ in parts):
            parts = sorted(parts, key=lambda part: part[0])
        for key, one in parts:
            yield from leaves_of(one, session, path + key)
        if not items.whole:
            yield path, None
    elif isinstance(p, NoneType):
        return
    elif _is_leaf(given, p, session):
        yield path, given
    else:
        yield path, None


def structure_of(given: Given, session: Session) -> str | None:
    """How a tree is built, with * for each leaf; None where that is not known."""
    items = items_of(given, session)
    p = None if given.type is None else get_finite_type(given.type)
    if items is not None:
        if not items.whole or items.empty:
            return None
        parts = [(path, structure_of(one, session)) for path, one in items.items]
        if any(structure is None for _, structure in parts):
            return None
        if items.kind == "dict":
            return "{" + ", ".join(f"{path[1:-1]}: {structure}" for path, structure in sorted(parts)) + "}"
        inside = ", ".join(str(structure) for _, structure in parts)
        if items.kind == "list":
            return f"[{inside}]"
        if items.kind == "tuple":
            return f"({inside},)" if len(parts) == 1 else f"({inside})"
        return f"{p.partial_fallback.type.name}({inside})" if isinstance(p, TupleType) else None
    if isinstance(p, NoneType):
        return "None"
    return "*" if _is_leaf(given, p, session) else None


def _is_leaf(given: Given, t: Type | None, session: Session) -> bool:
    return shape_given(given, session) is not None or (isinstance(t, Instance) and t.type.fullname in _LEAVES)
