"""What `scan` goes through: arrays of one length, which is the length that it is given, if it is given one.

Source: `_infer_scan_length` in jax/_src/lax/control_flow/loops.py.
"""

from __future__ import annotations

from mypy.nodes import Context
from mypy.types import Type

from arraytyping_mypy.features.stacking import leaves
from arraytyping_mypy.session import Session

__all__ = ["refused_lengths"]


def refused_lengths(xs: Type, length: int | None, context: Context, session: Session) -> bool:
    """Report arrays that certainly cannot be gone through together; whether there are any."""
    found: dict[int, str] = {}
    if length is not None:
        found[length] = f"length={length}"
    for array in leaves(xs, session):
        shape = array.shape
        if shape == ():
            message = f"scan: what it goes through has a leading axis, and {array} has none; give arrays, or length"
            session.fail(message, context, "array-shape", ValueError)
            return True
        if shape and isinstance(shape[0], int):
            found.setdefault(shape[0], f"{shape[0]} rows of {array}")
    if len(found) < 2:
        return False
    first, second = list(found.values())[:2]
    message = f"scan: the lengths of what it goes through differ: {first}, and {second}"
    session.fail(message, context, "array-shape", ValueError)
    return True
