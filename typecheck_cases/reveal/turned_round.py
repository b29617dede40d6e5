"""Lists whose items change their places: which item stands where is not known in such a module."""

import jax.numpy as jnp


def mlp(layers, a):
    for w in layers[:-1]:
        a = jnp.tanh(a @ w)
    return a @ layers[-1]


def both_ways(sizes):
    layers = []
    for n_in, n_out in zip(sizes[:-1], sizes[1:]):
        layers.append(jnp.ones((n_in, n_out)))
    there = mlp(layers, jnp.ones((5, 4)))
    layers.reverse()
    return there, layers[0]


def shown(sizes):
    arrays = [jnp.ones(sizes[0]), jnp.ones(sizes[1], jnp.int8)]
    arrays.reverse()
    return first(arrays)


def first(arrays):
    return arrays[0]


there, last = both_ways((4, 8, 8))
reveal_type(there)  # R: Array[Any, Any]
same, one = both_ways((4, 4))
reveal_type(one)  # R: Array[float32, tuple[Literal[4], Literal[4]]]
reveal_type(shown((2, 3)))  # R: Array[float32, tuple[Literal[2]]] | Array[int8, tuple[Literal[3]]]
