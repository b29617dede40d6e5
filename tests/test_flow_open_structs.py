"""Comparisons of shapes and dtypes of sizes that are not known: jax says of two symbols that they are different."""

from __future__ import annotations

import pytest
from flow_values import interpreted, is_known, run, wrong_claims

_HEAD = "import os\nimport equinox as eqx\nimport jax\nimport jax.numpy as jnp\n"
_SIZES = "n, m = int(os.environ.get('N', '3')), int(os.environ.get('M', '3'))\n"
PROGRAMS = {
    "made": _SIZES
    + """
def structs():
    return jax.ShapeDtypeStruct((n,), jnp.float32), jax.ShapeDtypeStruct((m,), jnp.float32)
""",
    "asked for": _SIZES
    + """
def structs():
    return jax.eval_shape(lambda: jnp.ones(n)), jax.eval_shape(lambda: jnp.ones(m))
""",
    "alternatives": """
def structs():
    matrix = [jnp.ones((3, 3)), jnp.ones((2, 3)), jnp.ones((3, 2))][int(os.environ.get("I", "0"))]
    value = matrix @ jnp.ones(matrix.shape[1])
    return jax.eval_shape(lambda: value), jax.eval_shape(lambda x: x @ jnp.ones(x.shape[1]), matrix)
""",
    "traced": _SIZES
    + """
def structs():
    out = []
    @jax.jit
    def f(x, y):
        out.extend([jax.eval_shape(lambda: x), jax.eval_shape(lambda: y)])
        return x
    f(jnp.ones(n), jnp.ones(m))
    return out
""",
}
_ASKED = """
c = (lambda a, b: a == b)(*structs())
d = (lambda a, b: a != b)(*structs())
e = (lambda a, b: a.shape == b.shape)(*structs())
f = (lambda a, b: [a] == [b] and (a, 1) == (b, 1))(*structs())
g = (lambda a, b: eqx.tree_equal(a, b) is True)(*structs())
h = (lambda a, b: eqx.tree_equal({"a": a}, {"a": b}))(*structs())
i = (lambda a, b: eqx.tree_equal(jnp.zeros(a.shape), jnp.zeros(b.shape)) is False)(*structs())
j = (lambda a, b: a.shape[0] == b.shape[0])(*structs())
"""


@pytest.mark.parametrize("name", [*PROGRAMS])
def test_structs_of_sizes_that_are_not_known_may_be_equal(name: str) -> None:
    program = _HEAD + PROGRAMS[name] + _ASKED
    values, result = interpreted(program)
    assert not result.diagnostics
    assert not wrong_claims(program, values, run(program))


def test_what_is_the_same_for_all_sizes_is_known() -> None:
    program = (
        _HEAD
        + _SIZES
        + """
def structs():
    return jax.eval_shape(lambda: jnp.ones((n, 2))), jax.eval_shape(lambda: jnp.ones((m, 2), jnp.int32))
c = (lambda a, b: a == a)(*structs())
d = (lambda a, b: a == b)(*structs())
e = (lambda a, b: a == jax.ShapeDtypeStruct((3,), jnp.float32))(*structs())
f = (lambda a, b: eqx.tree_equal(a, a))(*structs())
g = eqx.is_array(jnp.ones(n)), eqx.is_inexact_array(jnp.ones((n, m), jnp.int32))
x = jnp.zeros(jax.ShapeDtypeStruct((n, 4), jnp.float16).shape, jnp.float16)
"""
    )
    values, result = interpreted(program)
    assert not result.diagnostics
    assert not wrong_claims(program, values, run(program))
    assert (values["c"], values["d"], values["e"]) == (True, False, False)
    assert values["g"] == (True, False)
    assert is_known(values["x"])
