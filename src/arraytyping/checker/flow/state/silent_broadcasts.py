"""A column against a row, (n, 1) against (n,), which gives (n, n) and is then reduced: told where a run asks for it.

Where the program writes the new axis itself in the same function (`x[:, None]`), every pair is meant.

Source: https://docs.jax.dev/en/latest/rank_promotion_warning.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.point_values import ELEMENTWISE, called
from arraytyping.checker.flow.state.written_operands import short
from arraytyping.checker.flow.values import ArrayValue, Value
from arraytyping.checker.flow.values.origins import Constant, Origin

__all__ = ["CODE", "check_reduction"]

CODE: Final = "array-promotion-broadcast"
_REDUCTIONS: Final = frozenset({"sum", "mean", "max", "min", "norm", "nanmean", "nansum", "average", "median", "all",
                                "any", "prod", "std", "var", "amax", "amin", "logsumexp"})  # fmt: skip
_AXIS: Final = frozenset({"expand_dims", "reshape", "atleast_2d", "broadcast_to"})
_MOST: Final = 60


def check_reduction(it: Interpreter, origin: Origin) -> None:
    """Look at what is reduced to one number, or with a reduction whose axes are not given."""
    if called(origin.op) not in _REDUCTIONS or origin.aval.shape != () or not origin.args:
        return
    for inner in _elementwise(origin.args[0]):
        sizes = _sizes(inner)
        if sizes is None or inner.node is None or inner.module is None:
            continue
        row, column = sizes
        if _is_meant(inner, column) or _is_meant(inner, row):
            continue
        (n,) = _shape(row)
        message = (
            f"{short(inner.node, 60)}: ({n},) against ({n}, 1) gives ({n}, {n}), of which {called(origin.op)} "
            f"(line {origin[1]}) takes every pair; give both the same shape, with jnp.squeeze(..., -1) or [:, None]"
        )
        with it.in_frame(inner.module.frame):
            it.remark(inner.node, CODE, message)


def _elementwise(value: Value) -> Iterator[Origin]:
    stack = [value]
    seen: set[int] = set()
    while stack and len(seen) < _MOST:
        operand = stack.pop()
        made = operand if isinstance(operand, Origin) else getattr(operand, "origin", None)
        if isinstance(made, Origin) and id(made) not in seen:
            seen.add(id(made))
            yield made
            if _goes_by_elements(made):
                stack += made.operands


def _goes_by_elements(origin: Origin) -> bool:
    name = called(origin.op)
    is_loss = origin.op.startswith("optax:")
    return name in ELEMENTWISE or name in ("astype", "float_power", "logaddexp", "xlogy") or is_loss


def _sizes(origin: Origin) -> tuple[Value, Value] | None:
    """The row and the column that an operation stretches to a square."""
    square = origin.aval.shape
    if square is None or len(square) != 2 or square[0] != square[1] or square[0] == 1 or square[0] is None:
        return None
    if not _goes_by_elements(origin):
        return None
    arrays = [v for v in origin.operands if isinstance(v, ArrayValue | Constant)]
    row = next((v for v in arrays if _shape(v) == (square[0],)), None)
    column = next((v for v in arrays if _shape(v) == (square[0], 1)), None)
    return None if row is None or column is None else (row, column)


def _shape(value: Any) -> Any:
    return value.aval.shape if isinstance(value, ArrayValue) else value.shape


def _is_meant(origin: Origin, operand: Value) -> bool:
    """Whether the program makes the axis of an operand itself, in the same function."""
    made = getattr(operand, "origin", None)
    for _ in range(8):
        if not isinstance(made, Origin):
            return False
        if _adds_axis(made) and _same_function(origin, made):
            return True
        if called(made.op) not in ELEMENTWISE and called(made.op) not in ("argument", "astype"):
            return False
        made = next(iter(made.parents), None)
    return False


def _adds_axis(origin: Origin) -> bool:
    if called(origin.op) == "__getitem__" and len(origin.args) == 2:
        key = origin.args[1] if type(origin.args[1]) is tuple else (origin.args[1],)
        return any(k is None for k in key)
    return called(origin.op) in _AXIS or origin.kwargs.get("keepdims") is True


def _same_function(a: Origin, b: Origin) -> bool:
    return a.module is b.module and a.module is not None and _function(a) is _function(b)


def _function(origin: Origin) -> Any:
    """The innermost function in which an operation is written."""
    line, found = origin[1], None
    for node in ast.walk(origin.module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
            found = node if found is None or node.lineno >= found.lineno else found
    return found
