"""`np.r_` and `np.c_`, whose numbers have no dtype of their own: against NumPy and JAX."""

from __future__ import annotations

import itertools

from flow_values import interpreted, is_known, run, wrong_claims

DTYPES = ("bool_", "int8", "uint8", "int16", "int32", "int64", "uint64", "float16", "float32", "float64", "complex64")
NUMBERS = ("True", "1", "1.5", "2j", "np.float64(2)", "np.int8(3)", "[1.0]", "x", "np.ones(1, np.float16)")


def test_dtypes_of_what_is_joined_with_numbers() -> None:
    source = "import numpy as np\nimport jax.numpy as jnp\n"
    for dtype, number in itertools.product(DTYPES, NUMBERS):
        source += f"x = np.ones(1, np.{dtype})\n"
        name = f"{dtype}_{NUMBERS.index(number)}"
        source += f"r_{name} = np.r_[x, {number}]\nc_{name} = np.c_[x, {number}]\n"
    for number in NUMBERS[:4]:
        source += f"j_{NUMBERS.index(number)} = jnp.r_[jnp.ones(2, jnp.float16), {number}]\n"
    variables, result = interpreted(source)
    assert not result.diagnostics
    real = {name: value for name, value in run(source).items() if name.startswith(("r_", "c_", "j_"))}
    assert wrong_claims(source, {name: variables[name] for name in real}, real) == []
    assert all(is_known(variables[name]) for name in real)
