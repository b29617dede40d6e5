"""What a function has to give for a gradient: one real number, and beside it what is handed on with `has_aux`.

Source: `_check_scalar` and `_check_output_dtype_revderiv` in jax/_src/api.py, `flatten_fun_nokwargs2` in
jax/_src/api_util.py.
"""

from __future__ import annotations

from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, get_proper_type

from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.features.paired_trees import node_of
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.records import Refused
from arraytyping_mypy.session import Session

__all__ = ["refused_loss", "refused_pair", "value_and_aux"]


def value_and_aux(pair: Type | None) -> tuple[Type | None, Type]:
    """The two parts of what a function gives under `has_aux`, as far as they are known."""
    p = None if pair is None else get_proper_type(pair)
    if isinstance(p, TupleType) and len(p.items) == 2:
        return p.items[0], p.items[1]
    return None, AnyType(TypeOfAny.special_form)


def refused_pair(kind: str, value: Type | None, session: Session) -> Refused | None:
    """What is wrong with what a function gives under `has_aux`, if it certainly is no pair."""
    node = None if value is None else node_of(value, session)
    if node is None or (node.kind in ("a tuple", "a list") and node.parts in (None, 2)):
        return None
    return Refused(
        f"TypeError: {kind}: with has_aux=True the function has to give a pair, and gives {node}",
        "array-tree",
        TypeError,
    )


def refused_loss(kind: str, value: Type | None, has_aux: bool, session: Session) -> Refused | None:
    """What is wrong with what is differentiated, if it certainly is no real number without dimensions."""
    p = None if value is None else get_proper_type(value)
    node = None if p is None else node_of(p, session)
    if node is not None and node.kind != "an array":
        advice = "" if has_aux or node.parts != 2 else "; with has_aux=True only the first part of it is differentiated"
        message = f"TypeError: {kind}: the function has to give a scalar, and gives {node}{advice}"
        return Refused(message, "array-tree", TypeError)
    if not isinstance(p, Instance) or p.type.fullname not in ARRAYS:
        return None
    arrays = arrays_of(p, session)
    if arrays and all(a.shape for a in arrays):
        return Refused(
            f"{kind}: the function has to give a scalar, and gives {arrays[0]}; reduce it, with .sum() or .mean(), or "
            "take jax.jacobian of it",
            "array-shape",
            TypeError,
        )
    if arrays and all(a.dtype in ("int", "bool") or (a.dtype or "").startswith(("int", "uint")) for a in arrays):
        message = f"{kind}: the function has to give a float, and gives {arrays[0]}"
        return Refused(message, "array-dtype", TypeError)
    return None
