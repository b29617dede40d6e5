"""JAX's `jvp`, `vjp`, `linearize` and `linear_transpose`: a result, with its tangent or a function that gives more.

Source: https://docs.jax.dev/en/latest/jax.html, automatic differentiation.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.derivative_sentences import cotangent_sentence
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.engines.structures import weaken
from arraytyping.checker.flow.libraries.jax_transformations import untraced_like, without_weak_complex
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter, Raised
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays, to_array
from arraytyping.checker.flow.values import MISSING, ArrayValue, HandlerValue, Unknown, Value, is_traced
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.sizes.dims import differ

__all__: list[str] = []


@handles("jax.jvp")
def _jvp(it: Interpreter, call: Call) -> Value:
    """`jax.jvp(f, primals, tangents)`: asked of jax, by the rules that the program has for derivatives."""
    it.differentiating += 1
    try:
        return it.engines.call(it, it.engines.jax.jax.jvp, call)
    finally:
        it.differentiating -= 1


@handles("jax.vjp")
def _vjp(it: Interpreter, call: Call) -> Value:
    """`jax.vjp(f, *primals)`: the result, and a function from its cotangent to those of the primals."""
    return _both_ways(it, "vjp", call)


@handles("jax.linearize")
def _linearize(it: Interpreter, call: Call) -> Value:
    """`jax.linearize(f, *primals)`: the result, and a function from tangents to its tangent."""
    return _both_ways(it, "linearize", call)


def _both_ways(it: Interpreter, name: str, call: Call) -> Value:
    """Ask for the result, and what the other function gives for a cotangent or tangents like its own."""
    if not call.args:
        return it.fail(call.node, "array-call", f"TypeError: {name}() missing a required argument: 'fun'")
    function, primals = call.args[0], call.args[1:]
    has_aux = call.kwargs.get("has_aux") is True
    outside = it.staged > 0 or any(map(is_traced, primals))
    jax = it.engines.jax.jax

    if it.engines.is_live:  # the function that it gives is a pytree of tracers

        def live(cb: Any, *p: Any) -> Any:
            return getattr(jax, name)(cb, *p, has_aux=has_aux)

        return it.engines.asker.ask(it, live, call.with_kwargs({}))

    may_refuse = False

    def ask(cb: Any, *p: Any) -> Any:
        nonlocal may_refuse
        out = getattr(jax, name)(cb, *p, has_aux=has_aux)
        aux = out[2] if has_aux else None
        given = (jax.tree.map(_one_like, out[0]),) if name == "vjp" else tuple(jax.tree.map(_one_like, v) for v in p)
        may_refuse, suppressed = True, it.suppressed
        with it.quietly():  # a rule of the program runs when that function is called, which may be meant to fail
            pulled = out[1](*given)
        may_refuse = it.suppressed > suppressed
        return out[0], pulled, aux

    def _one_like(leaf: Value) -> Value:
        if not jax.numpy.issubdtype(jax.numpy.result_type(leaf), jax.numpy.inexact):
            return it.engines.jax.numpy.zeros(jax.numpy.shape(leaf), jax.dtypes.float0)
        return jax.numpy.ones_like(leaf)

    ask.__name__ = name
    it.differentiating += 1
    answer: Any = MISSING
    try:
        answer = it.engines.asker.ask(it, ask, Call([function, *primals], {}, call.node), True)
        if isinstance(answer, tuple) and len(answer) == 3:
            answer = (answer[0], without_weak_complex(it, answer[1], call.node), answer[2])
    except Abort:
        pass
    except Raised:
        if not may_refuse:
            raise
    finally:
        it.differentiating -= 1
    if isinstance(answer, tuple) and len(answer) == 3:
        out, given, aux = answer
    else:
        called: Any = it.call(function, [untraced_like(it, p, outside, call.node) for p in primals], {}, call.node)
        pair = isinstance(called, tuple) and len(called) == 2
        out, aux = (called if pair else (it.unknown(f"the result of {name}"),) * 2) if has_aux else (called, None)
        given = _cotangents(it, tuple(primals) if name == "vjp" else out, outside, call.node)

    def other(it: Interpreter, call: Call) -> Value:
        it.obscure += may_refuse
        if name == "vjp":
            _check_cotangent(it, out, call.positional(0, MISSING), call.node)
        traced = outside or any(map(is_traced, call.args)) or it.staged > 0
        return map_arrays(
            it, given, lambda leaf: leaf.as_traced(traced) if isinstance(leaf, ArrayValue) else leaf, call.node
        )

    handler = HandlerValue(f"{name} function", other, (), (name, tuple(primals), out))
    return (out, handler, aux) if has_aux else (out, handler)


def _cotangents(it: Interpreter, primals: Value, traced: bool, node: ast.AST | None) -> Value:
    """Cotangents are like the primals; those of integers have the dtype float0."""

    def change(leaf: Value) -> Value:
        array = to_array(it, leaf, node)
        if not isinstance(array, ArrayValue):
            return leaf
        aval = array.aval
        dtype = aval.dtype
        if dtype is not None and (dtype.startswith(("int", "uint", "key<")) or dtype == "bool"):
            return Unknown("a cotangent of integers")
        return ArrayValue(
            ShapedArray(aval.shape, dtype, False if aval.weak_type is False else None), traced, array.origin
        )

    return map_arrays(it, primals, change, node)


def _check_cotangent(it: Interpreter, out: Value, given: Value, node: ast.AST | None) -> None:
    """The cotangent that a pullback takes is like the function's result."""
    given = to_array(it, given, node)
    if not isinstance(out, ArrayValue) or not isinstance(given, ArrayValue):
        return
    a, b = out.aval, given.aval
    wrong_shape = (
        a.shape is not None
        and b.shape is not None
        and (len(a.shape) != len(b.shape) or any(map(differ, a.shape, b.shape)))
    )
    wrong_dtype = a.dtype is not None and b.dtype is not None and a.dtype != b.dtype
    if wrong_shape or wrong_dtype:
        code = "array-shape" if wrong_shape else "array-dtype"
        it.fail(node, code, cotangent_sentence(a, b))


@handles("jax.linear_transpose")
def _linear_transpose(it: Interpreter, call: Call) -> Value:
    it.engines.havoc(it, call.args[:1])
    primals = _of_structs(it, call.args[1:], call.node)
    if isinstance(primals, Unknown):
        return primals
    return HandlerValue(
        "transposed function", lambda i, call: _cotangents(i, primals, any(map(is_traced, call.args)), call.node)
    )


def _of_structs(it: Interpreter, primals: list[Value], node: ast.AST | None) -> Any:
    """The primals of which only shapes and dtypes may be given, as arrays."""
    jax = it.engines.jax.jax

    def as_arrays(*given: Any) -> Any:
        return jax.tree.map(lambda leaf: jax.numpy.zeros(leaf.shape, leaf.dtype), given)

    try:  # what a transposed function gives may be weakly typed or not, as its operations are
        return weaken(it.engines.asker.ask(it, as_arrays, Call(list(primals), {}, node)))
    except Abort as abort:
        return it.unknown(abort.why)
