"""Values as messages about annotations show them."""

from __future__ import annotations

from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    FunctionValue,
    JitValue,
    ListValue,
    NumPyValue,
    OfNumPy,
    ScalarValue,
    SetValue,
    UnionValue,
    Value,
)
from arraytyping.semantics.avals import shape_str
from arraytyping.semantics.shardings import cut_shape_str

__all__ = ["show"]


def show(value: Value) -> str:
    """What a value is, in few words: `float32[3, n]`, `a list`, `None`."""
    if isinstance(value, ArrayValue):
        return f"{value.aval.dtype or '?'}{cut_shape_str(value.aval.shape, value.cut)}"
    if isinstance(value, NumPyValue):
        if value.is_scalar:
            return f"the NumPy scalar {value.dtype or '?'}"
        return f"the NumPy array {value.dtype or '?'}{shape_str(value.shape)}"
    if value is None:
        return "None"
    if isinstance(value, UnionValue):
        return " or ".join(map(show, value.values))
    if isinstance(value, ScalarValue) and OfNumPy in value.kinds:
        return f"a number like {' or '.join(k.__name__ for k in value.of_python.kinds)}"
    if isinstance(value, ScalarValue):
        return f"a Python {' or '.join(k.__name__ for k in value.kinds)}"
    if isinstance(value, bool | int | float | complex | str | bytes):
        text = repr(value)
        return f"the Python {type(value).__name__} {text if len(text) <= 24 else text[:20] + '...'}"
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return f"an instance of {type(value).__name__}"
        inner = ", ".join(map(show, value[:3])) + (", ..." if len(value) > 3 else "")
        return f"the tuple ({inner}{',' if len(value) == 1 else ''})"
    if isinstance(value, ListValue | SetValue):
        return f"a {value.kind.__name__}"
    if isinstance(value, DictValue):
        return f"a {value.kind.__name__}"
    if isinstance(value, FunctionValue | JitValue):
        return f"the function {getattr(value, 'name', '')}".rstrip()
    return "something else"
