"""Sizes that are expressions, such as `n+1` and `{self.width}//2`, from the sizes that their names have.

jaxtyping fills in what stands in braces, from the arguments of the call, and evaluates the text with the names of
dimensions that were bound before.  What is more than arithmetic stays unchecked.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.contracts.bindings import Bindings
from arraytyping.checker.flow.values import ScalarValue
from arraytyping.semantics.sizes.dims import of_dim
from arraytyping.semantics.sizes.operations import floor_division
from arraytyping.semantics.sizes.polynomials import Size, constant

__all__ = ["Braces", "evaluate"]

Braces = Callable[[ast.expr], Any]
"""The value of an expression in braces."""

Number = int | float | Size

_EXACT: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_CALLS: Final[dict[str, Callable[..., Any]]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "sum": sum,
    "int": int,
    "round": round,
}
_MOST: Final = 1 << 62


def evaluate(text: str, bindings: Bindings, braces: Braces | None) -> Number | None:
    """The number or size that an expression gives; None if it is not known."""
    held: dict[str, Size] = {}
    filled = _fill(text, braces, held)
    if filled is None:
        return None
    try:
        expression = ast.parse(filled.strip(), mode="eval").body
        return _value(expression, bindings, held)
    except (SyntaxError, ArithmeticError, TypeError, ValueError, RecursionError):
        return None


def _fill(text: str, braces: Braces | None, held: dict[str, Size]) -> str | None:
    """The text with the values of its braces; a size in symbols gets a name in `held`."""
    if "{" not in text:
        return text
    try:
        joined = ast.parse(f"f'{text}'", mode="eval").body
    except (SyntaxError, ValueError):
        return None
    if braces is None or not isinstance(joined, ast.JoinedStr):
        return None
    parts: list[str] = []
    for part in joined.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
            continue
        assert isinstance(part, ast.FormattedValue)
        value = braces(part.value) if part.conversion == -1 and part.format_spec is None else None
        if type(value) in (int, str):
            parts.append(str(value))
        elif isinstance(value, ScalarValue) and value.size is not None:
            name = f"__size{len(held)}"
            held[name] = value.size
            parts.append(name)
        else:
            return None
    return "".join(parts)


def _value(node: ast.expr, bindings: Bindings, held: dict[str, Size]) -> Number | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, int | float) else None
    if isinstance(node, ast.Name):
        if node.id in held:
            return held[node.id]
        return _plain(of_dim(bindings.size(node.id)))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _value(node.operand, bindings, held)
        return value if value is None or isinstance(node.op, ast.UAdd) else -value
    if isinstance(node, ast.BinOp):
        return _binary(type(node.op), _value(node.left, bindings, held), _value(node.right, bindings, held))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        function = _CALLS.get(node.func.id) if node.func.id not in bindings.single else None
        values = [_value(a, bindings, held) for a in node.args]
        if function is not None and all(isinstance(v, int | float) for v in values):
            result = function(*values)
            return result if isinstance(result, int | float) else None
    return None


def _binary(kind: type, a: Number | None, b: Number | None) -> Number | None:
    if a is None or b is None or kind not in _EXACT:
        return None
    if not isinstance(a, Size) and not isinstance(b, Size):
        if kind is ast.Pow and (abs(b) > 64 or abs(a) > _MOST):
            return None
        result = _EXACT[kind](a, b)
        return result if isinstance(result, int | float) else None
    if isinstance(a, float) or isinstance(b, float):
        return None
    x, y = (v if isinstance(v, Size) else constant(v) for v in (a, b))
    if kind is ast.Add:
        return _plain(x + y)
    if kind is ast.Sub:
        return _plain(x - y)
    if kind is ast.Mult:
        return _plain(x * y)
    if kind is ast.FloorDiv:
        return _plain(floor_division(x, y))
    if kind is ast.Mod and (quotient := floor_division(x, y)) is not None:
        return _plain(x - quotient * y)
    return None


def _plain(size: Size | None) -> Number | None:
    """A size as a number, if it is one."""
    return size if size is None or size.constant is None else size.constant
