"""`jnp.r_[x, 1:5]` and `jnp.c_[x, y]`: subscripts that join arrays, numbers and ranges.

Source: `_AxisConcat` in jax/_src/numpy/index_tricks.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from mypy.nodes import IndexExpr
from mypy.plugin import MethodContext
from mypy.types import Type

from arraytyping.semantics.avals import UNKNOWN, Alternatives, ShapedArray
from arraytyping_mypy.arguments import read
from arraytyping_mypy.calls import Answer, answer, result_type
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["method_hook"]

_CLASSES: Final = {
    f"{space}.{prefix}{name}Class.__getitem__": name
    for space, prefix in (("jax._src.numpy.index_tricks", ""), ("jax.numpy", "_"))
    for name in ("R", "C")
}


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a subscript of one of these, or None."""
    name = _CLASSES.get(fullname)
    return None if name is None else partial(_join, name, sessions)


def _join(name: str, sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    subscript = ctx.context
    if not session.is_active or not isinstance(subscript, IndexExpr):
        return ctx.default_return_type
    index = read(subscript.index, None, session)
    items = index if isinstance(index, tuple) else (index,)
    if any(isinstance(i, str) or not _is_certain(i) for i in items):
        return ctx.default_return_type
    parts = [_part(name, item, session) for item in items]
    if any(part is UNKNOWN for part in parts):
        return ctx.default_return_type
    made = answer("numpy.concatenate", [tuple(parts)], {"axis": 0 if name == "R" else -1}, session)
    if made is None:
        return ctx.default_return_type
    if made.error is not None:
        what = made.error.message.partition(": ")[2] or made.error.message
        session.fail(f"{name.lower()}_: {what}", ctx.context, made.error.code, made.error.exception)
    return result_type(made, ctx.default_return_type, session)


def _is_certain(item: Any) -> bool:
    """Whether it is certainly an array, a number or a range, and no directive."""
    if isinstance(item, Alternatives):
        return all(map(_is_certain, item.values))
    if isinstance(item, slice):
        return all(part is None or type(part) in (int, float) for part in (item.start, item.stop, item.step))
    return isinstance(item, ShapedArray | bool | int | float | complex) or (
        isinstance(item, list | tuple) and all(map(_is_certain, item))
    )


def _part(name: str, item: Any, session: Session) -> Any:
    """One of the arrays that are joined, of one dimension or a column."""
    is_slice = isinstance(item, slice)
    made: Answer | None
    if is_slice:
        made = answer("numpy.arange", [item.start or 0, item.stop, item.step or 1], {}, session)
    else:
        made = answer("numpy.array", [item], {}, session)
    if made is None or made.error is not None:
        return UNKNOWN
    values = made.value.values if isinstance(made.value, Alternatives) else (made.value,)
    found = [_shaped(name, v) for v in values]
    return UNKNOWN if any(f is UNKNOWN for f in found) else Alternatives.of(found)


def _shaped(name: str, array: Any) -> Any:
    """An array with the dimensions that it has at least; one of less than two becomes a column for `c_`."""
    if not isinstance(array, ShapedArray) or array.shape is None:
        return UNKNOWN
    shape = array.shape or (1,)
    if name == "C" and len(shape) == 1:
        shape = (*shape, 1)
    return ShapedArray(shape, array.dtype, array.weak_type)
