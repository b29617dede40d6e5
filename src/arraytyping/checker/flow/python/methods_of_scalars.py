"""Methods of strings and numbers whose value is not known, or that get arguments which are not."""

from __future__ import annotations

import ast
import sys
from typing import Any, Final

from arraytyping.checker.flow.real_calls.concrete_calls import concretely, is_plain
from arraytyping.checker.flow.state.certainty import depends_on_data
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, scalar_kinds
from arraytyping.checker.flow.state.may_raise import note_method
from arraytyping.checker.flow.state.stateful import told_by
from arraytyping.checker.flow.values import (
    MISSING,
    BaseValue,
    DictValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    UnionValue,
    Unknown,
    Value,
    own_methods,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["call_concrete_method", "call_scalar_method", "has_fixed_text", "is_dtype", "is_scalar_method"]

_SCALARS: Final = (bool, int, float, complex, str, bytes)
_TEXTS: Final = ("split", "rsplit", "splitlines")
_BOOLS: Final = ("startswith", "endswith", "is_integer", "__contains__", "__bool__")
_INTS: Final = (
    "find", "rfind", "index", "rindex", "count", "bit_length", "bit_count", "__len__", "__hash__", "__int__",
    "__index__", "__floor__", "__ceil__", "__trunc__",
)  # fmt: skip
_SAME: Final = (
    "capitalize", "casefold", "center", "expandtabs", "join", "ljust", "lower", "lstrip", "removeprefix",
    "removesuffix", "replace", "rjust", "rstrip", "strip", "swapcase", "title", "translate", "upper", "zfill",
)  # fmt: skip
_STRINGS: Final = ("format", "format_map", "decode", "hex", "__str__", "__repr__", "__format__")


def _result(kind: type, name: str) -> Value:
    """What a method of a type of scalars gives; None if it is not known here."""
    if name in _TEXTS:
        return ListValue(None, ScalarValue(kind))
    if name in ("partition", "rpartition"):
        return (ScalarValue(kind),) * 3
    if name in _BOOLS or (name.startswith("is") and kind in (str, bytes)):
        return ScalarValue(bool)
    if name in _INTS:
        return ScalarValue(int)
    if name in _SAME:
        return ScalarValue(kind)
    if name in _STRINGS:
        return ScalarValue(str)
    if name in ("encode", "to_bytes", "__bytes__"):
        return ScalarValue(bytes)
    if name == "as_integer_ratio":
        return ScalarValue(int), ScalarValue(int)
    if name == "conjugate":
        return ScalarValue(int if kind is bool else kind)
    if name == "__float__":
        return ScalarValue(float)
    return None


def call_scalar_method(it: Interpreter, receiver: ScalarValue, name: str, call: Call) -> Value:
    """The result of a method of a scalar whose value is not known."""
    if name == "join" and (wrong := _refuse_join(it, call.args, call.node)) is not None:
        return wrong
    joined: Value = MISSING
    for kind in receiver.of_python.kinds:
        if hasattr(kind, name):
            result = _result(kind, name)
            if isinstance(result, ScalarValue):
                result.is_data = receiver.is_data
            joined = join(joined, it.unknown(f"the method {name} of a {kind.__name__}") if result is None else result)
    return it.unknown(f"the method {name} of a scalar") if joined is MISSING else joined


def is_scalar_method(function: Any) -> bool:
    """Whether a concrete function is a method bound to a concrete string or number: `", ".join`."""
    return type(told_by(function, "__self__")) in _SCALARS and hasattr(type(function.__self__), function.__name__)


def call_concrete_method(it: Interpreter, function: Any, call: Call) -> Value:
    """The result of a method of a concrete string or number, whose arguments need not be concrete."""
    args = call.args
    name, owner = function.__name__, function.__self__
    note_method(it, owner, name, args, call.kwargs)
    if name == "join" and len(args) == 1:
        items, element = it.iterate(args[0], call.node)
        args = [ListValue(items, element)]
        if (wrong := _refuse_join(it, args, call.node)) is not None:
            return wrong
    if name not in ("format", "format_map") or all(has_fixed_text(v) for v in (*args, *call.kwargs.values())):
        result = concretely(it, function, call.with_args(args))
        if result is not MISSING:
            return result
    return call_scalar_method(it, ScalarValue(type(owner), is_data=depends_on_data(*args)), name, call.with_args(args))


def has_fixed_text(value: Value) -> bool:
    """Whether the text of a value is the same in every run: that of a function has its address."""
    if isinstance(value, tuple):
        return not own_methods(value) and all(map(has_fixed_text, value))
    if isinstance(value, ListValue):
        return value.items is not None and all(map(has_fixed_text, value.items))
    if isinstance(value, DictValue):
        return value.items is not None and all(map(has_fixed_text, (*value.items, *value.items.values())))
    return is_plain(value) or is_dtype(value)


def is_dtype(value: Value) -> bool:
    """Whether a value is a dtype of NumPy, whose text is its name."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.dtype)


def _refuse_join(it: Interpreter, args: list[Value], node: ast.AST | None) -> Unknown | None:
    """A mistake if an item that is joined is certainly no string."""
    if len(args) != 1:
        return None
    items, _ = it.iterate(args[0], node)
    for i, item in enumerate(items or ()):
        kinds = scalar_kinds(item)
        if isinstance(item, Unknown | UnionValue) or str in kinds or bytes in kinds:
            continue
        if isinstance(item, NumPyValue) and (item.dtype is None or item.dtype.startswith(("<U", "|S", "object"))):
            continue
        if kinds or item is None or isinstance(item, BaseValue | tuple):
            return it.fail(node, "array-call", f"TypeError: sequence item {i}: expected str instance")
    return None
