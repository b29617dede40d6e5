"""Transformations that have arguments of their own beside those that are mapped."""

from __future__ import annotations

import re

from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import ArrayValue


def test_static_arguments_of_pmap() -> None:
    """They go to each device as they are; by which number they are known counts the mapped ones, too."""
    variables, found = interpreted(
        """
import jax, jax.numpy as jnp

def made(n, x, scale):
    return jnp.ones((n, 2)) * x.sum() * scale

first = jax.pmap(made, static_broadcasted_argnums=(0,), in_axes=(None, 0, None))
a = first(3, jnp.ones((1, 5)), 2.0)

def chosen(x, mode):
    return x if mode == "all" else x.sum()

second = jax.pmap(chosen, axis_name="devices", static_broadcasted_argnums=1)
b = second(jnp.ones((1, 5)), "all")
c = second(jnp.ones((1, 5)), "sum")
d = jax.pmap(chosen, "devices", static_broadcasted_argnums=a)(jnp.ones((1, 5)), "sum")
"""
    )
    assert not [m for m in found.diagnostics if m.is_certain]
    assert [str(variables[name].aval) for name in "abc"] == ["float32[1, 3, 2]", "float32[1, 5]", "float32[1]"]


def test_static_arguments_of_pmap_beside_what_is_unknown() -> None:
    """Where another argument is unknown they are no tracers either, by whatever number they are known."""
    variables, found = interpreted(
        """
import functools
import jax, jax.numpy as jnp
import a_module_that_is_not_there as other

@functools.partial(jax.jit, static_argnames="mode")
def inner(x, w, mode):
    return w * 2 if mode else w.sum()

@functools.partial(jax.pmap, axis_name="devices", static_broadcasted_argnums=(1, 3), in_axes=(0, None, 0, None))
def mapped(x, mode, w, n):
    return inner(x, w, mode) + jnp.ones(n).sum()

a = mapped(other.data, True, jnp.ones((1, 5)), 3)
b = mapped(other.data, False, jnp.ones((1, 5)), 3)
c = jax.pmap(inner, static_broadcasted_argnums=other.numbers)(other.data, jnp.ones((1, 5)), True)
"""
    )
    assert not [m for m in found.diagnostics if m.is_certain]
    assert [str(variables[name].aval) for name in "ab"] == ["float32[1, 5]", "float32[1]"]


def test_many_alike_arrays_are_put_together() -> None:
    """A size that hangs on how many there are is unknown; `array` of none would be float32."""
    variables, found = interpreted(
        """
import jax, jax.numpy as jnp
key, *keys = jax.random.split(jax.random.PRNGKey(0), 4 * len(jax.devices()) + 1)
keys += keys[:0]  # what is written to has no known length
a = jnp.stack(keys)
b = jnp.stack(keys, axis=1)
c = jnp.concatenate([k[None] for k in keys])
d = jnp.hstack(keys)
e = jnp.array(keys)
f = jnp.vstack([jnp.ones((1, 3), jnp.bfloat16) for _ in keys])
g = jnp.stack(keys, axis=5)
"""
    )
    shown = [re.sub(r"n\d+", "n", str(variables[name].aval)) for name in "abcdf"]
    assert shown == ["uint32[n, 2]", "uint32[2, n]", "uint32[n, 2]", "uint32[2*n]", "bfloat16[n, 3]"]
    assert all(not isinstance(variables[name], ArrayValue) or variables[name].aval.dtype is None for name in "eg")
    assert not [m for m in found.diagnostics if m.is_certain]


def test_a_transposed_function_gives_arrays() -> None:
    """Of its primals only shapes and dtypes may be given."""
    source = """
import jax, jax.numpy as jnp
A, v = jnp.ones((3, 5)), jnp.ones(5)
_, pulled = jax.vjp(lambda x: A @ x, v)
a = jax.linear_transpose(lambda ct: pulled(ct)[0], jax.ShapeDtypeStruct((3,), "float32"))(v)[0] + 1
kinds = {"k": jax.ShapeDtypeStruct((5,), jnp.bfloat16)}
given = {"a": jnp.ones(3), "b": jnp.ones(5, jnp.bfloat16)}
b = jax.linear_transpose(lambda x: {"a": A @ x["k"], "b": x["k"] * 2}, kinds)(given)[0]["k"]
c = jax.linear_transpose(lambda x, y: x + y, v, v)(v)
d = jax.jit(lambda x: jax.linear_transpose(lambda y: A @ y, x)(jnp.ones(3))[0])(v)
"""
    told, found = interpreted(source)
    real = run(source)
    assert found.diagnostics == []
    assert wrong_claims(source, {n: told[n] for n in "abcd"}, {n: real[n] for n in "abcd"}) == []
    assert [str(told[n].aval) for n in "abd"] == ["float32[3]", "bfloat16[5]", "float32[5]"]
