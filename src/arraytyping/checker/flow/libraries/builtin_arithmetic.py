"""Builtin functions that compute: `abs`, `round`, `pow` and `divmod`."""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.libraries.builtin_functions import wrong_call
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.real_calls.concrete_calls import concretely, is_plain
from arraytyping.checker.flow.state.certainty import depends_on_data
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import scalar_kinds
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    InstanceValue,
    NumPyValue,
    ScalarValue,
    Value,
    own_methods,
)

__all__: list[str] = []

Kwargs = dict[str, Any]
Node = ast.AST | None

_MOST_DIGITS: Final = 1000
"""To more digits than this nothing is rounded for real, which would take long."""


@handles("builtins.abs")
@by_alternatives
def _abs(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if len(args) != 1:
        return wrong_call(it, "abs", node)
    value = args[0]
    if isinstance(value, InstanceValue):
        method = value.cls.find("__abs__")
        return it.call(method, [value], {}, node) if method is not MISSING else it.unknown("abs of an instance")
    if (own := own_methods(value).get("__abs__")) is not None:
        return it.call(own, [value], {}, node)
    if isinstance(value, ArrayValue | NumPyValue):
        return it.engines.unary(it, "abs", value, node)
    if isinstance(value, ScalarValue):
        kinds = dict.fromkeys({bool: int, complex: float}.get(k, k) for k in value.kinds if k not in (str, bytes))
        return (
            ScalarValue(*kinds, is_data=value.is_data)
            if kinds
            else it.fail(node, "array-call", "TypeError: bad operand type for abs(): 'str'")
        )
    result = concretely(it, abs, args, kwargs, node)
    return it.unknown("abs of what is not understood") if result is MISSING else result


@handles("builtins.round")
@by_alternatives
def _round(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if not args:
        return wrong_call(it, "round", node)
    value = args[0]
    digits = args[1] if len(args) > 1 else kwargs.get("ndigits")
    if isinstance(value, ArrayValue):
        return it.engines.method(it, value, "__round__", list(args[1:]), kwargs, node)
    if isinstance(value, NumPyValue):
        if value.is_scalar and digits is None:
            return ScalarValue(int, is_data=True)
        return value if value.is_scalar and value.data is None else it.unknown("round of a NumPy array")
    if isinstance(value, InstanceValue) and (method := value.cls.find("__round__")) is not MISSING:
        return it.call(method, [value, *args[1:]], {}, node)
    kinds = set(scalar_kinds(value))
    if type(digits) is not int or abs(digits) <= _MOST_DIGITS:
        result = concretely(it, round, args, kwargs, node)
        if result is not MISSING:
            return result
    if kinds and kinds <= {bool, int, float}:
        if digits is None or kinds <= {bool, int}:
            return ScalarValue(int, is_data=depends_on_data(value))
        if isinstance(digits, ScalarValue | int):
            found = (k for k in (int, float) if k in kinds or (k is int and bool in kinds))
            return ScalarValue(*found, is_data=depends_on_data(value))
    return it.unknown("round of what is not understood")


@handles("builtins.pow")
@by_alternatives
def _pow(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if len(args) == 3 and all(map(is_plain, args)):
        return concretely(it, pow, args, kwargs, node)
    if len(args) == 2 and not kwargs:
        return it.binary("pow", args[0], args[1], node)
    return it.unknown("pow of three arguments")


@handles("builtins.divmod")
@by_alternatives
def _divmod(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if len(args) != 2:
        return wrong_call(it, "divmod", node)
    if all(map(is_plain, args)):
        return concretely(it, divmod, args, kwargs, node)
    if any(isinstance(v, InstanceValue) for v in args):
        return it.unknown("divmod of an instance")
    return it.binary("floordiv", args[0], args[1], node), it.binary("mod", args[0], args[1], node)
