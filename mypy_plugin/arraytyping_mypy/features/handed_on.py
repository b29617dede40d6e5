"""What a loop of JAX hands on, and what branches give: types that have to be equal, and certainly are not.

A carry that comes in weak may become strong, of its own kind or a higher one; between branches the weak type does not
count.

Source: `_check_carry_type` and `_promote_weak_typed_input` in jax/_src/lax/control_flow/loops.py,
`_check_branch_outputs` in jax/_src/lax/control_flow/conditionals.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mypy.nodes import CallExpr, Context
from mypy.types import Type

from arraytyping.checker.control_flow_parts import SAME_STRUCTURE, carry_sentence
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import WEAK
from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.features.paired_trees import array_pairs, dtypes_differ, shapes_differ, structure_differences
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.session import Session

__all__ = ["check_branches", "check_carry", "check_condition"]

_ORDER: Final = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
"""The kinds of dtypes as JAX promotes them."""


def check_carry(name: str, before: Type, after: Type, context: Context, session: Session) -> None:
    """Report what a loop's function certainly does not give back as it was given."""
    for path, one, other in structure_differences(before, after, session):
        _fail(f"{name}: {carry_sentence([(f'the carry{path}', one, other)], 'structure')}", context, session)
        return
    for path, first, second in array_pairs(before, after, session):
        of_shape = all(shapes_differ(a, b) for a in first for b in second)
        if of_shape or all(shapes_differ(a, b) or _does_not_become(a, b, session) for a in first for b in second):
            session.fail(
                f"{name}: the carry{path} comes in as {first[0]} and goes out as {second[0]}; the function has to give "
                "back what it is given, so change one of the two",
                context,
                "array-shape" if of_shape else "array-dtype",
                TypeError,
            )
            return


def check_branches(name: str, results: Sequence[Type | None], context: Context, session: Session) -> None:
    """Report branches that certainly give different arrays."""
    known = [r for r in results if r is not None]
    for result in known[1:]:
        for path, one, other in structure_differences(known[0], result, session):
            at = f"at {path}, " if path else ""
            _fail(f"{name}: {at}one branch gives {one}, another {other}; {SAME_STRUCTURE}", context, session)
            return
        for path, first, second in array_pairs(known[0], result, session):
            of_shape = all(shapes_differ(a, b) for a in first for b in second)
            if of_shape or all(shapes_differ(a, b) or dtypes_differ(a, b, session) for a in first for b in second):
                session.fail(
                    f"{name}: one branch gives {first[0]}{path}, and another {second[0]}; all have to give the same",
                    context,
                    "array-shape" if of_shape else "array-dtype",
                    TypeError,
                )
                return


def check_condition(result: Type | None, context: Context, session: Session) -> None:
    """Report a condition of `while_loop` that certainly gives no boolean without dimensions."""
    if result is None or not is_plain_array(result):
        return
    arrays = arrays_of(result, session)
    if arrays and all(a.shape for a in arrays):
        session.fail(
            f"while_loop: the condition has to give one bool, and gives {arrays[0]}; reduce it, with .any() or .all()",
            context,
            "array-shape",
            TypeError,
        )
    elif arrays and all(a.dtype not in (None, "bool") for a in arrays):
        session.fail(
            f"while_loop: the condition has to give a bool, and gives {arrays[0]}; compare it with something",
            context,
            "array-dtype",
            TypeError,
        )


def _fail(message: str, context: Context, session: Session) -> None:
    """Report trees that differ, unless a function fails before they are compared."""
    if not isinstance(context, CallExpr) or not session.following.fails_at(context):
        session.fail(f"TypeError: {message}", context, "array-tree", TypeError)


def _does_not_become(before: ShapedArray, after: ShapedArray, session: Session) -> bool:
    """Whether what comes in certainly has another dtype than what goes out, after JAX's promotion of weak types."""
    if before.dtype is None or after.dtype is None:
        return False
    if before.weak_type is False or before.dtype == "bool":
        return dtypes_differ(before, after, session)
    first, second = _kind(before.dtype), _kind(after.dtype)
    return first is not None and second is not None and _ORDER[second] < _ORDER[first]


def _kind(dtype: str) -> str | None:
    return dtype[0] if dtype in WEAK else KINDS.get(dtype)
