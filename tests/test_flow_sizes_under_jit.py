"""Operators and methods of arrays whose sizes are not known to be the same: as outside of `jit`, so in it."""

from __future__ import annotations

import pytest
from flow_values import interpreted

SOURCE = """
import jax
import jax.numpy as jnp
import numpy as np
a, b = np.load("a.npy"), np.load("b.npy")
x, y = jnp.zeros(len(a)), jnp.zeros(len(b), jnp.bfloat16)
def f(x, y):
    return {expression}
plain = f(x, y)
jitted = jax.jit(f)(x, y)
mapped = jax.vmap(f)(jnp.zeros((3, len(a))), jnp.zeros((3, len(b)), jnp.bfloat16))
graded = jax.grad(lambda x: jnp.sum(f(x, y)).astype(float))(x)
"""
EXPRESSIONS = {
    "x - y": "float32[?]", "y * x": "float32[?]", "x[:-1] + y": "float32[?]", "x > y": "bool[?]",
    "x.clip(y)": "float32[?]", "x.reshape(2, -1) + y": "float32[2, ?]", "-(x - y)": "float32[?]",
    "(x - y).sum()": "float32[]", "jnp.where(x > 0, x, y)": "float32[?]",
}  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_what_is_known_outside_is_known_inside(expression: str) -> None:
    variables, result = interpreted(SOURCE.format(expression=expression))
    assert not result.diagnostics
    shown = EXPRESSIONS[expression]
    assert repr(variables["plain"]) == f"ArrayValue({shown})"
    assert repr(variables["jitted"]) == f"ArrayValue({shown})"
    mapped = variables["mapped"].aval
    assert (mapped.dtype, len(mapped.shape)) == (variables["plain"].aval.dtype, len(variables["plain"].aval.shape) + 1)
    if shown.startswith("float32"):
        assert variables["graded"].aval.dtype == "float32"
