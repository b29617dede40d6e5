"""What is known of a function's result where jax cannot be asked, since a part of an argument is unknown."""

from __future__ import annotations

import functools
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.engines.unknown_draws import draw
from arraytyping.checker.flow.state.fresh_sizes import fresh_size
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, ArrayValue, ListValue, NumPyValue, ScalarValue, Value, is_traced
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.sizes.dims import Dim, add_dims, as_dim, multiply_dims

__all__ = ["partial_result"]

_ELEMENTWISE: Final = frozenset({
    "jax.nn.relu", "jax.nn.relu6", "jax.nn.gelu", "jax.nn.sigmoid", "jax.nn.silu", "jax.nn.swish", "jax.nn.elu",
    "jax.nn.softplus", "jax.nn.leaky_relu", "jax.nn.tanh", "jax.nn.log_sigmoid", "jax.nn.softmax",
    "jax.nn.log_softmax", "jax.nn.hard_tanh", "jax.nn.celu", "jax.nn.selu", "jax.nn.mish", "jax.nn.standardize",
    "jax.lax.exp", "jax.lax.log", "jax.lax.tanh", "jax.lax.sqrt", "jax.lax.rsqrt", "jax.lax.stop_gradient",
    "jax.lax.neg", "jax.lax.abs", "jax.lax.sign", "jax.lax.sin", "jax.lax.cos", "jax.lax.logistic",
    "jax.scipy.special.erf", "jax.scipy.special.expit", "jax.scipy.special.gammaln", "jax.scipy.special.logit",
})  # fmt: skip
"""Functions of one array that keep its shape; the dtype of the result does not depend on the sizes."""


_JOINING: Final = frozenset(
    f"jax.numpy.{name}" for name in ("column_stack", "concatenate", "dstack", "hstack", "stack", "vstack")
)
"""Functions that make one array of many alike, and raise where there is none (`array` gives float32[0] then)."""
_INITIALIZERS: Final = ("jax._src.nn.initializers", "jax.nn.initializers")


_OF_ANY: Final = frozenset({"jax.numpy.array", "jax.numpy.asarray"})


_NUMBERS: Final = (bool, int, float, complex)
_KINDS: Final = tuple((kind,) for kind in _NUMBERS)


def partial_result(engines: Together, it: Interpreter, function: Any, call: Call) -> Value:
    """The dtype, and where it is kept the shape, of an elementwise function's result; MISSING if nothing is known."""
    if getattr(function, "__module__", "") in _INITIALIZERS and function.__name__ in ("init", "zeros", "ones"):
        return draw(
            it,
            function,
            call.args,
            call.kwargs,
            lambda given, named: _asked(engines, it, function, Call(given, named, call.node)),
        )
    if call.args and isinstance(call.args[0], ListValue) and _name(function) in _JOINING | _OF_ANY:
        return _joined(engines, it, function, call, _name(function) in _OF_ANY and not call.args[0].has_items)
    if not call.args or not isinstance(call.args[0], ArrayValue) or _name(function) not in _ELEMENTWISE:
        return MISSING
    aval = call.args[0].aval
    if aval.dtype is None or aval.weak_type is None or len(call.args) > 1 or call.kwargs:
        return MISSING
    probe = ArrayValue(ShapedArray((1,), aval.dtype, aval.weak_type), call.args[0].traced)
    with it.quietly():
        result = engines.call(it, function, Call([probe], {}, call.node))
    if not isinstance(result, ArrayValue):
        return MISSING
    return it.array(ShapedArray(aval.shape, result.aval.dtype, result.aval.weak_type), result.traced, call.node)


def _joined(engines: Together, it: Interpreter, function: Value, call: Call, may_be_empty: bool) -> Value:
    """What comes of a list of alike arrays or numbers of which it is not known how many there are.

    Of none it is an error, or, where it may be empty, an array without elements, of the default dtype.
    """
    many, *rest = call.args
    assert isinstance(many, ListValue)
    element = many.element
    is_number = type(element) in _NUMBERS or (isinstance(element, ScalarValue) and element.kinds in _KINDS)
    is_array = (isinstance(element, ArrayValue) and element.aval.dtype is not None) or (
        isinstance(element, NumPyValue) and element.dtype is not None
    )
    if many.items is not None or not (is_array or is_number):
        return MISSING
    results: list[ShapedArray] = []
    for count in (1, 2, 3):  # sizes are linear in how many there are
        with it.quietly():
            found = engines.call(it, function, call.with_args([ListValue([element] * count), *rest]))
        if not isinstance(found, ArrayValue) or found.aval.shape is None:
            return MISSING
        results.append(found.aval)
    size = as_dim(fresh_size(it, "n") if many.length is None else many.length)
    shape = tuple(map(functools.partial(_linear, size), *(aval.shape for aval in results if aval.shape is not None)))
    aval = results[0]
    weak = aval.weak_type if all(other.weak_type is aval.weak_type for other in results) else None
    if any(other.dtype != aval.dtype for other in results):
        return MISSING
    if may_be_empty:
        with it.quietly():
            empty = engines.call(it, function, call.with_args([ListValue([]), *rest]))
        if not isinstance(empty, ArrayValue):
            return MISSING
        return it.array(_either(ShapedArray(shape, aval.dtype, weak), empty.aval), is_traced(element), call.node)
    return it.array(ShapedArray(shape, aval.dtype, weak), is_traced(element), call.node)


def _either(many: ShapedArray, empty: ShapedArray) -> ShapedArray:
    """What is known of an array that has one axis of any size, or none if it has no elements."""
    shape = many.shape if many.shape is not None and len(many.shape) == 1 else None
    dtype = many.dtype if many.dtype == empty.dtype else None
    is_weak = many.weak_type if dtype is not None and many.weak_type is empty.weak_type else None
    return ShapedArray(shape, dtype, is_weak)


def _linear(count: Dim, one: Dim, two: Dim, three: Dim) -> Dim:
    """A size for any count, of those for one, two and three."""
    if one == two == three:
        return one
    if isinstance(one, int) and isinstance(two, int) and isinstance(three, int) and two - one == three - two:
        return add_dims([multiply_dims([count, two - one]), 2 * one - two])
    return None


def _asked(engines: Together, it: Interpreter, function: Value, call: Call) -> Value:
    try:
        return engines.asker.ask(it, function, call)
    except Abort as abort:
        return it.unknown(abort.why)


def _name(function: Value) -> str:
    module = (getattr(function, "__module__", "") or "").replace("jax._src.", "jax.")
    module = {"jax.nn.functions": "jax.nn", "jax.lax.lax": "jax.lax", "jax.scipy.special": "jax.scipy.special"}.get(
        module, module
    )
    return f"{module}.{getattr(function, '__name__', '')}"
