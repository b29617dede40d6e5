"""What has no known rank may be a NumPy scalar: nothing is said that holds for arrays alone."""

from __future__ import annotations

import pytest
from flow_values import interpreted

SOURCE = """
import sys
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np

F = np.array([eval(line) for line in sys.stdin], dtype=np.int32)
for row in F:
    pass
x = {made}
"""


@pytest.mark.parametrize("made", ["row", "F[0]", "F.sum(axis=0)", "F + 1", "np.max(F, axis=0)", "abs(F)"])
def test_whether_it_is_an_array_is_not_known(made: str) -> None:
    body = (
        "is_array, is_text = isinstance(x, np.ndarray), isinstance(x, (str, dict))\nis_type = type(x) is np.ndarray\n"
    )
    variables, _ = interpreted(SOURCE.format(made=made) + body)
    assert (variables["is_array"], variables["is_type"]) != (True, True)
    assert type(variables["is_array"]) is not bool
    assert variables["is_text"] is False


def test_it_may_be_hashed() -> None:
    body = """
@partial(jax.jit, static_argnums=0)
def f(n, y):
    return y
pair = tuple(sorted((x, x)))
seen = {pair: 1, x: 2}
print({x}, hash(x), f(x, 1.0), pair in seen)
"""
    _, result = interpreted(SOURCE.format(made="F[0]") + body)
    assert result.diagnostics == []


@pytest.mark.parametrize("made", ["np.zeros(3)", "np.zeros((3, 3))[0]"])
def test_an_array_may_not(made: str) -> None:
    _, result = interpreted(SOURCE.format(made=made) + "print({x: 1})\n")
    (message,) = [m.message for m in result.diagnostics]
    assert message == "TypeError: unhashable type: 'numpy.ndarray', as a key of a dict"
