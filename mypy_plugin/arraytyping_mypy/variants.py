"""What tells the calls of one function apart, and one type for several that it may return."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from mypy.nodes import Expression
from mypy.type_visitor import TypeTranslator
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeAliasType,
    TypedDictType,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from arraytyping_mypy.convert import array_type, arrays_of
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.provenance import PARTIAL

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["by_any_key", "joined", "key_of", "merged", "without_floats"]

RETURNS: Final = 4
"""How many different types of what a function returns are told apart."""


def key_of(t: Type) -> object:
    """What tells two types apart, functions by their definitions too, and transformed ones by how they are."""
    definitions: list[object] = []
    _note_definitions(t, definitions)
    return str(t), tuple(definitions)


def _note_definitions(t: Type, found: list[object]) -> None:
    p = get_finite_type(t)
    if isinstance(p, CallableType):
        found += id(p.definition), p.name
        for part in (*p.arg_types, p.ret_type):
            _note_definitions(part, found)
    elif isinstance(p, Instance):
        for part in p.args:
            _note_definitions(part, found)
        if p.extra_attrs is not None and p.type.fullname in PARTIAL:
            for name, part in p.extra_attrs.attrs.items():
                found += name, str(part)
                _note_definitions(part, found)
    elif isinstance(p, TupleType | UnionType):
        for part in p.items:
            _note_definitions(part, found)
    elif isinstance(p, TypedDictType):
        for part in p.items.values():
            _note_definitions(part, found)


def without_floats(t: Type) -> Type:
    """The type without the values of floats that are written, which few results hang on."""
    return get_proper_type(t).accept(_WithoutFloats())


class _WithoutFloats(TypeTranslator):
    def visit_instance(self, t: Instance) -> Type:
        value = t.last_known_value
        known = t.copy_modified(last_known_value=None) if value is not None and type(value.value) is float else t
        return super().visit_instance(known)

    def visit_literal_type(self, t: LiteralType) -> Type:
        return t.fallback if type(t.value) is float else t

    def visit_type_alias_type(self, t: TypeAliasType) -> Type:
        return t


def joined(types: list[Type], session: Session) -> Type | None:
    """One of several types; None if one of them is not known."""
    if any(isinstance(get_proper_type(t), AnyType) for t in types):
        return None
    different = {key_of(t): t for t in types}
    if len(different) == 1:
        return types[0]
    arrays = [arrays_of(t, session) if _is_array(t) else [] for t in types]
    if all(arrays):
        return array_type([a for several in arrays for a in several], session)
    if len(different) > RETURNS:
        return None
    return UnionType.make_union(list(different.values()))


def by_any_key(t: Type, session: Session) -> Type:
    """A dict that is known by its keys as one of which it is known what may stand under any."""
    p = get_proper_type(t)
    if not isinstance(p, TypedDictType) or not p.items:
        return t
    item = joined(list(p.items.values()), session) or AnyType(TypeOfAny.special_form)
    named = session.api.named_generic_type
    return named("builtins.dict", [named("builtins.str", []), item])


def merged(found: Iterable[tuple[Expression, Type]]) -> dict[Expression, Type]:
    """One type for each expression: of one that was met several times, in the rounds of a loop, any of them."""
    types: dict[Expression, Type] = {}
    several: dict[Expression, list[Type]] = {}
    for e, t in found:
        first = types.setdefault(e, t)
        if first is not t:
            several.setdefault(e, [first]).append(t)
    for e, met in several.items():
        different = list({str(t): t for t in met}.values())
        types[e] = different[0] if len(different) == 1 else UnionType.make_union(different)
    return types


def _is_array(t: Type) -> bool:
    p = get_finite_type(t)
    if isinstance(p, UnionType):
        return all(map(_is_array, p.items))
    return isinstance(p, Instance) and p.type.fullname in ARRAYS
