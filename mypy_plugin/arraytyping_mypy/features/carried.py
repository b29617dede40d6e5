"""What goes into a transformation of JAX and comes out of it with its dtypes and shapes: a carry, a gradient."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mypy.types import (
    AnyType,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    UnionType,
)

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import WEAK
from arraytyping_mypy.convert import KEY, array_type, arrays_of, unknown_array
from arraytyping_mypy.features.instance_types import is_mark, items_of_tree
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.session import Session

__all__ = ["SCALARS", "TREES", "any_weak", "carried"]

SCALARS: Final = ("builtins.bool", "builtins.int", "builtins.float", "builtins.complex")
"""Python's numbers, which are arrays on the inside of a transformation."""

TREES: Final = ("builtins.list", "builtins.dict", "builtins.tuple")
"""The classes of Python that are pytrees of what is in them."""


def any_weak(array: ShapedArray, session: Session, *, keeps_weak: bool = True) -> Iterator[ShapedArray]:
    """The array with either weak type, where that has a name; a weak one may have become one of any dtype."""
    if array.dtype is None or array.dtype == "bool" or (array.weak_type and not keeps_weak):
        yield ShapedArray(array.shape, array.dtype if array.dtype == "bool" else None)
        return
    if array.dtype.startswith(KEY):
        yield array  # a key is not weak
        return
    kinds = [kind for kind in WEAK if kind in ("int", "float", "complex")]
    if array.dtype in kinds:
        for promotion in session.promotions:
            yield ShapedArray(array.shape, promotion.default(array.dtype), False)
        yield array
        return
    names = [k for k in kinds if any(p.default(k) == array.dtype for p in session.promotions)]
    if not names:
        yield ShapedArray(array.shape, None)
        return
    yield array
    yield from (ShapedArray(array.shape, name, True) for name in names)


def carried(
    t: Type,
    session: Session,
    *,
    keeps_weak: bool = False,
    keeps_classes: bool = True,
    keeps_strong: bool = False,
    keeps_exact: bool = False,
) -> Type:
    """What goes into a loop and comes out of it, or a gradient by it: arrays of its dtypes and shapes.

    Whether they are weak is not known, unless what is strong `keeps_strong`, or all `keeps_exact` as it is; and unless
    `keeps_weak`, what is weak may get another dtype on the way.  Without `keeps_classes` nothing is said of instances
    of the program's classes, whose numbers become arrays.
    """
    p = get_finite_type(t)

    def part(one: Type) -> Type:
        return carried(
            one,
            session,
            keeps_weak=keeps_weak,
            keeps_classes=keeps_classes,
            keeps_strong=keeps_strong,
            keeps_exact=keeps_exact,
        )

    if is_mark(p):
        return t
    if isinstance(p, UnionType):
        return UnionType.make_union([part(i) for i in p.items])
    if isinstance(p, TupleType):
        return p.copy_modified(items=[part(i) for i in items_of_tree(p, session)])
    if isinstance(p, TypedDictType):
        return p.copy_modified(item_types=[part(i) for i in p.items.values()])
    if isinstance(p, NoneType):
        return p
    if not isinstance(p, Instance):
        return AnyType(TypeOfAny.special_form)
    if p.type.fullname in ARRAYS:
        arrays = arrays_of(p, session)
        found: list[ShapedArray] = []
        for a in arrays:
            is_kept = a.dtype is not None and (keeps_exact or (keeps_strong and a.weak_type is False))
            found += [replace(a, value=None)] if is_kept else any_weak(a, session, keeps_weak=keeps_weak)
        return array_type(found, session)
    if p.type.fullname in SCALARS:
        return array_type([ShapedArray((), None)], session)
    if p.type.fullname.startswith("numpy."):
        return unknown_array(session)
    if p.type.fullname in TREES:
        return p.copy_modified(args=[*p.args[:-1], part(p.args[-1])])
    if not keeps_classes:
        return AnyType(TypeOfAny.special_form)
    return p  # an instance of the program's, with the same fields
