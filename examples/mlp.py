"""A small network that learns a toy problem: an ordinary JAX program, in which nothing is to be reported."""

from functools import partial
from itertools import pairwise
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float32

RATE = 0.05


class Layer(NamedTuple):
    weights: Float32[Array, "inputs outputs"]
    bias: Float32[Array, "outputs"]


def init(key: jax.Array, sizes: list[int]) -> list[Layer]:
    layers = []
    for inputs, outputs in pairwise(sizes):
        key, sub = jax.random.split(key)
        weights = jax.random.normal(sub, (inputs, outputs)) * jnp.sqrt(2 / inputs)
        layers.append(Layer(weights, jnp.zeros(outputs)))
    return layers


def predict(layers: list[Layer], x: Float32[Array, "batch inputs"]) -> Float32[Array, "batch"]:
    for layer in layers[:-1]:
        x = jax.nn.relu(x @ layer.weights + layer.bias)
    weights, bias = layers[-1]
    return (x @ weights + bias)[:, 0]


def loss(layers: list[Layer], x: Float32[Array, "batch inputs"], y: Float32[Array, "batch"]) -> Float32[Array, ""]:
    return jnp.mean((predict(layers, x) - y) ** 2)


@partial(jax.jit, static_argnames="rate")
def step(layers: list[Layer], x: jax.Array, y: jax.Array, rate: float) -> tuple[list[Layer], Float32[Array, ""]]:
    value, gradients = jax.value_and_grad(loss)(layers, x, y)
    layers = jax.tree.map(lambda p, g: p - rate * g, layers, gradients)
    return layers, value


def accuracy(guess: Float32[Array, "batch"], y: Float32[Array, "batch"]) -> Float32[Array, ""]:
    return jnp.mean((guess > 0) == (y > 0))


side = jnp.linspace(-1, 1, 8)
rows, columns = jnp.meshgrid(side, side)
x = jnp.stack([rows, columns], axis=-1).reshape(-1, 2)
y = jnp.where(x[:, 0] * x[:, 1] > 0, 1.0, -1.0)

layers = init(jax.random.key(0), [2, 16, 1])
losses = []
for _ in range(200):
    layers, value = step(layers, x, y, RATE)
    losses.append(value)
means = jnp.stack(losses).reshape(10, 20).mean(axis=1)
print("mean loss of each 20 steps:", ", ".join(f"{m:.2f}" for m in means))
print(f"right: {accuracy(predict(layers, x), y):.0%} of {x.shape[0]} points")
