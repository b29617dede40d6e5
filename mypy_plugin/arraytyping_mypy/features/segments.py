"""`jax.ops.segment_sum` and its kin: a row for each segment, into which the rows of an array are gathered.

Source: `_segment_update` in jax/_src/ops/scatter.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from mypy.plugin import FunctionContext
from mypy.types import Type

from arraytyping.semantics.avals import Alternatives, ShapedArray, SymbolicDim
from arraytyping.semantics.promotion.jax import WEAK
from arraytyping_mypy.arguments import read
from arraytyping_mypy.calls import answer, result_type
from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook"]

_UPDATES: Final = {
    f"{space}segment_{name}": f"Array.at.{update}"
    for space in ("jax._src.ops.scatter.", "jax.ops.")
    for name, update in (("sum", "add"), ("prod", "mul"), ("max", "max"), ("min", "min"))
}


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions, or None."""
    rule = _UPDATES.get(fullname)
    return None if rule is None else partial(_gather, fullname.rpartition(".")[2], rule, sessions)


def _gather(name: str, rule: str, sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    default = ctx.default_return_type
    given = {
        own: (es[0], types[0])
        for own, es, types, kinds in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types, ctx.arg_kinds)
        if len(es) == 1 and not kinds[0].is_star()
    }
    if not session.is_active or not {"data", "segment_ids"} <= given.keys() or "bucket_size" in given:
        return default
    if any(k.is_star() for kinds in ctx.arg_kinds for k in kinds) or not is_plain_array(given["data"][1]):
        return default
    data = arrays_of(given["data"][1], session)
    count = read(*given["num_segments"], session) if "num_segments" in given else None
    size = count if type(count) is int or isinstance(count, SymbolicDim) else None
    empty = [made for array in data for made in _empty(array, size, session)]
    if not data or len(empty) < len(data):
        return default
    whole = read(*given["data"], session)
    made = answer(rule, [Alternatives.of(empty), read(*given["segment_ids"], session), whole], {}, session)
    if made is None:
        return default
    if made.error is not None:
        what = made.error.message.partition(": ")[2] or made.error.message
        session.fail(f"{name}: {what}", ctx.context, made.error.code, made.error.exception)
    return result_type(made, default, session)


def _empty(array: ShapedArray, size: Any, session: Session) -> Iterator[ShapedArray]:
    """The array into which another is gathered, which is never weak; nothing if its dtype is not known."""
    shape = None if array.shape is None else (size, *array.shape[1:])
    if array.dtype in WEAK:
        yield from (ShapedArray(shape, p.default(array.dtype), False) for p in session.promotions)
    elif array.dtype not in (None, "bool"):
        yield ShapedArray(shape, array.dtype, False)
