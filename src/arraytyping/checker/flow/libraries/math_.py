"""`math`: of concrete numbers the real function, of others a scalar of the kind that it gives."""

from __future__ import annotations

import math
from typing import Final

from arraytyping.checker.flow.libraries.builtin_folds import fold
from arraytyping.checker.flow.libraries.conversions import refuse_scalar
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.operator_names import kind_name
from arraytyping.checker.flow.real_calls.concrete_calls import concretely
from arraytyping.checker.flow.state.certainty import depends_on_data
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    SetValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

_INTS: Final = ("floor", "ceil", "trunc", "gcd", "lcm", "comb", "perm", "factorial", "isqrt")
_BOOLS: Final = ("isnan", "isinf", "isfinite", "isclose")
_OF_ITERABLES: Final = ("fsum", "dist", "sumprod")
_GROWING: Final = ("factorial", "comb", "perm")
_LARGEST: Final = 5_000
_NO_NUMBERS: Final = (ListValue, DictValue, SetValue, FunctionValue, tuple, str, type(None))


def _function(name: str) -> None:
    kind = int if name in _INTS else bool if name in _BOOLS else float

    @handles(f"math.{name}")
    @by_alternatives
    def handle(it: Interpreter, call: Call) -> Value:
        if name in _GROWING and any(type(v) is int and abs(v) > _LARGEST for v in call.args):
            return ScalarValue(int)
        if not any(isinstance(v, ArrayValue | NumPyValue) for v in call.args):
            result = concretely(it, getattr(math, name), call)
            if result is not MISSING:
                return result
        for value in call.args:
            if (wrong := refuse_scalar(it, f"math.{name}", value, call.node)) is not None:
                return wrong
            if name not in _OF_ITERABLES and isinstance(value, _NO_NUMBERS):
                return it.fail(
                    call.node, "array-call", f"TypeError: math.{name}() of {kind_name(value)}: it must be a number"
                )
            if isinstance(value, InstanceValue):
                return it.unknown(f"math.{name} of an instance")
        it.may_raise += kind is not bool
        is_data = depends_on_data(*call.args)
        if name in ("frexp", "modf"):
            second = int if name == "frexp" else float
            return ScalarValue(float, is_data=is_data), ScalarValue(second, is_data=is_data)
        if isinstance(call.positional(0), NumPyValue) and name in ("floor", "ceil"):
            return it.unknown(f"math.{name} of a NumPy scalar")
        return ScalarValue(kind, is_data=is_data)


for _name, _value in vars(math).items():
    if callable(_value) and not _name.startswith("_") and _name != "prod":
        _function(_name)


@handles("math.prod")
@by_alternatives
def _prod(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 1:
        return it.unknown("math.prod by keyword")
    return fold(
        it,
        lambda a, b: it.binary("mul", a, b, call.node),
        call.kwargs.get("start", 1),
        *it.iterate(call.args[0], call.node),
    )
