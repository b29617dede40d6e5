"""Builtin classes as conversions: numbers and containers."""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.engines.differentiated import differentiated
from arraytyping.checker.flow.libraries.builtin_functions import wrong_call
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.methods_of_dicts import update
from arraytyping.checker.flow.python.methods_of_sets import make_set
from arraytyping.checker.flow.python.operator_names import kind_name
from arraytyping.checker.flow.real_calls.concrete_calls import concretely
from arraytyping.checker.flow.state.certainty import data_bool, depends_on_data
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    MethodOf,
    NumPyValue,
    PartialValue,
    ScalarValue,
    SetValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.traced_sentences import number_sentence
from arraytyping.semantics.avals import size_of

__all__ = ["refuse_scalar"]

Node = ast.AST | None

_NO_NUMBERS: Final = (
    ListValue,
    DictValue,
    SetValue,
    FunctionValue,
    BoundMethod,
    MethodOf,
    PartialValue,
    ClassValue,
    tuple,
)


_AS_FLOAT: Final = frozenset({
    "float", "math.sqrt", "math.exp", "math.expm1", "math.log", "math.log1p", "math.log2", "math.log10", "math.sin",
    "math.cos", "math.tan", "math.tanh", "math.pow", "math.fabs", "math.atan", "math.atan2",
})  # fmt: skip
"""What makes a float of an array, which one that is differentiated is not, though it has a value."""


def refuse_scalar(it: Interpreter, name: str, value: Value, node: Node) -> Unknown | None:
    """A mistake if an array cannot become a Python scalar: a tracer, or one of several elements."""
    if isinstance(value, ArrayValue):
        if value.is_key:
            return it.fail(node, "array-call", f"TypeError: {name}() of a key array")
        if value.aval.shape:
            message = f"TypeError: {name}() of an array of shape {_shown(value.aval.shape)}: only rank 0 has it"
            return it.fail(node, "array-shape", message)
        if value.traced or (name in _AS_FLOAT and differentiated(it, [value]) is not None):
            return it.fail(node, "array-traced", number_sentence(name, value.aval))
    if isinstance(value, NumPyValue) and value.shape is not None:
        size = size_of(value.shape)
        if size is not None and size != 1:
            message = f"TypeError: {name}() of a NumPy array of shape {_shown(value.shape)}: it has several elements"
            return it.fail(node, "array-shape", message)
    return None


def _shown(shape: Any) -> str:
    return f"({', '.join('?' if d is None else str(d) for d in shape)}{',' if len(shape) == 1 else ''})"


def _number(kind: type, dunders: tuple[str, ...]) -> None:
    name = kind.__name__

    @handles(f"builtins.{name}")
    @by_alternatives
    def handle(it: Interpreter, call: Call) -> Value:
        if not call.args:
            return kind() if not call.kwargs else ScalarValue(kind)
        value = call.args[0]
        if isinstance(value, InstanceValue):
            for dunder in dunders:
                if (method := value.cls.find(dunder)) is not MISSING:
                    return it.call(method, [value], {}, call.node)
            if value.cls.kind == "unknown" or any(isinstance(b, type) and b is not object for b in value.cls.mro):
                return ScalarValue(kind)
            return it.fail(
                call.node, "array-call", f"TypeError: {name}() argument must be a number, not {value.cls.name!r}"
            )
        if isinstance(value, ArrayValue | NumPyValue):
            if (wrong := refuse_scalar(it, name, value, call.node)) is not None:
                return wrong
            if isinstance(value, NumPyValue) and value.data is not None:
                try:
                    return kind(value.data.item() if value.data.ndim == 0 else value.data)
                except (TypeError, ValueError, OverflowError):
                    return ScalarValue(kind, is_data=True)
            if isinstance(value, ArrayValue) and type(value.aval.value) in (int, bool) and kind is int:
                return int(value.aval.value)  # type: ignore[arg-type]
            return ScalarValue(kind, is_data=True)
        if isinstance(value, ScalarValue):
            value = value.of_python
            if kind is int and value.size is not None:
                return value
            if value.kinds == (complex,) and kind is not complex:
                return it.fail(call.node, "array-call", f"TypeError: {name}() argument must be no complex number")
            it.may_raise += not set(value.kinds) <= {bool, int}
            return ScalarValue(kind, is_data=value.is_data)
        if value is None or isinstance(value, _NO_NUMBERS):
            return it.fail(
                call.node,
                "array-call",
                f"TypeError: {name}() argument must be a number or string, not {kind_name(value)}",
            )
        if isinstance(value, Unknown):
            it.may_raise += 1
            return ScalarValue(kind)
        result = concretely(it, kind, call)
        return ScalarValue(kind) if result is MISSING else result


_number(int, ("__int__", "__index__", "__trunc__"))
_number(float, ("__float__", "__index__"))


@handles("builtins.complex")
@by_alternatives
def _complex(it: Interpreter, call: Call) -> Value:
    for value in call.args:
        if (wrong := refuse_scalar(it, "complex", value, call.node)) is not None:
            return wrong
    result = concretely(it, complex, call)
    return ScalarValue(complex, is_data=depends_on_data(*call.args)) if result is MISSING else result


@handles("builtins.bool")
@by_alternatives
def _bool(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 1:
        return wrong_call(it, "bool", call.node) if call.args else False
    if isinstance(call.args[0], Unknown):
        return it.unknown(call.args[0].why)
    known = it.truth(call.args[0], call.node)
    return data_bool(call.args[0]) if known is None else known


# ---------------------------------------------------------------------- containers


@handles("builtins.list")
@by_alternatives
def _list(it: Interpreter, call: Call) -> Value:
    if len(call.args) > 1 or call.kwargs:
        return wrong_call(it, "list", call.node)
    return ListValue(*it.iterate(call.args[0], call.node)) if call.args else ListValue([])


@handles("builtins.tuple")
@by_alternatives
def _tuple(it: Interpreter, call: Call) -> Value:
    if len(call.args) > 1 or call.kwargs:
        return wrong_call(it, "tuple", call.node)
    items, element = it.iterate(call.args[0], call.node) if call.args else ([], MISSING)
    if items is not None:
        return tuple(items)
    return () if element is MISSING else it.unknown("a tuple of unknown length")


def _set_of(kind: type) -> None:
    @handles(f"builtins.{kind.__name__}")
    @by_alternatives
    def handle(it: Interpreter, call: Call) -> Value:
        if len(call.args) > 1 or call.kwargs:
            return wrong_call(it, kind.__name__, call.node)
        if call.args and isinstance(call.args[0], SetValue):  # in any order
            return SetValue(
                None if call.args[0].items is None else dict(call.args[0].items), call.args[0].element, kind
            )
        items, element = it.iterate(call.args[0], call.node) if call.args else ([], MISSING)
        return make_set(it, items, element, kind, call.node)


_set_of(set)
_set_of(frozenset)


@handles("builtins.dict")
@by_alternatives
def _dict(it: Interpreter, call: Call) -> Value:
    if len(call.args) > 1:
        return wrong_call(it, "dict", call.node)
    result = DictValue({})
    update(it, result, call)
    return result


@handles("builtins.slice")
def _slice(it: Interpreter, call: Call) -> Value:
    return slice(*call.args) if 1 <= len(call.args) <= 3 else wrong_call(it, "slice", call.node)


@handles("builtins.object")
def _object(it: Interpreter, call: Call) -> Value:
    return object()
