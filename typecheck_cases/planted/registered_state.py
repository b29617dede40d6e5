"""A dataclass registered as a pytree goes through `jit` and `while_loop`."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.tree_util.register_dataclass, data_fields=["x", "r", "p", "k"], meta_fields=["tolerance"])
@dataclass
class State:
    x: jax.Array
    r: jax.Array
    p: jax.Array
    k: int
    tolerance: float = 1e-5

    def running(self):
        return (self.r @ self.r > self.tolerance**2) & (self.k < 50)  # mistake a: return jnp.abs(self.r) > self.tolerance [array-shape]


def conjugate_gradient(matvec, b):
    def step(s):
        ap = matvec(s.p)
        alpha = (s.r @ s.r) / (s.p @ ap)
        r = s.r - alpha * ap
        beta = (r @ r) / (s.r @ s.r)
        return State(s.x + alpha * s.p, r, r + beta * s.p, s.k + 1)  # mistake b: return State(s.x + alpha * s.p, r, beta, s.k + 1) [array-shape]

    start = State(jnp.zeros_like(b), b, b, 0)
    return jax.lax.while_loop(State.running, step, start)  # shows a  # shows b


@jax.jit
def solve(a, b):
    state = conjugate_gradient(lambda v: a @ v, b)
    return state.x, state.k  # mistake: return state.x, state.iterations [call]


a = jnp.diag(jnp.arange(1.0, 6.0)) + 0.1
x, k = solve(a, jnp.ones(5))
print(x, k)
