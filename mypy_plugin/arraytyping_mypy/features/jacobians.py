"""Jacobians: the dimensions of what is differentiated by stand behind those of the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from mypy.types import AnyType, TupleType, Type, TypeOfAny

from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.convert import array_type, arrays_of
from arraytyping_mypy.features.carried import any_weak
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.features.tangents import cast
from arraytyping_mypy.session import Session

__all__ = ["ORDERS", "jacobian"]

ORDERS: Final = {"jacfwd": 1, "jacrev": 1, "jacobian": 1, "hessian": 2}
"""How often the dimensions of the argument come behind those of the result."""


def jacobian(kind: str, value: Type | None, argnums: Any, positional: Sequence[Type], session: Session) -> Type | None:
    """The derivative of one array of floats by another, or by several; None for anything else."""
    if isinstance(argnums, tuple):
        if kind == "hessian":
            return None
        parts = [jacobian(kind, value, n, positional, session) for n in argnums]
        every = session.api.named_generic_type("builtins.tuple", [AnyType(TypeOfAny.special_form)])
        return TupleType([AnyType(TypeOfAny.special_form) if part is None else part for part in parts], every)
    if value is None or not isinstance(argnums, int) or not -len(positional) <= argnums < len(positional):
        return None
    sides = [arrays_of(t, session) if is_plain_array(t) else [] for t in (value, positional[argnums])]
    if not all(sides) or not all(a.dtype == "float" or a.dtype in ANY_FLOAT for side in sides for a in side):
        return None
    results, arguments = sides
    shapes = [{a.shape for a in side} for side in sides]
    if any(len(s) > 1 for s in shapes):
        return None
    (result,), (argument,) = shapes
    shape = None if result is None or argument is None else result + argument * ORDERS[kind]
    # Forwards come tangents of the result, backwards cotangents of the argument.
    of = results if kind == "jacfwd" else arguments
    derivative = array_type([v for a in of for v in any_weak(replace(a, shape=shape), session)], session)
    return derivative if kind == "jacfwd" else cast(derivative, session)
