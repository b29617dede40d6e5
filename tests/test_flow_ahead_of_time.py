"""Functions that are lowered and compiled before they are called, against JAX."""

from __future__ import annotations

from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.state.showing import show

SOURCE = """
import functools
import jax, jax.numpy as jnp

@functools.partial(jax.jit, static_argnums=1)
def tiled(x, n, scale=2.0):
    return jnp.tile(x, n) * scale

@functools.partial(jax.jit, static_argnames=("n",))
def named(x, n):
    return jnp.tile(x, n)

def product():
    return jax.jit(lambda x: {"a": x @ x.T}).lower(jax.ShapeDtypeStruct((4, 3), jnp.bfloat16)).compile()

a = product()(jnp.ones((4, 3), jnp.bfloat16))["a"]
b = tiled.lower(jnp.ones(3), 2).compile()(jnp.ones(3))
c = tiled.trace(jnp.ones(3), 2, 3).lower().compile()(jnp.ones(3), 3)
d = tiled.lower(jnp.ones(3), 2).as_text()
e = jax.jit(lambda x: (x * 2, x.sum())).eval_shape(jnp.ones(3, jnp.int8))
f = named.lower(jnp.ones(3), n=2).compile()(jnp.ones(3))
g = tiled.eval_shape(jnp.ones(3), 4)
"""


def test_compiled_functions_give_what_jax_gives() -> None:
    variables, result = interpreted(SOURCE)
    assert not result.crashes
    assert not result.diagnostics
    assert wrong_claims(SOURCE, variables, run(SOURCE)) == []
    found = {name: show(variables[name]) for name in "abcd"}
    assert found == {"a": "bfloat16[4, 4]", "b": "float32[6]", "c": "float32[6]", "d": "a Python str"}
    assert [(v.shape, v.dtype.name) for v in variables["e"]] == [((3,), "int8"), ((), "int32")]
    assert variables["g"].shape == (12,)


def test_what_pmap_gives_is_compiled_ahead_of_time() -> None:
    source = """
import jax
import jax.numpy as jnp

def scaled(x, n):
    return x * n, jax.lax.pmean(x, "devices")

plain = jax.pmap(lambda x: x + 1)
x = jnp.ones((1, 3))
a = plain.lower(x).compile()(x)
static = jax.pmap(scaled, axis_name="devices", static_broadcasted_argnums=1)
b = static.lower(x, 2).compile()(x)
"""
    variables, result = interpreted(source)
    assert not result.diagnostics
    assert str(variables["a"].aval) == "float32[1, 3]"
    assert [str(v.aval) for v in variables["b"]] == ["float32[1, 3]", "float32[1, 3]"]
    told = {name: variables[name] for name in ("a", "b")}
    real = run(source)
    assert wrong_claims(source, told, {name: real[name] for name in told}) == []
