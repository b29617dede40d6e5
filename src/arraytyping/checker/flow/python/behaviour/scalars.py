"""What is done with a number or text whose value is not known."""

from __future__ import annotations

import ast
from typing import Final

from arraytyping.checker.flow.python.calling import not_callable
from arraytyping.checker.flow.python.iteration import not_iterable
from arraytyping.checker.flow.python.methods_of_scalars import call_scalar_method
from arraytyping.checker.flow.python.operators_of_scalars import SAMPLES
from arraytyping.checker.flow.python.subscripts import not_subscriptable
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, CALL, ITEM, ITERATE, METHOD, TRUTH, Items
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import SCALARS
from arraytyping.checker.flow.values import MISSING, MethodOf, OfNumPy, ScalarValue, Value

__all__: list[str] = []

_PARTS: Final = frozenset({"real", "imag", "numerator", "denominator"})
_OF_BOTH: Final = frozenset({"real", "is_integer", "bit_count", "__index__", "__int__", "__float__", "__bool__"})
"""What numbers of Python have, and those of NumPy alike."""

CALL(ScalarValue)(not_callable)
METHOD(ScalarValue)(call_scalar_method)


@ITERATE(ScalarValue)
def _iterate(it: Interpreter, value: ScalarValue, node: ast.AST | None) -> Items:
    return (None, ScalarValue(str)) if str in value.kinds else not_iterable(it, value, node)


@TRUTH(ScalarValue)
def _truth(it: Interpreter, value: ScalarValue, node: ast.AST | None) -> bool | None:
    # A size has bounds: with rows at all, `if len(x):` is decided although their number is not known.
    if value.size is not None:
        low, high = value.size.bounds()
        if (low is not None and low > 0) or (high is not None and high < 0):
            return True
    return None


@ATTRIBUTE(ScalarValue)
def _attribute(it: Interpreter, value: ScalarValue, name: str, node: ast.AST | None) -> Value:
    kinds = [k for k in value.of_python.kinds if hasattr(k, name)]
    if not kinds or (OfNumPy in value.kinds and name not in _OF_BOTH):
        return it.unknown(f"{name} of a number of Python or NumPy") if OfNumPy in value.kinds else MISSING
    if name in _PARTS:
        made = {type(getattr(SAMPLES[k], name)) for k in kinds}
        if name == "real" and made == {*kinds}:
            return value
        made |= {OfNumPy} & {*value.kinds}
        return ScalarValue(*sorted(made, key=SCALARS.index), is_data=value.is_data)
    if name == "__class__" or not all(callable(getattr(k, name)) for k in kinds):
        return it.unknown(f"attribute {name} of a scalar")
    return MethodOf(value, name)


@ITEM(ScalarValue)
def _item(it: Interpreter, owner: ScalarValue, index: Value, node: ast.AST | None) -> Value:
    return ScalarValue(str) if str in owner.kinds else not_subscriptable(it, owner, index, node)
