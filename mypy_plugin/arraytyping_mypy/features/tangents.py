"""The tangents and cotangents of arrays."""

from __future__ import annotations

from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.convert import array_type, arrays_of
from arraytyping_mypy.features.applied import mapped_leaves
from arraytyping_mypy.features.carried import carried
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.named_annotations import is_plain_tuple
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.session import Session

__all__ = ["cast", "tangent"]


def cast(t: Type, session: Session) -> Type:
    """What a derivative gives that is taken backwards, of which a backward rule of the program may change the dtype."""
    if not session.may_cast_gradients:
        return t

    def leaf(one: Type) -> Type:
        p = get_proper_type(one)
        if not isinstance(p, Instance) or p.type.fullname not in ARRAYS:
            return one
        return array_type([ShapedArray(a.shape, None) for a in arrays_of(p, session)], session)

    return mapped_leaves(t, leaf, session)


def tangent(t: Type, session: Session) -> Type:
    """The tangent or cotangent of an array of floats, or of a tuple of them; that of integers has its own dtype."""
    p = get_finite_type(t)
    if is_plain_tuple(p):
        return p.copy_modified(items=[tangent(i, session) for i in p.items])
    if not isinstance(p, Instance) or p.type.fullname not in ARRAYS:
        return AnyType(TypeOfAny.special_form)
    arrays = arrays_of(p, session)
    if not all(a.dtype == "float" or a.dtype in ANY_FLOAT for a in arrays):
        return AnyType(TypeOfAny.special_form)
    return carried(p, session, keeps_weak=True, keeps_classes=False)
