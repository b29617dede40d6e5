"""Shapes and dtypes without an array (`jax.ShapeDtypeStruct`) of sizes that are not known.

JAX takes two symbols for different sizes unless it can show that they are equal, so what compares such structs says
"different" of what may be equal.
"""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.state.fresh_sizes import as_size, fresh_size
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, ListValue, ScalarValue, Value, walk
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.open_structs import is_open_struct
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.sizes.polynomials import symbol

__all__ = ["is_inconclusive", "with_symbols"]

_EQUALITIES = frozenset({"tree_equal"})
"""Functions of libraries that are True only of what is equal whatever the sizes are."""


def _is_open(value: Value) -> bool:
    """Whether a value is an array, or a shape and dtype, of a size that is not known."""
    if not isinstance(value, ArrayValue):
        return is_open_struct(value)
    return value.aval.shape is None or not all(isinstance(n, int) for n in value.aval.shape)


def is_inconclusive(function: Any, values: list[Value], answer: bool) -> bool:
    """Whether a function of a library that gives a bool compares sizes, and may give the other one for others."""
    if answer and getattr(function, "__name__", "") in _EQUALITIES:
        return False
    return sum(any(map(_is_open, walk(value))) for value in values) > 1


def with_symbols(engines: Together, it: Interpreter, call: Call) -> Call:
    """The call of `ShapeDtypeStruct` with jax's own symbols for the sizes.

    Raises:
        Abort: if a size has none.
    """

    def of(size: Value) -> Any:
        if not isinstance(size, ScalarValue):
            return size
        try:
            return engines.jax.dim(as_size(size.size if size.size is not None else symbol(str(fresh_size(it, "n")))))
        except Exception as error:
            swallow(error)
            raise Abort("a size that jax cannot express") from None

    def change(shape: Value) -> Value:
        if isinstance(shape, tuple):
            return tuple(map(of, shape))
        return tuple(map(of, shape.items)) if isinstance(shape, ListValue) and shape.items is not None else shape

    args = [change(a) if i == 0 else a for i, a in enumerate(call.args)]
    return Call(args, {k: change(v) if k == "shape" else v for k, v in call.kwargs.items()}, call.node)
