"""What flow knows of the functions of jax.lax where a size is not known: what our rules say, and a run confirms."""

from __future__ import annotations

import random

from flow_values import interpreted, run
from oracle import describes, from_jax

PROGRAM = """
import random
import jax.numpy as jnp
from jax import lax

n = 2 + int(3 * random.random())
x = jnp.zeros((n, 3), jnp.float32)
product = lax.mul(x, 2.0)
matrix = lax.dot_general(x, product, (((1,), (1,)), ((), ())), precision=lax.Precision.HIGHEST)
greatest, places = lax.top_k(x, 2)
row = lax.reduce_max(x, (0,))
index = lax.argmax(x, 0, jnp.int16)
rounded = lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)
keys, values = lax.sort((x, rounded), dimension=0)
bounded = lax.clamp(0.0, lax.exp(x), 1.0)
chosen = lax.select(x > 0, x, lax.full_like(x, 0))
count = lax.broadcasted_iota(jnp.int32, (n, 4), 1)
numbers = lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,))
taken = lax.gather(x, jnp.zeros((2, 1), jnp.int32), numbers, (1, 3))
images = jnp.zeros((n, 8, 8, 3))
layout = ("NHWC", "HWIO", "NHWC")
features = lax.conv_general_dilated(images, jnp.zeros((3, 3, 3, 4)), (2, 2), "SAME", dimension_numbers=layout)
"""
KNOWN = {
    "product": "float32[?, 3]", "matrix": "float32[?, ?]", "greatest": "float32[?, 2]", "places": "int32[?, 2]",
    "row": "float32[3]", "index": "int16[3]", "rounded": "float32[?, 3]", "keys": "float32[?, 3]",
    "values": "float32[?, 3]", "bounded": "float32[?, 3]", "chosen": "float32[?, 3]", "count": "int32[?, 4]",
    "taken": "float32[2, 3]", "features": "float32[?, 4, 4, 4]",
}  # fmt: skip


def test_sizes_that_are_not_known() -> None:
    variables, result = interpreted(PROGRAM)
    assert not result.diagnostics
    assert {name: str(variables[name].aval) for name in KNOWN} == KNOWN
    random.seed(3)
    real = run(PROGRAM)
    assert [name for name in KNOWN if not describes(variables[name].aval, from_jax(real[name]))] == []


def test_mistakes() -> None:
    """Found whatever the size is, at the line."""
    _, result = interpreted(PROGRAM + "wrong = lax.add(x, 1)\nlax.dot(x, x)\n")
    diagnostics = [(m.line, m.code, m.is_certain) for m in result.diagnostics]
    last = len(PROGRAM.splitlines()) + 1
    assert diagnostics == [(last, "array-dtype", True)]


TANGENTS = """
import jax
import jax.numpy as jnp

def f(v):
    return 2.0 ** v

y, tangent = jax.jvp(f, (3.0,), (1.0,))
_, jitted = jax.jvp(jax.jit(f), (3.0,), (1.0,))
_, exponential = jax.jvp(jnp.exp, (3.0,), (1.0,))
linear = jax.linearize(f, 3.0)[1](1.0)
gradient = jax.grad(f)(3.0)
"""


def test_weak_types_of_tangents() -> None:
    """By which operations a tangent of a Python number comes decides whether it is weak."""
    variables, _ = interpreted(TANGENTS)
    real = run(TANGENTS)
    names = ("y", "tangent", "jitted", "exponential", "linear", "gradient")
    assert {n: variables[n].aval.weak_type for n in names} == {n: real[n].weak_type for n in names}
    assert len({real[n].weak_type for n in names}) == 2
