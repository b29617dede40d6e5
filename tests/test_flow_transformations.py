"""Transformations that have arguments of their own beside those that are mapped."""

from __future__ import annotations

from flow_values import interpreted


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
