"""Arrays of 64 bits that are left where x64 was switched off again: no width is claimed, and nothing wrong."""

from __future__ import annotations

import warnings

import pytest
from flow_values import interpreted, is_known, run, wrong_claims

_HEAD = """
import jax
import jax.numpy as jnp
with jax.enable_x64(True):
    i = jnp.arange(1, 4)
    f = jnp.linspace(0.1, 0.9, 3)
s = jnp.ones(3)
"""
CALLS = (
    "jnp.sum(i)", "f.mean()", "jax.nn.sigmoid(f)", "i // i", "f * s", "-f", "i.cumsum()", "jax.scipy.special.erf(i)",
    "jnp.concatenate([i, i])", "f.at[0].set(1.0)", "jax.jit(lambda x: x + 1)(f)", "jnp.where(s > 0, f, 0.0)", "i[0]",
    "jax.lax.scan(lambda c, x: (c + x, c), 0.0, f)[1]", "jnp.fft.fftshift(f)", "f.astype(float)",
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_what_is_claimed_of_them_is_so(call: str) -> None:
    program = f"{_HEAD}x = {call}\ny = jnp.ones(2) * 2\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        real = run(program)
    claimed, _ = interpreted(program)
    names = ("x", "y", "i", "f")
    assert not wrong_claims(program, {n: claimed[n] for n in names}, {n: real[n] for n in names})
    assert claimed["x"].aval.shape == real["x"].shape
    assert all(is_known(claimed[name]) for name in ("y", "i", "f"))


def test_what_is_switched_on_for_good_is_known() -> None:
    claimed, _ = interpreted('import jax\njax.config.update("jax_enable_x64", True)\nx = jax.numpy.ones(3).sum()\n')
    assert str(claimed["x"].aval) == "float64[]"
