"""A small program that is followed before others, so that processes forked afterwards find everything in use.

CPython specializes the code that runs often, and much is imported and computed where it is first needed: a process that
is forked before has to do all that itself, a third of the time that a program of 150 lines takes.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.start.program import Result, interpret
from arraytyping.checker.swallowed import swallow

__all__ = ["exercise"]

_PROGRAM: Final = """
import functools
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


@dataclass
class Config:
    layers: int = 3
    names: tuple = ("a", "b")


class State(NamedTuple):
    w: jax.Array
    b: jax.Array


class Model:
    def __init__(self, n):
        self.n = n
        key, other = jax.random.split(jax.random.key(0))
        self.w = jax.random.normal(key, (4, n)) + jax.random.uniform(other, (n,))

    def __call__(self, x, *, scale=1.0):
        y = jnp.tanh(x @ self.w) * scale
        return y[:, None, :2].reshape(-1, 2).sum(axis=0)


def init(config):
    return {f"layer{i}": {"w": jnp.zeros((4, 4)), "b": jnp.ones(4)} for i in range(config.layers)}


@functools.partial(jax.jit, static_argnames=("centered",))
def step(params, x, centered=True):
    for name, part in params.items():
        x = jnp.maximum(x @ part["w"] + part["b"], 0)
        if centered and x.ndim > 1:
            x = x - x.mean(axis=-1, keepdims=True)
    return x.T[0], jnp.concatenate([x, x], axis=1).astype(jnp.bfloat16)


def main():
    params = init(Config())
    model = Model(6)
    total = 0.0
    for i in range(3):
        try:
            a, b = step(params, jnp.ones((8, 4)) + i)
            total += float(a.sum())
        except ValueError as e:
            print(f"{e} {i:3d}")
    shown = model(jnp.ones((8, 4)))
    state = State(jnp.ones(3), b=jnp.arange(4))._replace(w=jnp.zeros((2, 3)))
    rows = [x * 2 for x in np.linspace(0, 1, 5) if x is not None]
    with jax.named_scope("scope"):
        print(shown, state.w * jnp.where(state.w > 0, state.w, 1.0))

    def loss(w, x):
        return jnp.sum(jax.nn.relu(x @ w) ** 2)

    value, gradient = jax.value_and_grad(loss)(model.w, jnp.ones((8, 4)))
    last, all_ = jax.lax.scan(lambda c, x: (c + x, c * x), jnp.zeros(3), jnp.ones((5, 3)))
    mapped = jax.vmap(jnp.dot)(all_, all_) + jnp.einsum("ij,ij->i", all_, all_)
    return lambda q: q + len(rows) * value, jax.tree.map(lambda p: p * 0.1, gradient), last, mapped


if __name__ == "__main__":
    main()
"""


def exercise() -> Result | None:
    """Follow the program, and say what was found; None if that cannot be done, as where no file can be written.

    It starts no threads, after which no process could be forked: it asks jax nothing that needs a device.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="arraytyping-") as folder:
            path = Path(folder, "exercise.py")
            path.write_text(_PROGRAM, encoding="utf-8")
            return interpret(path)
    except Exception as error:  # what follows is followed all the same
        swallow(error)
        return None
