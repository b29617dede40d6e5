"""What an annotation says of an array, and what is known of it besides: a type that says both.

`Float[Array, "n d"]` leaves the dtype open within the floats, and the sizes; what a call gives, or what a body comes
to, may be known to the last size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from mypy.messages import format_type_bare
from mypy.types import AnyType, Instance, LiteralType, TupleType, Type, UnionType, get_proper_type

from arraytyping_mypy.checker import options_of
from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.disjoint import Comparison, compare
from arraytyping_mypy.finite_types import get_finite_type, is_endless
from arraytyping_mypy.generalize import is_unknown, map_arrays
from arraytyping_mypy.named_annotations import is_plain_tuple
from arraytyping_mypy.named_sizes import dim_of, owners_of
from arraytyping_mypy.names import ARRAYS

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["annotates_arrays", "refined_annotation", "without_foreign_names"]


def annotates_arrays(t: Type) -> bool:
    """Whether a type is that of an array of which something is said, or a tuple with such an array."""
    p = get_finite_type(t)
    return (is_plain_tuple(p) and any(map(annotates_arrays, p.items))) or (_is_array(p) and not is_unknown(p))


def refined_annotation(declared: Type, given: Type, session: Session) -> Type | None:
    """The declared type with what is known of a value besides; None if the value contradicts it."""
    if is_endless(declared):
        return declared
    d, g = get_finite_type(declared), get_finite_type(given)
    if is_plain_tuple(d) and isinstance(g, TupleType) and is_plain_tuple(g) and len(d.items) == len(g.items):
        items = [refined_annotation(a, b, session) for a, b in zip(d.items, g.items)]
        return None if None in items else d.copy_modified(items=[i for i in items if i is not None])
    if isinstance(d, AnyType) or (_is_array(d) and _is_array(g) and is_unknown(d)):
        return given
    if isinstance(d, UnionType) and _is_array(g):
        members = [i for i in d.items if _is_array(get_finite_type(i))]
        return refined_annotation(members[0], g, session) if len(members) == 1 else declared
    if not (_is_array(d) and _is_array(g)):
        return declared
    if d.type is not g.type or len(d.args) != 2 or len(g.args) != 2:
        return declared
    options = options_of(session.api)
    if compare(format_type_bare(g, options), format_type_bare(d, options)) is Comparison.DISJOINT:
        return None
    known = any(a.dtype is not None for a in arrays_of(g, session))
    is_finer = known or not any(a.dtype is not None for a in arrays_of(d, session))
    dtype = g.args[0] if is_finer and not isinstance(get_finite_type(g.args[0]), AnyType) else d.args[0]
    return g.copy_modified(args=[dtype, _shape(get_finite_type(d.args[1]), get_finite_type(g.args[1]))])


def without_foreign_names(t: Type, session: Session) -> Type:
    """The type with sizes unknown that are known by names of another function than those around."""

    def plain(array: Instance) -> Type:
        shape = get_proper_type(array.args[1]) if len(array.args) == 2 else None
        if not isinstance(shape, TupleType):
            return array
        items = [_nameless(i) if _is_foreign(i, session) else i for i in shape.items]
        if all(a is b for a, b in zip(items, shape.items)):
            return array
        return array.copy_modified(args=[array.args[0], shape.copy_modified(items=items)])

    return map_arrays(t, plain, ARRAYS)


def _is_foreign(size: Type, session: Session) -> bool:
    p = get_proper_type(size)
    return isinstance(p, LiteralType) and isinstance(p.value, str) and not owners_of((dim_of(p),)) <= session.owners


def _nameless(size: Type) -> Type:
    p = get_proper_type(size)
    return Instance(p.fallback.type, []) if isinstance(p, LiteralType) else size


def _is_array(t: Type) -> TypeGuard[Instance]:
    return isinstance(t, Instance) and t.type.fullname in ARRAYS


def _shape(declared: Type, given: Type) -> Type:
    if not isinstance(given, TupleType):
        return declared
    if not isinstance(declared, TupleType) or len(declared.items) != len(given.items):
        return given
    return given.copy_modified(items=[g if _is_number(g) else d for d, g in zip(declared.items, given.items)])


def _is_number(t: Type) -> bool:
    p = get_proper_type(t)
    return isinstance(p, LiteralType) and isinstance(p.value, int)
