"""`scan`, `fori_loop` and `while_loop` of functions that are followed: what they carry, and what `scan` stacks.

A carry that comes out of a step as it went in is the carry of all steps, its weak type included.  One that the first
step changes (a weak number that becomes strong) is followed once more as it came out.  Where that changes it again,
nothing is said that is not known of every loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mypy.nodes import Context
from mypy.types import Instance, LiteralType, NoneType, TupleType, Type, get_proper_type

from arraytyping.semantics.avals import ShapedArray
from arraytyping_mypy.convert import array_type, arrays_of
from arraytyping_mypy.features.applied import applied, arrayed, traced
from arraytyping_mypy.features.carried import any_weak
from arraytyping_mypy.features.handed_on import check_carry, check_condition
from arraytyping_mypy.features.instances import instance_info
from arraytyping_mypy.features.scanned_lengths import refused_lengths
from arraytyping_mypy.features.stacking import is_plain_array, leaves, one_of, stacked
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
    for _ in range(2):
        out = step(carry)
        if out is None:
            return None
        out = arrayed(out, session)
        if str(out) == str(carry):
            return carry
        check_carry(name, carry, out, context, session)
        if not _may_become(carry, out, session):
            return None
        carry = out
    last = step(carry)
    return carry if last is not None and str(arrayed(last, session)) == str(carry) else None


def _may_become(before: Type, after: Type, session: Session) -> bool:
    """Whether JAX makes the one carry the other: the same tree, with the same arrays but for weak types."""
    b, a = get_proper_type(before), get_proper_type(after)
    if isinstance(b, TupleType) and isinstance(a, TupleType):
        return len(b.items) == len(a.items) and all(_may_become(x, y, session) for x, y in zip(b.items, a.items))
    if is_plain_array(b) and is_plain_array(a):
        shapes = {array.shape for t in (b, a) for array in arrays_of(t, session)}
        return len(shapes) == 1 and None not in shapes
    return str(b) == str(a)


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
