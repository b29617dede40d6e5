"""Keys in dicts, lists, tuples and attributes: the identity goes with the value."""

import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Streams:
    params: jax.Array
    dropout: jax.Array


def named(key, names):
    return dict(zip(names, jax.random.split(key, len(names))))


keys = named(jax.random.key(0), ["embed", "attend", "output"])
embed = jax.random.normal(keys["embed"], (10, 4))
attend = jax.random.normal(keys["attend"], (4, 4))  # mistake: attend = jax.random.normal(keys["embed"], (4, 4)) [array-key]
output = jax.random.normal(keys["output"], (4, 10))

streams = Streams(*jax.random.split(jax.random.key(1)))
weights = jax.random.normal(streams.params, (4,))
mask = jax.random.bernoulli(streams.dropout, 0.5, (4,))  # mistake: mask = jax.random.bernoulli(streams.params, 0.5, (4,)) [array-key]

first, *rest = jax.random.split(jax.random.key(2), 4)
draws = [jax.random.uniform(first)]
for k in rest:
    draws.append(jax.random.uniform(k))  # mistake: draws.append(jax.random.uniform(first)) [array-key]

pool = list(jax.random.split(jax.random.key(3), 3))
taken = [jax.random.normal(pool.pop(), (2,)), jax.random.normal(pool.pop(), (2,))]  # mistake: taken = [jax.random.normal(pool[-1], (2,)), jax.random.normal(pool.pop(), (2,))] [array-key]

matrix = jax.random.split(jax.random.key(4), (2, 3))
corner = jax.random.normal(matrix[0, 0]) + jax.random.normal(matrix[0, 1])  # mistake: corner = jax.random.normal(matrix[0, 1]) + jax.random.normal(matrix[0, 1]) [array-key]


def initialise(tree, key):
    leaves, structure = jax.tree.flatten(tree)
    leaf_keys = jax.random.split(key, len(leaves))
    return structure.unflatten([jax.random.normal(k, leaf.shape) for leaf, k in zip(leaves, leaf_keys)])  # mistake: return structure.unflatten([jax.random.normal(key, leaf.shape) for leaf in leaves]) [array-key]


params = initialise({"w": jnp.zeros((2, 3)), "b": jnp.zeros(3)}, jax.random.key(5))
print(embed.shape, attend.shape, output.shape, weights, mask, draws, taken, corner, params["w"].shape)
