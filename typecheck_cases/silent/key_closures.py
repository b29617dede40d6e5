"""Functions that close over keys, jitted ones and methods among them."""

import jax
import jax.numpy as jnp


def make_noise(key):
    def noise(shape):
        return jax.random.normal(key, shape)

    return noise


first_key, second_key, jit_key, method_key, tree_key = jax.random.split(jax.random.key(0), 5)
first, second = make_noise(first_key), make_noise(second_key)
x = first((3,))
y = second((3,))  # mistake: y = first((3,)) [array-key]


@jax.jit
def jitter(x, key):
    return x + 0.1 * jax.random.normal(key, x.shape)


for k in jax.random.split(jit_key, 3):
    x = jitter(x, k)  # mistake: x = jitter(x, jit_key) [array-key]


class Dropout:
    def __init__(self, rate):
        self.rate = rate

    def __call__(self, key, x):
        keep = jax.random.bernoulli(key, 1.0 - self.rate, x.shape)
        return jnp.where(keep, x / (1.0 - self.rate), 0.0)


layer = Dropout(0.3)
hidden_key, output_key = jax.random.split(method_key)
hidden = layer(hidden_key, x)
output = layer(output_key, hidden)  # mistake: output = layer(hidden_key, hidden) [array-key]


def perturb(tree, key):
    leaves, structure = jax.tree.flatten(tree)
    keys = structure.unflatten(list(jax.random.split(key, len(leaves))))
    return jax.tree.map(lambda leaf, k: leaf + jax.random.normal(k, leaf.shape), tree, keys)  # mistake: return jax.tree.map(lambda leaf: leaf + jax.random.normal(key, leaf.shape), tree) [array-key]


print(perturb({"a": x, "b": y, "c": output}, tree_key))
