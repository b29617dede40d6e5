"""NumPy's functions on JAX arrays and tracers: some call methods of what they are given, others convert it."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.engines.differentiated import differentiated
from arraytyping.checker.flow.engines.numpy_arguments import RULES
from arraytyping.checker.flow.engines.numpy_signatures import ARRAYS, MUTATING, SIZED_BY_ELEMENTS
from arraytyping.checker.flow.engines.numpy_values import (
    contains_traced,
    is_key,
)
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, ArrayValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["call_on_jax"]


_BY_METHOD_NAMES: Final = """
    all amax amin any argmax argmin around array_split cumprod cumsum flip hsplit imag isreal max mean min moveaxis
    permute_dims prod real repeat reshape rollaxis round searchsorted split squeeze std sum swapaxes transpose unstack
    var vsplit
"""


_BY_METHOD: Final = frozenset(_BY_METHOD_NAMES.split())
"""Functions that use methods and operators of what is no NumPy array: of JAX arrays, tracers too, they give such."""


_UNSURE_NAMES: Final = """
    choose compress nonzero astype cumulative_sum cumulative_prod select argsort array_equal array_equiv
    diag_indices_from tril_indices_from triu_indices_from apply_over_axes block
"""


_UNSURE: Final = frozenset(_UNSURE_NAMES.split())
"""Functions of which it depends on more than is looked at here what they do with a JAX array."""


def call_on_jax(it: Interpreter, function: Value, name: str, call: Call) -> Value:
    """The result of a function of NumPy on JAX arrays, where it is one itself; MISSING: the arrays are converted."""
    tracer = contains_traced(call.values)
    if name in _BY_METHOD and not any(is_key(v) for v in call.args):
        asker = getattr(it.engines, "asker", None)
        try:
            if asker is None:
                return it.unknown(f"numpy.{name} of a JAX array")
            if tracer is not None:
                return asker.ask(it, function, call)
            with it.quietly():
                return asker.ask(it, function, call)
        except Abort:
            # A list of arrays NumPy makes an array of, and jax.numpy refuses.
            is_array = bool(call.args) and type(call.args[0]) is ArrayValue
            found = it.engines.rules.evaluate(it, f"numpy.{name}", call, jax_refused=True) if is_array else MISSING
            return it.unknown(f"numpy.{name} of a JAX array") if found is MISSING else found
    if name in _UNSURE or name in MUTATING:
        return it.unknown(f"numpy.{name} of a JAX array") if name in _UNSURE else MISSING
    is_known = name in ARRAYS or name in SIZED_BY_ELEMENTS or name in RULES
    if tracer is None and is_known:
        tracer = differentiated(it, call.values)
    if tracer is None:
        return MISSING
    if not is_known:
        return it.unknown(f"numpy.{name} of a tracer")
    message = f"numpy.{name} needs a value, but {tracer.aval} is a tracer, which has none yet; use jax.numpy"
    return it.fail(call.node, "array-traced", message)
