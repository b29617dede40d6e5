"""What comes out of our runtime's transformations: arrays only, where jax hands Python's numbers on as they are.

`jax.checkpoint(lambda x: 2.0)(x)` is a float, and so is a carry that a loop does not change; here it is a weak array.
"""

from __future__ import annotations

import ast
from typing import Final

from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.real_calls.own_programs import is_on_own_runtime
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    DictValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    TreeValue,
    UnionValue,
    Value,
    mapped,
)
from arraytyping.checker.flow.values.places import NOWHERE
from arraytyping.semantics.avals import ShapedArray

__all__ = ["as_arrays"]

_NUMBERS: Final = (bool, int, float, complex)


def as_arrays(engines: Together, it: Interpreter, value: Value, node: ast.AST | None) -> Value:
    """The tree with an array in the place of each number, for a program on our runtime; else the tree itself."""
    if not is_on_own_runtime(it):
        return value
    promotion = engines.rules.promotions()[0]

    def change(leaf: Value) -> Value:
        if isinstance(leaf, tuple | ListValue | DictValue | UnionValue | TreeValue):
            return mapped(leaf, change)
        if isinstance(leaf, NumPyValue):
            dtype = None if leaf.dtype is None else promotion.canonicalize(leaf.dtype)
            return it.array(ShapedArray(leaf.shape, dtype, None if dtype is None else False), False, node).at(NOWHERE)
        # Among jax's numbers are some of classes of its own.
        kinds = leaf.kinds if isinstance(leaf, ScalarValue) else [k for k in _NUMBERS if isinstance(leaf, k)][:1]
        if not kinds or not set(kinds) <= set(_NUMBERS):
            return leaf
        types = {(promotion.default(kind.__name__), kind is not bool) for kind in kinds}
        dtype, weak_type = types.pop() if len(types) == 1 else (None, None)
        return it.array(ShapedArray((), dtype, weak_type), False, node).at(NOWHERE)

    return change(value)
