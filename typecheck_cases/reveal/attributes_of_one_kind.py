"""Attributes that a class assigns in several places, of one kind each: what mypy knows of them stays."""

import jax.numpy as jnp


class Counter:
    def __init__(self) -> None:
        self.steps = 0
        self.rate = 0.5

    def step(self) -> int:
        self.steps += 1
        self.rate = -0.25
        return self.steps


counter = Counter()
counter.step()
reveal_type(jnp.zeros((counter.steps, 4)))  # R: Array[float32, tuple[int, Literal[4]]]
reveal_type(counter.rate * jnp.ones(3))  # R: Array[float32, tuple[Literal[3]]]
