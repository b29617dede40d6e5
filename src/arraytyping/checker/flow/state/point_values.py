"""What each element of an array is, if all are one number: by the origins of what is made of constants.

Some arrays may be taken to be a number, as a point at which an expression is looked at.  Numbers are Python's, of 64
bits; what does not fit into the dtype of an array is infinite.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.values import ArrayValue, Value
from arraytyping.checker.flow.values.origins import Constant, Origin

__all__ = ["ELEMENTWISE", "KEEPING", "Points", "called", "value_of"]

_DEEPEST: Final = 40
_GREATEST: Final = {"float16": 65504.0, "bfloat16": 3.39e38, "float32": 3.4028235e38}


def _limited(function: Callable[[float], float]) -> Callable[[float], float]:
    """A function that is infinite where Python raises that it is too large."""

    def apply(x: float) -> float:
        try:
            return function(x)
        except OverflowError:
            return math.inf

    return apply


_UNARY: Final[dict[str, Callable[[Any], Any]]] = {
    "neg": operator.neg, "pos": operator.pos, "negative": operator.neg, "abs": abs, "absolute": abs, "fabs": abs,
    "sqrt": math.sqrt, "square": lambda x: x * x, "exp": _limited(math.exp), "exp2": _limited(lambda x: 2.0**x),
    "expm1": _limited(math.expm1), "log": math.log, "log2": math.log2, "log10": math.log10, "log1p": math.log1p,
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "tanh": math.tanh, "sinh": _limited(math.sinh),
    "cosh": _limited(math.cosh), "arccos": math.acos, "arcsin": math.asin, "acos": math.acos, "asin": math.asin,
    "arctan": math.atan, "atan": math.atan, "arctanh": math.atanh, "atanh": math.atanh, "arccosh": math.acosh,
    "acosh": math.acosh, "reciprocal": lambda x: 1.0 / x, "rsqrt": lambda x: 1.0 / math.sqrt(x),
    "sign": lambda x: float((x > 0) - (x < 0)), "logical_not": operator.not_, "invert": operator.not_,
    "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x), "isnan": math.isnan, "isfinite": math.isfinite,
}  # fmt: skip
_BINARY: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "add": operator.add, "sub": operator.sub, "subtract": operator.sub, "mul": operator.mul,
    "multiply": operator.mul, "truediv": operator.truediv, "divide": operator.truediv, "true_divide": operator.truediv,
    "div": operator.truediv, "pow": operator.pow, "power": operator.pow, "maximum": max, "minimum": min, "max": max,
    "min": min, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge, "eq": operator.eq,
    "ne": operator.ne, "less": operator.lt, "less_equal": operator.le, "greater": operator.gt,
    "greater_equal": operator.ge, "equal": operator.eq, "not_equal": operator.ne, "arctan2": math.atan2,
    "atan2": math.atan2, "hypot": math.hypot,
    "logical_and": lambda a, b: bool(a) and bool(b), "logical_or": lambda a, b: bool(a) or bool(b),
    "and_": lambda a, b: a and b if type(a) is type(b) is bool else None,
    "or_": lambda a, b: a or b if type(a) is type(b) is bool else None,
}  # fmt: skip
ELEMENTWISE: Final = frozenset({*_UNARY, *_BINARY, "where", "select", "clip"})
"""The operations that go element by element, by the last part of their names."""

KEEPING: Final = frozenset({
    "reshape", "ravel", "flatten", "transpose", "T", "mT", "swapaxes", "moveaxis", "squeeze", "expand_dims",
    "broadcast_to", "broadcast_in_dim", "astype", "asarray", "array", "convert_element_type", "__getitem__", "copy",
    "argument", "repeat", "tile", "flip", "roll", "take", "atleast_1d", "atleast_2d", "real", "mean", "amax", "amin",
    "median", "average", "concatenate", "stack", "hstack", "vstack",
})  # fmt: skip
"""The operations that give what they are given, at other places, where that is one number."""
_FILLED: Final = {"zeros": 0.0, "zeros_like": 0.0, "ones": 1.0, "ones_like": 1.0, "empty": 0.0}
_SUMMING: Final = frozenset({"sum", "dot", "matmul", "einsum", "inner", "vdot", "tensordot"})


Points = tuple[tuple[Origin, float], ...]
"""Arrays that are taken to be a number, in every element."""


def called(op: str) -> str:
    """The last part of the name of an operation of jax: `sqrt` of `numpy.sqrt`, `sum` of `Array.sum`."""
    package, _, name = op.rpartition(":")
    return name.rpartition(".")[2] if package in _PACKAGES else op


_PACKAGES: Final = ("", "jax", "jaxlib", "optax")
"""Whose functions are known by their names; the empty one is that of rules and operators."""


def value_of(value: Value, points: Points, depth: int = 0) -> Any:
    """The number that each element of an operand is, where these arrays are these numbers; None if not known."""
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, Constant):
        return value.value
    origin = value if isinstance(value, Origin) else getattr(value, "origin", None)
    if isinstance(origin, Origin):
        for taken, number in points:
            if taken is origin or _is_alike(taken, origin):
                return number
        if depth > _DEEPEST:
            return None
        try:
            found = _apply(origin, points, depth + 1)
        except (ValueError, TypeError, ZeroDivisionError, OverflowError):
            return None
        return _stored(found, origin.aval.dtype)
    return value.aval.value if isinstance(value, ArrayValue) else None


def _stored(value: Value, dtype: str | None) -> Value:
    if type(value) is float and "int" in (dtype or ""):
        return math.trunc(value) if math.isfinite(value) else None
    if type(value) is float and abs(value) > _GREATEST.get(dtype or "", math.inf):
        return math.copysign(math.inf, value)
    return None if isinstance(value, complex) else value


def _apply(origin: Origin, points: Points, depth: int) -> Value:
    name, args = called(origin.op), origin.args
    if not _PARTIAL.isdisjoint(origin.kwargs):
        return None
    if name in _FILLED:
        return _FILLED[name]
    if name in ("full", "full_like"):
        return value_of(args[1] if len(args) > 1 else origin.kwargs.get("fill_value"), points, depth)
    if name in ("sub", "subtract") and len(args) == 2 and _is_same(*args):
        return 0.0
    if name in ("where", "select") and len(args) == 3:
        chosen = value_of(args[0], points, depth)
        return None if chosen is None else value_of(args[1 if chosen else 2], points, depth)
    if name == "clip":
        low, high = _limits(origin)
        given = [value_of(v, points, depth) for v in (args[0], low, high)]
        if given[0] is None or (low is not None and given[1] is None) or (high is not None and given[2] is None):
            return None
        x = given[0] if given[1] is None else max(given[0], given[1])
        return x if given[2] is None else min(x, given[2])
    if name in KEEPING or (name in ("max", "min") and len(args) == 1):
        return _only(origin, points, depth)
    given = [value_of(v, points, depth) for v in args]
    if name in _UNARY and len(given) == 1:
        return None if given[0] is None else _UNARY[name](given[0])
    if name in _BINARY and len(given) == 2 and None not in given:
        return _BINARY[name](*given)
    if name in ("mul", "multiply", *_SUMMING) and name != "sum" and 0.0 in [v for v in given if type(v) is not bool]:
        return 0.0
    if name == "sum" and given and given[0] is not None:
        before, after = getattr(args[0], "aval", None), origin.aval
        if given[0] == 0:
            return 0.0
        if before is not None and isinstance(before.size, int) and isinstance(after.size, int) and after.size:
            return given[0] * (before.size // after.size)
    if name == "norm" and len(given) == 1 and given[0] == 0:
        return 0.0
    return None


_PARTIAL: Final = frozenset({"where", "initial", "mode"})
"""Options by which not all elements count, or others than those that are given."""


def _limits(origin: Origin) -> tuple[Value, Value]:
    """The limits of `clip`."""
    args, kwargs = origin.args, origin.kwargs
    low = args[1] if len(args) > 1 else kwargs.get("min", kwargs.get("a_min"))
    return low, args[2] if len(args) > 2 else kwargs.get("max", kwargs.get("a_max"))


def _only(origin: Origin, points: Points, depth: int) -> Value:
    """The one number of what is rearranged: of all parts."""
    parts = origin.args[0] if origin.args else None
    values = [value_of(v, points, depth) for v in (parts if type(parts) is tuple else (parts,))]
    return values[0] if values and all(v is not None and v == values[0] for v in values) else None


def _is_same(a: Value, b: Value) -> bool:
    """Whether two operands are one array."""
    made = getattr(a, "origin", None)
    return isinstance(made, Origin) and made is getattr(b, "origin", None)


def _is_alike(a: Origin, b: Origin, depth: int = 0) -> bool:
    """Whether two operations are the same, of the same operands."""
    if a is b:
        return True
    same = a.op == b.op and len(a.args) == len(b.args) and a.args and not a.kwargs and not b.kwargs
    if not same or depth > 3 or a.op == "argument" or ":" in a.op or a.inner:
        return False
    return all(_is_equal(x, y, depth + 1) for x, y in zip(a.args, b.args))


def _is_equal(x: Value, y: Any, depth: int) -> bool:
    first, second = getattr(x, "origin", None), getattr(y, "origin", None)
    if isinstance(first, Origin) and isinstance(second, Origin):
        return _is_alike(first, second, depth)
    return isinstance(x, bool | int | float) and type(x) is type(y) and x == y
