"""What control flow asks of the types of its carries and branches.

A carry goes out of the body with the shape and dtype with which it came in; branches agree in both.  Weak types need
not agree: the result has that of the body's carry, or of the first branch (of `cond`: the false one).  A weak carry
whose dtype the body changes comes in with the dtype that both promote to, strong.

Source: `_promote_weak_typed_input`, `_check_carry_type` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/control_flow/loops.py, and `_check_branch_outputs` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/control_flow/conditionals.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from arraytyping.semantics.avals import Dim, ShapedArray
from arraytyping.semantics.promotion.jax import Element, JaxPromotion
from arraytyping.semantics.rules.errors import DtypeError, ShapeError

__all__ = ["check_types", "disagreement", "promoted_carry", "same_type", "scan_results", "stacked"]


def same_type(a: ShapedArray, b: ShapedArray) -> bool:
    """Whether two types agree as a carry's or a branch's must: in shape and dtype."""
    return a.shape == b.shape and a.dtype == b.dtype


def disagreement(a: ShapedArray, b: ShapedArray) -> str:
    """In what two types differ."""
    if a.dtype != b.dtype:
        return "the dtypes and the shapes do not match" if a.shape != b.shape else "the dtypes do not match"
    return "the shapes do not match"


def check_types(what: str, given: Sequence[ShapedArray], wanted: Sequence[ShapedArray]) -> None:
    """Refuse values of other types than a jaxpr takes, or than it is to give.

    Raises:
        DtypeError: if their number or a dtype is another.
        ShapeError: if a shape is another.
    """
    if len(given) != len(wanted):
        raise DtypeError(f"{what}: {len(wanted)} values are expected, got {len(given)}")
    for i, (a, b) in enumerate(zip(given, wanted)):
        if not same_type(a, b):
            error = DtypeError if a.dtype != b.dtype else ShapeError
            raise error(f"{what}: value {i} is {a}, and {b} is expected, so {disagreement(a, b)}")


def promoted_carry(promotion: JaxPromotion, given: ShapedArray, out: ShapedArray) -> ShapedArray:
    """The type with which a carry comes into the body, by that with which it goes out.

    Raises:
        PromotionError: if a weak carry and what the body makes of it have no common dtype.
    """
    if not given.weak_type or same_type(given, out):
        return given
    assert given.dtype is not None
    assert out.dtype is not None
    joined = promotion.result_type((Element(given.dtype, True), Element(out.dtype, bool(out.weak_type))))
    return ShapedArray(given.shape, joined.dtype, False)


def stacked(aval: ShapedArray, length: Dim) -> ShapedArray:
    """The type of what a scan collects of values of this type."""
    return ShapedArray(None if aval.shape is None else (length, *aval.shape), aval.dtype, aval.weak_type)


def scan_results(outs: Sequence[ShapedArray], num_carry: int, length: Dim) -> list[ShapedArray]:
    """The types of the results of a scan whose body gives these: the last carry, then what is collected."""
    return [*outs[:num_carry], *(stacked(y, length) for y in outs[num_carry:])]
