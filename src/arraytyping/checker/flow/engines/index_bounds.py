"""The least and the greatest of integers: of an array too, where it is made of constants, and moved by constants."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.values import ArrayValue, ListValue, NumPyValue, Value
from arraytyping.semantics.rules.dtype_kinds import integer_limits

__all__ = ["known_bounds", "moved", "with_bounds"]


def known_bounds(value: Value) -> tuple[int, int] | None:
    """The least and the greatest integer in a value, both of which are in it; None if they are not known."""
    if type(value) is int:
        return value, value
    if type(value) is range:
        return (min(value[0], value[-1]), max(value[0], value[-1])) if value else None
    if isinstance(value, NumPyValue):
        return _extremes(value.data)
    if isinstance(value, ArrayValue):
        return (value.aval.value, value.aval.value) if type(value.aval.value) is int else value.bounds
    items = value.items if isinstance(value, ListValue) else value if type(value) is tuple else None
    parts = [known_bounds(item) for item in items or ()]
    if not parts or any(part is None for part in parts):
        return None
    return min(part[0] for part in parts if part), max(part[1] for part in parts if part)


def _extremes(data: Any) -> tuple[int, int] | None:
    """Those of an array of NumPy."""
    if data is None or data.dtype.kind not in "iu" or not data.size:
        return None
    return int(data.min()), int(data.max())


def with_bounds(result: Any, bounds: tuple[int, int] | None) -> Value:
    """The array with its least and greatest element."""
    dtype = result.aval.dtype if type(result) is ArrayValue else None
    if bounds is None or dtype is None or not dtype.startswith(("int", "uint")):
        return result
    low, high = integer_limits(dtype)
    if low <= bounds[0] and bounds[1] <= high:
        result = ArrayValue(result.aval, result.traced, result.origin).at(result.place)
        result.bounds = bounds
    return result


def moved(op: str, a: Value, b: Value, result: Value) -> Value:
    """The result of an operator, with its bounds where an array of known ones meets an integer."""
    if op in ("add", "iadd", "mul", "imul") and type(a) is int:
        a, b = b, a
    if type(b) is not int or type(a) is not ArrayValue or a.bounds is None:
        return result
    apply = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__}.get(op.removeprefix("i"))
    if apply is None:
        return result
    ends = [apply(end, b) for end in a.bounds]
    return with_bounds(result, (min(ends), max(ends)))
