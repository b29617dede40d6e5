"""`math`: of concrete numbers the real function, of others a scalar of the kind that it gives."""

from __future__ import annotations

import ast
import math
from typing import Any, Final

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

Kwargs = dict[str, Any]
Node = ast.AST | None

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
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        if name in _GROWING and any(type(v) is int and abs(v) > _LARGEST for v in args):
            return ScalarValue(int)
        if not any(isinstance(v, ArrayValue | NumPyValue) for v in args):
            result = concretely(it, getattr(math, name), args, kwargs, node)
            if result is not MISSING:
                return result
        for value in args:
            if (wrong := refuse_scalar(it, f"math.{name}", value, node)) is not None:
                return wrong
            if name not in _OF_ITERABLES and isinstance(value, _NO_NUMBERS):
                return it.fail(
                    node, "array-call", f"TypeError: math.{name}() of {kind_name(value)}: it must be a number"
                )
            if isinstance(value, InstanceValue):
                return it.unknown(f"math.{name} of an instance")
        it.may_raise += kind is not bool
        is_data = depends_on_data(*args)
        if name in ("frexp", "modf"):
            second = int if name == "frexp" else float
            return ScalarValue(float, is_data=is_data), ScalarValue(second, is_data=is_data)
        if isinstance(args[0] if args else None, NumPyValue) and name in ("floor", "ceil"):
            return it.unknown(f"math.{name} of a NumPy scalar")
        return ScalarValue(kind, is_data=is_data)


for _name, _value in vars(math).items():
    if callable(_value) and not _name.startswith("_") and _name != "prod":
        _function(_name)


@handles("math.prod")
@by_alternatives
def _prod(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if len(args) != 1:
        return it.unknown("math.prod by keyword")
    return fold(it, lambda a, b: it.binary("mul", a, b, node), kwargs.get("start", 1), *it.iterate(args[0], node))
