"""References to arrays that can be written: `jax.new_ref`, and what a kernel is given.

Source: https://docs.jax.dev/en/latest/array_refs.html.
"""

from __future__ import annotations

import ast

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.references import content
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.traced_arguments import to_array
from arraytyping.checker.flow.values import ArrayValue, RefValue, Value
from arraytyping.semantics.avals import ShapedArray


@handles("jax.new_ref", "jax.ref.new_ref", "jax.array_ref")
def _new_ref(it: Interpreter, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None) -> Value:
    given = to_array(it, args[0] if args else kwargs.get("init_val"), node)
    if not isinstance(given, ArrayValue):
        return it.unknown("a reference")
    aval = given.aval
    return RefValue(ShapedArray(aval.shape, aval.dtype, aval.weak_type), given.origin)


@handles("jax.freeze", "jax.ref.freeze")
def _freeze(it: Interpreter, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None) -> Value:
    ref = args[0] if args else kwargs.get("ref")
    return content(it, ref) if isinstance(ref, RefValue) else it.unknown("what a reference refers to")
