"""A static argument that is an object: JAX knows it by its address, whatever is changed in it."""

from __future__ import annotations

from flow_values import interpreted, run, wrong_claims

PROGRAM = """
import jax, jax.numpy as jnp
from functools import partial

class Agent:
    def __init__(self, size):
        self.size, self.steps, self.weights, self.scale = size, 0, jnp.ones(size), 2.0

    @property
    def width(self):
        return self.size

    @partial(jax.jit, static_argnums=0)
    def update(self, weights, batch):
        traced.append(1)
        return weights + self.scaled(batch).sum(0), jnp.zeros(self.width)

    def scaled(self, batch):
        return batch * self.scale

    def train(self, batch):
        self.steps += 1
        self.weights, self.last = self.update(self.weights, batch)
        return self.weights

traced = []
agent = Agent(3)
for _ in range(5):
    found = agent.train(jnp.ones((4, 3)))
last = agent.last
count = len(traced)
other = Agent(4)
second = other.train(jnp.ones((2, 4)))
number = len(traced)
"""


def test_what_a_function_does_not_read_traces_nothing_anew() -> None:
    variables, result = interpreted(PROGRAM)
    assert not result.diagnostics
    assert wrong_claims(PROGRAM, variables, run(PROGRAM)) == []
    assert str(variables["found"]) == "ArrayValue(float32[3])"
    assert str(variables["second"]) == "ArrayValue(float32[4])"
    assert (variables["count"], variables["number"]) == (1, 2)
