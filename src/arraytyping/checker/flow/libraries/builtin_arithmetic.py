"""Builtin functions that compute: `abs`, `round`, `pow` and `divmod`."""

from __future__ import annotations

from typing import Final

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
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


_MOST_DIGITS: Final = 1000
"""To more digits than this nothing is rounded for real, which would take long."""


@handles("builtins.abs")
@by_alternatives
def _abs(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 1:
        return wrong_call(it, "abs", call.node)
    value = call.args[0]
    if isinstance(value, InstanceValue):
        method = value.cls.find("__abs__")
        return it.call(method, [value], {}, call.node) if method is not MISSING else it.unknown("abs of an instance")
    if (own := own_methods(value).get("__abs__")) is not None:
        return it.call(own, [value], {}, call.node)
    if isinstance(value, ArrayValue | NumPyValue):
        return it.engines.unary(it, "abs", value, call.node)
    if isinstance(value, ScalarValue):
        kinds = dict.fromkeys({bool: int, complex: float}.get(k, k) for k in value.kinds if k not in (str, bytes))
        return (
            ScalarValue(*kinds, is_data=value.is_data)
            if kinds
            else it.fail(call.node, "array-call", "TypeError: bad operand type for abs(): 'str'")
        )
    result = concretely(it, abs, call)
    return it.unknown("abs of what is not understood") if result is MISSING else result


@handles("builtins.round")
@by_alternatives
def _round(it: Interpreter, call: Call) -> Value:
    if not call.args:
        return wrong_call(it, "round", call.node)
    value = call.args[0]
    digits = call.argument(1, "ndigits")
    if isinstance(value, ArrayValue):
        return it.engines.method(it, value, "__round__", call.with_args(list(call.args[1:])))
    if isinstance(value, NumPyValue):
        if value.is_scalar and digits is None:
            return ScalarValue(int, is_data=True)
        return value if value.is_scalar and value.data is None else it.unknown("round of a NumPy array")
    if isinstance(value, InstanceValue) and (method := value.cls.find("__round__")) is not MISSING:
        return it.call(method, [value, *call.args[1:]], {}, call.node)
    kinds = set(scalar_kinds(value))
    if type(digits) is not int or abs(digits) <= _MOST_DIGITS:
        result = concretely(it, round, call)
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
def _pow(it: Interpreter, call: Call) -> Value:
    if len(call.args) == 3 and all(map(is_plain, call.args)):
        return concretely(it, pow, call)
    if call.has_only(2):
        return it.binary("pow", call.args[0], call.args[1], call.node)
    return it.unknown("pow of three arguments")


@handles("builtins.divmod")
@by_alternatives
def _divmod(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 2:
        return wrong_call(it, "divmod", call.node)
    if all(map(is_plain, call.args)):
        return concretely(it, divmod, call)
    if any(isinstance(v, InstanceValue) for v in call.args):
        return it.unknown("divmod of an instance")
    return it.binary("floordiv", call.args[0], call.args[1], call.node), it.binary(
        "mod", call.args[0], call.args[1], call.node
    )
