"""Schedules of optax that are made of numbers which are not known, against their runs."""

from __future__ import annotations

import pytest
from flow_values import difference, interpreted, run

_START = """
import jax
import jax.numpy as jnp
import optax

text = open(optax.__file__).read()
n = len(text)
"""


@pytest.mark.parametrize(
    "made",
    [
        "optax.cosine_decay_schedule(1e-3, n)",
        "optax.linear_schedule(1e-3, 0.0, n)",
        "optax.exponential_decay(1e-3, n, 0.99)",
        "optax.exponential_decay(1e-3, int(0.1 * n), 0.99, staircase=True)",
        "optax.polynomial_schedule(1e-3, 0.0, 1, n // 2)",
        "optax.warmup_cosine_decay_schedule(0.0, 1e-3, n, 10 * n)",
        "optax.warmup_cosine_decay_schedule(0.0, 1e-3, 100, decay_steps=10 * n, end_value=0.0)",
        "optax.warmup_cosine_decay_schedule(0.0, 1e-3, int(0.1 * n), n)",
        "optax.warmup_cosine_decay_schedule(0.0, 1e-3 * (n / 7), 4, n)",
        "optax.warmup_exponential_decay_schedule(0.0, 1e-3, int(0.1 * n), n, 0.9)",
        "optax.warmup_constant_schedule(0.0, 1e-3, int(0.1 * n))",
        "optax.constant_schedule(n / 7)",
        "optax.linear_onecycle_schedule(n, 1e-3)",
        "optax.join_schedules([optax.linear_schedule(0.0, 1e-3, n), optax.linear_schedule(1e-3, 0.0, 3 * n)], [n])",
        "optax.join_schedules([optax.linear_schedule(0.0, 1e-3, int(n / 9)), optax.constant_schedule(1e-3)], [5])",
    ],
)
def test_schedules_of_as_many_steps_as_the_data_says(made: str) -> None:
    """The rate at a number of Python, at an array, in a jitted function; and what an optimizer makes of it."""
    source = f"""{_START}
schedule = {made}
a = schedule(3)
b = schedule(jnp.int32(3))
c = jax.jit(schedule)(4)
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule))
params = {{"w": jnp.ones((3, 2)), "b": jnp.zeros(2, jnp.bfloat16)}}
state = optimizer.init(params)

@jax.jit
def step(params, state):
    grads = jax.grad(lambda p: jnp.sum(p["w"] ** 2) + jnp.sum(p["b"]))(params)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state

params, state = step(params, state)
d, e = params["w"], params["b"]
"""
    known, result = interpreted(source)
    assert not result.diagnostics
    real = run(source)
    assert not {name: text for name in "abcde" if (text := difference(known[name], real[name])) is not None}
    assert (known["d"].aval.dtype, known["d"].aval.shape) == ("float32", (3, 2))
    assert (known["e"].aval.dtype, known["e"].aval.shape) == ("bfloat16", (2,))
    assert "Unknown" not in repr([known["b"], known["c"]])


def test_a_number_of_steps_that_optax_refuses() -> None:
    _, result = interpreted(f"{_START}\nschedule = optax.cosine_decay_schedule(1e-3, 0)\n")
    assert [d.code for d in result.diagnostics] == ["array-call"]
