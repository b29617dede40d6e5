"""`einops.rearrange`, `repeat` and `reduce` of arrays of JAX: the shape that the pattern makes, and the dtype.

Source: `JaxBackend` in einops/_backends.py: what is reduced is so by the array's own methods, the rest only moved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from mypy.plugin import FunctionContext
from mypy.types import Type

from arraytyping.semantics.avals import UNKNOWN, Alternatives, Dim, ShapedArray, SymbolicDim, shape_tuple_str
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.shapes.einops import REDUCTIONS, Arranged, arranged
from arraytyping_mypy.arguments import read
from arraytyping_mypy.calls import Answer, answer
from arraytyping_mypy.convert import KEY, array_type
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook"]

_OPERATIONS: Final = {
    f"{space}{name}": name for space in ("einops.einops.", "einops.") for name in ("rearrange", "repeat", "reduce")
}
_MEANT: Final = frozenset({"float16", "float32", "float64", "bfloat16", "float"})
"""The dtypes of which einops takes the mean."""

_MAKING: Final = frozenset({"repeat", "reduce"})
"""The operations that compute something, which the dtypes of random keys do not take."""


def function_hook(
    fullname: str, sessions: Sessions, otherwise: Callable[[FunctionContext], Type] | None
) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions; `otherwise` is that of what nothing is known of here."""
    name = _OPERATIONS.get(fullname)
    return otherwise if name is None or otherwise is None else partial(_arrange, name, sessions, otherwise)


def _arrange(name: str, sessions: Sessions, otherwise: Callable[[FunctionContext], Type], ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    if not session.is_active or any(k.is_star() for kinds in ctx.arg_kinds for k in kinds):
        return otherwise(ctx)
    given: dict[str, Any] = {}
    for own, expressions, types, names in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types, ctx.arg_names):
        for expression, t, key in zip(expressions, types, names):
            value = read(expression, t, session)
            if own in ("tensor", "pattern", "reduction"):
                given[own] = value
            elif key is not None:
                given[f"={key}"] = value
    arrays, pattern = _arrays(given.get("tensor"), session), given.get("pattern")
    if not arrays or not isinstance(pattern, str):
        return otherwise(ctx)
    sizes = {key[1:]: _size(value) for key, value in given.items() if key.startswith("=")}
    found: list[ShapedArray | None] = []
    errors: list[RuleError] = []
    for array in arrays:
        try:
            found += _made(name, array, pattern, given.get("reduction"), sizes, session)
        except RuleError as error:
            errors.append(error)
    if not found:
        session.fail(errors[0].message, ctx.context, errors[0].code, errors[0].exception)
        return otherwise(ctx)
    known = [array for array in found if array is not None]
    return array_type(known, session) if len(known) == len(found) else otherwise(ctx)


def _arrays(value: Any, session: Session) -> tuple[ShapedArray, ...]:
    """The arrays of JAX that an argument may be; none if it may be anything else."""
    if isinstance(value, list) and value and all(_arrays(v, session) for v in value):
        stacked = answer("numpy.stack", [value], {}, session)
        value = UNKNOWN if stacked is None else stacked.value
    values = value.values if isinstance(value, Alternatives) else (value,)
    return values if all(isinstance(v, ShapedArray) for v in values) else ()


def _size(value: Any) -> Dim:
    """The size that is given for an axis, as far as it is certainly one."""
    if type(value) is int:
        return value if value > 0 else None
    return value if isinstance(value, SymbolicDim) else None


def _made(
    name: str, array: ShapedArray, pattern: str, reduction: Any, sizes: Mapping[str, Dim], session: Session
) -> list[ShapedArray | None]:
    """What comes of an array; None for what is not known.

    Raises:
        RuleError: if the pattern does not fit it, or it cannot be reduced so.
    """
    if isinstance(reduction, str) and reduction not in REDUCTIONS:
        raise RuleError(f"reduce: unknown reduction {reduction!r}, give one of {', '.join(REDUCTIONS)}", RuntimeError)
    made = arranged(name, pattern, array.shape, sizes)
    if array.dtype is not None and array.dtype.startswith(KEY) and name in _MAKING:
        return [None]
    if name != "reduce" or made.is_reduced is False:
        return [replace(array, shape=made.result, value=None)]
    if not isinstance(reduction, str):
        return [None]
    if made.is_reduced is None:
        return [ShapedArray(made.result, None)]
    if reduction == "mean" and array.dtype is not None and array.dtype not in _MEANT:
        raise DtypeError("reduce: reduce_mean is not available for non-floating tensors", NotImplementedError)
    return _reduced(reduction, array, made, session)


def _reduced(reduction: str, array: ShapedArray, made: Arranged, session: Session) -> list[ShapedArray | None]:
    axes = UNKNOWN if made.reduced is None else made.reduced
    found: Answer | None = answer(
        f"Array.{reduction}", [replace(array, shape=made.elementary, value=None)], {"axis": axes}, session
    )
    if found is None:
        return [None]
    if found.error is not None:
        what = found.error.message.partition(": ")[2] or found.error.message
        if isinstance(found.error, ShapeError) and made.elementary is not None:
            what = f"there is no {reduction} of no elements, the axes have the sizes {shape_tuple_str(made.elementary)}"
        raise type(found.error)(f"reduce: {what}", found.error.exception)
    values = found.value.values if isinstance(found.value, Alternatives) else (found.value,)
    return [replace(v, shape=made.result, value=None) if isinstance(v, ShapedArray) else None for v in values]
