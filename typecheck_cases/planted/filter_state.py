"""States whose fields are annotated, as a NamedTuple and as a dataclass."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float32, Int32


class Moments(NamedTuple):
    count: Int32[Array, ""]
    mean: Float32[Array, " d"]
    m2: Float32[Array, " d"]


@dataclass(frozen=True)
class Summary:
    mean: Float32[Array, " d"]
    best: Int32[Array, ""]


def update(state, x):
    count = state.count + 1
    delta = x - state.mean
    mean = state.mean + delta / count
    return Moments(count, mean, state.m2 + delta * (x - mean)), None  # mistake: return Moments(count, mean, delta), jnp.sum(x, axis=1) [array-dim]


def summarise(state):
    best = jnp.argmax(state.mean)  # mistake a: best = jnp.max(state.mean) [array-annotation] silent
    return Summary(state.mean, best)  # shows a


xs = jnp.linspace(0.0, 1.0, 12).reshape(6, 2)
start = Moments(jnp.int32(0), jnp.zeros(2), jnp.zeros(2))
state, _ = jax.lax.scan(update, start, xs)
print(state._replace(m2=state.m2 / state.count))  # mistake: print(state._replace(var=state.m2 / state.count)) [call]
summary = summarise(state)
print(replace(summary, mean=summary.mean * 2), summary.best)  # mistake: print(replace(summary, mean=summary.mean * 2), summary.worst) [call]
