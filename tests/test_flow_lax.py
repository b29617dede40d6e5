"""What flow knows of the functions of jax.lax where a size is not known: what our rules say, and a run confirms."""

from __future__ import annotations

import random

from flow_values import interpreted, run
from oracle import describes, from_jax

PROGRAM = """
import random
import jax.numpy as jnp
from jax import lax

n = random.randint(2, 5)
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
