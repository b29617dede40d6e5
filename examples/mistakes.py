"""Three mistakes: JAX shows two of them when the line runs, and the third as a warning that is easily missed."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float32, Int32

images = jnp.zeros((32, 28, 28))
labels = jnp.zeros((32,), jnp.int32)


def probabilities(x: Float32[Array, "32 784"], w: Float32[Array, "10 784"]) -> jax.Array:
    scores = jnp.exp(x @ w)  # w is the other way round
    return scores / scores.sum(axis=-1, keepdims=True)


def gain(new: Int32[Array, "32"], old: Int32[Array, "32"]) -> jax.Array:
    better = (new == labels) - (old == labels)  # these are booleans, and JAX does not subtract booleans
    return jnp.sum(better)


def total(losses: Float32[Array, "steps"]) -> jax.Array:
    return losses.astype("float64").sum()  # x64 is off, so this is float32


w = jnp.zeros((10, 784))
guess = jnp.argmax(images.reshape(32, -1) @ w.T, axis=1)
print(guess.shape, total(jnp.ones(5)))
