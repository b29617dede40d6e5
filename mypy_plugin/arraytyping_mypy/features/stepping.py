"""`scan`, `fori_loop` and `while_loop` of functions that are followed: what they carry, and what `scan` stacks.

A carry that comes out of a step as it went in is the carry of all steps, its weak type included.  One that the first
step changes (a weak number that becomes strong) is followed once more as it came out.  Where that changes it again,
nothing is said that is not known of every loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mypy.nodes import Context
from mypy.types import Instance, LiteralType, NoneType, TupleType, Type, get_proper_type

from arraytyping.semantics.avals import Shape, ShapedArray
from arraytyping_mypy.convert import array_type, arrays_of
from arraytyping_mypy.features.applied import applied, arrayed, traced
from arraytyping_mypy.features.carried import any_weak
from arraytyping_mypy.features.handed_on import check_carry, check_condition
from arraytyping_mypy.features.instance_types import instance_info
from arraytyping_mypy.features.scanned_lengths import refused_lengths
from arraytyping_mypy.features.stacking import is_plain_array, leaves, one_of, stacked
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.session import Session

__all__ = ["iterated", "repeated", "scanned"]


def scanned(
    function: Type, init: Type, xs: Type | None, length: int | None, context: Context, session: Session
) -> Type | None:
    """The pair that `scan` gives; None if nothing is known of the function."""
    row: Type = NoneType()
    if xs is not None and not isinstance(get_proper_type(xs), NoneType):
        if refused_lengths(xs, length, context, session):
            return None
        row = one_of(traced(xs, session), 0, session)
        sizes = {a.shape[0] for a in leaves(xs, session) if a.shape}
        size = sizes.pop() if len(sizes) == 1 else None
        length = size if isinstance(size, int) else length
    outs: list[Type] = []

    def step(carry: Type) -> Type | None:
        pair = _pair(applied(function, [carry, row], {}, session, "scan"))
        if pair is None:
            return None
        outs.append(pair.items[1])
        return pair.items[0]

    carry = _settled("scan", step, init, context, session)
    if carry is None:
        return None
    out = outs[-1]
    ys = stacked(arrayed(out, session), length, 0, session, is_exact=True)
    return TupleType([carry, ys], session.api.named_generic_type("builtins.tuple", [_object(session)]))


def iterated(condition: Type, body: Type, init: Type, context: Context, session: Session) -> Type | None:
    """What `while_loop` gives; None if nothing is known of it."""

    def step(carry: Type) -> Type | None:
        check_condition(applied(condition, [carry], {}, session, "while_loop"), context, session)
        return applied(body, [carry], {}, session, "while_loop")

    return _settled("while_loop", step, init, context, session)


def repeated(body: Type, bounds: Sequence[Type], init: Type, context: Context, session: Session) -> Type | None:
    """What `fori_loop` gives, whose function takes the number of the step as well."""
    one = ShapedArray((), "int", True)  # a lower bound that is written stays weak; one that is given may be an array
    number = array_type([one] if _is_written(bounds[0]) else any_weak(one, session), session)
    if any(not _is_int(t) for t in bounds):
        number = array_type([ShapedArray((), None)], session)

    def step(carry: Type) -> Type | None:
        return applied(body, [number, carry], {}, session, "fori_loop")

    return _settled("fori_loop", step, init, context, session)


def _settled(
    name: str, step: Callable[[Type], Type | None], init: Type, context: Context, session: Session
) -> Type | None:
    """What is carried through all steps; None if that is not known."""
    carry = arrayed(traced(init, session), session)
    for is_last in (False, False, True):
        out = step(carry)
        if out is None:
            return None
        out = arrayed(out, session)
        following = carry if str(out) == str(carry) else None
        if following is None and not is_last:
            check_carry(name, carry, out, context, session)
        following = following or _next(carry, out, session)
        if following is None:
            return None
        if str(following) == str(carry):
            return carry
        carry = following
    return None


def _next(before: Type, after: Type, session: Session) -> Type | None:
    """What a carry becomes in a step: the same tree, with arrays of the same sizes; None for anything else.

    JAX asks for the same shapes, so that what is known of either holds for both; weak types may change.
    """
    b, a = get_finite_type(before), get_finite_type(after)
    if isinstance(b, TupleType) and isinstance(a, TupleType):
        if len(b.items) != len(a.items):
            return None
        items = [_next(x, y, session) for x, y in zip(b.items, a.items)]
        return None if None in items else a.copy_modified(items=[i for i in items if i is not None])
    if is_plain_array(b) and is_plain_array(a):
        shape = None
        for array in (*arrays_of(b, session), *arrays_of(a, session)):
            if array.shape is not None:
                shape = array.shape if shape is None else _common(shape, array.shape)
                if shape is None:
                    return None
        if shape is None:
            return None
        return array_type([replace(array, shape=shape, value=None) for array in arrays_of(a, session)], session)
    return a if str(b) == str(a) else None


def _common(first: Shape, second: Shape) -> Shape | None:
    """The sizes that are known of either shape; None if they are not the same."""
    if len(first) != len(second) or any(x != y for x, y in zip(first, second) if x is not None and y is not None):
        return None
    return tuple(y if x is None else x for x, y in zip(first, second))


def _pair(t: Type | None) -> TupleType | None:
    p = None if t is None else get_proper_type(t)
    return p if isinstance(p, TupleType) and len(p.items) == 2 and instance_info(p) is None else None


def _is_int(t: Type) -> bool:
    p = get_proper_type(t)
    return isinstance(p, Instance) and p.type.fullname == "builtins.int"


def _is_written(t: Type) -> bool:
    p = get_proper_type(t)
    return isinstance(p, LiteralType) or (isinstance(p, Instance) and p.last_known_value is not None)


def _object(session: Session) -> Type:
    return session.api.named_generic_type("builtins.object", [])
