"""`np.r_[x, 1:5]` and `np.c_[x, y]`: subscripts that join arrays, numbers and ranges of NumPy's.

A number of Python's takes the dtype of the arrays, where it is of no higher kind; a range is one of integers.

Source: `AxisConcatenator` in numpy/lib/_index_tricks_impl.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from mypy.nodes import Expression, IndexExpr, SliceExpr, TupleExpr
from mypy.plugin import MethodContext
from mypy.types import Type

from arraytyping_mypy.arguments import read
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

if TYPE_CHECKING:
    from arraytyping.checker.flow.values import NumPyValue

__all__ = ["method_hook"]

_CLASSES: Final = {f"numpy.lib._index_tricks_impl.{name}Class.__getitem__": name for name in ("R", "C")}
_KINDS: Final = {"bool": 0, "int": 1, "float": 2, "complex": 3}
"""The kinds of numbers, each with those above it behind it."""


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a subscript of one of these, or None."""
    name = _CLASSES.get(fullname)
    return None if name is None else partial(_join, name, sessions)


def _join(name: str, sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    subscript = ctx.context
    if not session.is_active or not session.keeps_arrays or not isinstance(subscript, IndexExpr):
        return ctx.default_return_type
    from arraytyping.checker.flow.values import ListValue
    from arraytyping_mypy import numpy_engine
    from arraytyping_mypy.numpy_engine import NumPyRefusal
    from arraytyping_mypy.numpy_values import type_of

    items = subscript.index.items if isinstance(subscript.index, TupleExpr) else [subscript.index]
    parts = _parts(name, items, session)
    if not parts:
        return ctx.default_return_type
    function = numpy_engine.resolve("numpy.column_stack" if name == "C" else "numpy.concatenate")
    value = numpy_engine.call(function, [ListValue(list(parts))], {})
    made = None if isinstance(value, NumPyRefusal) else type_of(value, session)
    return ctx.default_return_type if made is None else made


def _parts(name: str, items: Sequence[Expression], session: Session) -> list[NumPyValue] | None:
    """The arrays that are joined; None if one is not known."""
    from arraytyping.checker.flow.values import NumPyValue
    from arraytyping_mypy.numpy_values import value_for

    found: list[NumPyValue | None] = []
    numbers: list[int] = []
    for item in items:
        t = session.stored(item)
        if isinstance(item, SliceExpr):
            made = _range(read(item, None, session))
            if made is None:
                return None
            found.append(made)
        elif t is None:
            return None
        else:
            value = value_for(item, t, session)
            if isinstance(value, NumPyValue) and value.shape and not value.is_scalar and value.dtype is not None:
                found.append(value)
            elif type(value) in (bool, int, float, complex):
                numbers.append(_KINDS[type(value).__name__])
                found.append(None)
            else:
                return None
    arrays = [a for a in found if a is not None]
    if len(arrays) == len(found):
        return arrays
    dtypes = {a.dtype for a in arrays}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    kind = -1 if dtype is None else _KINDS.get(dtype.rstrip("0123456789"), -1)
    if dtype is None or kind < 1 or any(number > kind for number in numbers):
        return None
    return [NumPyValue((1,), dtype) if a is None else a for a in found]


def _range(index: Any) -> NumPyValue | None:
    """The array that a slice of whole numbers stands for."""
    from arraytyping.checker.flow.values import NumPyValue

    if not isinstance(index, slice) or type(index.stop) is not int:
        return None
    start, step = 0 if index.start is None else index.start, 1 if index.step is None else index.step
    if type(start) is not int or type(step) is not int or step == 0:
        return None
    return NumPyValue((len(range(start, index.stop, step)),), "int64")
