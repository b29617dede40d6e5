"""References to arrays that can be written: `jax.new_ref`, and what a kernel is given.

Source: https://docs.jax.dev/en/latest/array_refs.html.
"""

from __future__ import annotations

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.behaviour.references import content
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.traced_arguments import to_array
from arraytyping.checker.flow.values import ArrayValue, RefValue, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.avals import ShapedArray


@handles("jax.new_ref", "jax.ref.new_ref", "jax.array_ref")
def _new_ref(it: Interpreter, call: Call) -> Value:
    given = to_array(it, call.argument(0, "init_val"), call.node)
    if not isinstance(given, ArrayValue):
        return it.unknown("a reference")
    aval = given.aval
    return RefValue(ShapedArray(aval.shape, aval.dtype, aval.weak_type), given.origin)


@handles("jax.freeze", "jax.ref.freeze")
def _freeze(it: Interpreter, call: Call) -> Value:
    ref = call.argument(0, "ref")
    return content(it, ref) if isinstance(ref, RefValue) else it.unknown("what a reference refers to")
