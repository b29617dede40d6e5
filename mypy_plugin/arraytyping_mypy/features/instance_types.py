"""The type of an instance that is known by its fields: a tuple of their types, behind which the class stands.

A number stands there as a literal, which mypy keeps through an assignment.  One that is no leaf of a tree stands as a
text that no transformation changes; and the last item may say of which very class the instance is.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from mypy.nodes import TypeInfo
from mypy.types import AnyType, CallableType, Instance, LiteralType, TupleType, Type, TypeOfAny, get_proper_type

from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.hierarchy import HIERARCHY
from arraytyping_mypy.names import OPTIMIZERS_MODULE

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = [
    "fields", "has_uncertain_parts", "held", "instance_info", "is_mark", "is_number", "is_opaque", "is_structure",
    "is_text", "items_of_tree", "kept", "mark_of", "marks", "released", "static_places", "taken",
]  # fmt: skip

_MARK: Final = "exactly "
_NUMBERS: Final = ("builtins.bool", "builtins.int", "builtins.float", "builtins.complex")


def instance_info(t: Type | None) -> TypeInfo | None:
    """The class of an instance whose fields are known; None for any other type."""
    p = None if t is None else get_proper_type(t)
    if not isinstance(p, TupleType):
        return None
    info = p.partial_fallback.type
    if info.has_base("builtins.tuple") or info.fullname == "builtins.list":
        return None
    # mypy joins instances of two classes to one of their base.
    return None if HIERARCHY in info.metadata and not (p.items and marks(p.items[-1], info)) else info


def is_mark(t: Type) -> bool:
    """Whether it is what says of which very class an instance is, and no field."""
    p = get_proper_type(t)
    return isinstance(p, LiteralType) and isinstance(p.value, str) and p.value.startswith(_MARK)


def marks(t: Type, info: TypeInfo) -> bool:
    """Whether it is what says that an instance is of this very class."""
    p = get_proper_type(t)
    return isinstance(p, LiteralType) and p.value == f"{_MARK}{info.fullname}"


def mark_of(info: TypeInfo, session: Session) -> list[Type]:
    """What is added to the fields of an instance whose class has bases or subclasses in the program."""
    text = session.api.named_generic_type("builtins.str", [])
    return [LiteralType(f"{_MARK}{info.fullname}", text)] if HIERARCHY in info.metadata else []


def items_of_tree(p: TupleType, session: Session) -> list[Type]:
    """What a transformation sees in a tuple; a number in an instance may be a part of its structure, and no leaf."""
    if has_uncertain_parts(p, session):
        return [_any() if is_number(i) else i for i in p.items]
    static = static_places(p, session)
    return [_any() if n in static and not is_mark(i) else i for n, i in enumerate(p.items)]


def static_places(p: TupleType, session: Session) -> frozenset[int]:
    """Which items of an instance's type are fields that are no leaves."""
    info = instance_info(p)
    names = None if info is None else session.classes.fields_of(info)
    if info is None or names is None or len(names) != len(fields(p)):
        return frozenset()
    static = session.classes.static_fields(info) or frozenset()
    return frozenset(n for n, name in enumerate(names) if name in static)


def is_structure(t: Type) -> bool:
    """Whether it is a function or an optimizer, which a transformation hands on as it is where it is no leaf."""
    p = get_proper_type(t)
    return isinstance(p, CallableType) or (isinstance(p, Instance) and p.type.module_name == OPTIMIZERS_MODULE)


def has_uncertain_parts(p: TupleType, session: Session) -> bool:
    """Whether it is an instance with numbers of which it is not known whether they are leaves."""
    info = instance_info(p)
    if info is None or not session.classes.is_tree(info) or not any(map(is_number, p.items)):
        return False
    return session.classes.static_fields(info) is None


def is_opaque(p: TupleType, session: Session) -> bool:
    """Whether it is an instance that JAX does not look into, and takes as a static argument alone."""
    info = instance_info(p)
    return info is not None and not session.classes.is_tree(info)


def is_number(t: Type) -> bool:
    """Whether it is the type of a number of Python's."""
    p = get_proper_type(taken(t))
    return isinstance(p, Instance) and p.type.fullname in _NUMBERS


def held(info: TypeInfo, name: str, t: Type, session: Session) -> Type:
    """What stands for a field: a number that is no leaf of a tree stands where no transformation changes it."""
    p = get_proper_type(kept(t))
    if not isinstance(p, LiteralType) or name not in (session.classes.static_fields(info) or ()):
        return p
    return LiteralType(f"{_MARK}{p.value!r}", session.api.named_generic_type("builtins.str", []))


def released(t: Type, session: Session) -> Type | None:
    """The reverse of `held`; None if the field is not known any more."""
    p = get_proper_type(t)
    if not isinstance(p, LiteralType) or not isinstance(p.value, str) or not is_mark(p):
        return None
    value = ast.literal_eval(p.value[len(_MARK) :])
    plain = session.api.named_generic_type(f"builtins.{type(value).__name__}", [])
    return plain.copy_modified(last_known_value=LiteralType(value, plain))


def fields(p: TupleType) -> list[Type]:
    """The types of the fields of an instance."""
    return p.items[:-1] if p.items and marks(p.items[-1], p.partial_fallback.type) else p.items


def kept(t: Type) -> Type:
    """A number or text that is known, or a tuple of such, as mypy keeps it through an assignment."""
    p = get_finite_type(t)
    if isinstance(p, TupleType) and p.partial_fallback.type.fullname == "builtins.tuple":
        return p.copy_modified(items=list(map(kept, p.items)))
    return p.last_known_value if isinstance(p, Instance) and p.last_known_value is not None else t


def taken(t: Type) -> Type:
    """The reverse of `_kept`."""
    p = get_finite_type(t)
    if isinstance(p, TupleType) and p.partial_fallback.type.fullname == "builtins.tuple":
        return p.copy_modified(items=list(map(taken, p.items)))
    return p.fallback.copy_modified(last_known_value=p) if isinstance(p, LiteralType) else t


def is_text(t: Type) -> bool:
    """Whether it is the type of a text."""
    p = get_proper_type(t)
    p = p.fallback if isinstance(p, LiteralType) else p
    return isinstance(p, Instance) and p.type.fullname == "builtins.str"


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)
