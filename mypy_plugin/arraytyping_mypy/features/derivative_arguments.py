"""What derivatives are given: what is differentiated by, tangents, and cotangents, held against what JAX takes.

Source: `_check_input_dtype_revderiv`, `_check_input_dtype_jacfwd`, `_jvp`, `_lift_linearized` and
`_vjp_check_ct_avals` in jax/_src/api.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mypy.types import AnyType, Instance, LiteralType, TupleType, Type, get_proper_type

from arraytyping.checker.derivative_sentences import cotangent_sentence
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import WEAK
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, ANY_FLOAT
from arraytyping.semantics.rules.errors import Code
from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.features.applied import arrayed, traced
from arraytyping_mypy.features.paired_trees import array_pairs, dtypes_differ, shapes_differ, structure_differences
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.records import Refused, Told
from arraytyping_mypy.session import Session

__all__ = ["refused_cotangent", "refused_input", "refused_linearized", "refused_tangents"]


def refused_input(kind: str, by: Type, number: int, given: dict[str, Any], session: Session) -> Refused | None:
    """What is wrong with an argument by which a derivative is taken: that it certainly is an integer."""
    if given.get("allow_int") or given.get("holomorphic"):
        return None
    arrays = arrays_of(by, session) if is_plain_array(by) else _number(by)
    if not arrays or not all(_is_integer(a) for a in arrays):
        return None
    what = "grad: a gradient" if kind in ("grad", "value_and_grad") else f"{kind}: a derivative"
    advice = "write it as a float" if not is_plain_array(by) else "convert it first, with x.astype(jnp.float32)"
    return Refused(
        f"{what} is taken by floats, got {arrays[0]} for argument {number}; {advice}, or name another argument with "
        "argnums",
        "array-dtype",
        TypeError,
    )


def _number(t: Type) -> list[ShapedArray]:
    """The array that JAX makes of a number that is written in the program."""
    p = get_proper_type(t)
    p = p.last_known_value if isinstance(p, Instance) and p.last_known_value is not None else p
    if not isinstance(p, LiteralType) or type(p.value) not in (int, bool):
        return []
    return [ShapedArray((), "bool" if isinstance(p.value, bool) else "int", True)]


def _is_integer(array: ShapedArray) -> bool:
    dtype = array.dtype
    if dtype is None or dtype.startswith(_NO_NUMBERS):
        return False
    return dtype not in ANY_FLOAT | ANY_COMPLEX and (dtype not in WEAK or dtype == "int")


_NO_NUMBERS: Final = ("key<", "float0")


def refused_tangents(primals: Type, tangents: Type, session: Session) -> Refused | None:
    """What is wrong with the tangents of `jvp`, for what it is asked at."""
    for path, one, other in structure_differences(_inside(primals, session), _inside(tangents, session), session):
        what = f"the primals have {one}, and the tangents {other}{f' at {path}' if path else ''}"
        return Refused(f"TypeError: jvp: {what}; both must have the same structure", "array-tree", TypeError)
    for path, primal, tangent in _pairs(primals, tangents, session):
        names = f"the tangent{path} is {tangent[0]}, and the primal {primal[0]}"
        if all(_does_not_fit(p, t, session) for p in primal for t in tangent):
            return Refused(f"jvp: {names}; both must have the same dtype", "array-dtype", TypeError)
        if all(shapes_differ(p, t) for p in primal for t in tangent):
            return Refused(f"jvp: {names}; both must have the same shape", "array-shape", ValueError)
    return None


def refused_linearized(primals: Type, tangents: Sequence[Type], session: Session) -> Refused | None:
    """What is wrong with the tangents that the function of `linearize` is given."""
    p = get_proper_type(primals)
    if not isinstance(p, TupleType):
        return None
    if len(p.items) != len(tangents):
        message = f"the linearized function takes {len(p.items)} tangents, and is given {len(tangents)}"
        return Refused(f"TypeError: {message}", "array-call", TypeError)
    for one, given in zip(p.items, tangents):
        for path, primal, tangent in _pairs(one, given, session):
            of_shape = all(shapes_differ(p, t) for p in primal for t in tangent)
            if of_shape or all(shapes_differ(p, t) or _does_not_fit(p, t, session) for p in primal for t in tangent):
                return Refused(
                    f"the tangent{path} is {tangent[0]}, and the function was linearized at {primal[0]}; both must "
                    "have the same shape and dtype",
                    "array-shape" if of_shape else "array-dtype",
                    ValueError,
                )
    return None


def refused_cotangent(result: Type, cotangents: Sequence[Type], session: Session) -> Refused | None:
    """What is wrong with what a pullback is given, for what the function gives."""
    if isinstance(get_proper_type(result), AnyType):
        return None
    if len(cotangents) != 1:
        message = f"a pullback takes one cotangent, and is given {len(cotangents)}; give them as one tuple"
        return Refused(f"TypeError: {message}", "array-call", TypeError)
    given = _inside(cotangents[0], session)
    for path, one, other in structure_differences(_inside(result, session), given, session):
        at = f" at {path}" if path else ""
        return Refused(cotangent_sentence(f"{one}{at}", other), "array-tree", ValueError)
    for _, out, cotangent in _pairs(result, given, session):
        of_shape = all(shapes_differ(a, b) for a in out for b in cotangent)
        if of_shape or all(
            shapes_differ(a, b) or (_is_float(a) and dtypes_differ(a, b, session)) for a in out for b in cotangent
        ):
            code: Code | Told = "array-shape" if of_shape else "array-dtype"
            return Refused(cotangent_sentence(out[0], cotangent[0]), code, ValueError)
    return None


def _inside(t: Type, session: Session) -> Type:
    """A tree as a transformation has it: of arrays, also where a number or one of NumPy's stands."""
    return arrayed(traced(t, session), session)


def _pairs(one: Type, other: Type, session: Session) -> list[tuple[str, list[ShapedArray], list[ShapedArray]]]:
    return list(array_pairs(_inside(one, session), _inside(other, session), session))


def _is_float(array: ShapedArray) -> bool:
    return array.dtype == "float" or array.dtype in ANY_FLOAT


def _does_not_fit(primal: ShapedArray, tangent: ShapedArray, session: Session) -> bool:
    """Whether a tangent certainly has another dtype than JAX wants: that of floats, and `float0` of integers."""
    return _is_float(primal) and dtypes_differ(primal, tangent, session)
