"""Trees that are mapped: axes that are trees themselves, and `tree.map` over any number of trees."""

import jax
import jax.numpy as jnp


def init(key, hidden=8):
    one, other = jax.random.split(key)
    return {"w": jax.random.normal(one, (3, hidden)), "v": jax.random.normal(other, (hidden,))}


def predict(params, x):
    return jnp.tanh(x @ params["w"]) @ params["v"]


members = [init(jax.random.key(seed)) for seed in range(4)]
stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *members)
reveal_type(stacked["w"])  # R: Array[float32, tuple[int, Literal[3], Literal[8]]]
reveal_type(stacked["v"])  # R: Array[float32, tuple[int, Literal[8]]]
pair = (members[0], members[1])
both = jax.tree.map(lambda *leaves: jnp.stack(leaves), *pair)
reveal_type(both["w"])  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[8]]]
reveal_type(jax.tree.map(lambda a, b: (a + b).sum(), *pair)["v"])  # R: Array[float32, tuple[()]]

x = jnp.ones((6, 3))
axes = ({"w": 0, "v": 0}, None)
reveal_type(jax.vmap(predict, in_axes=axes, out_axes=1)(stacked, x))  # R: Array[float32, tuple[Literal[6], int]]
last = {"w": jnp.ones((3, 8, 4)), "v": jnp.ones((4, 8))}
by_axis = jax.vmap(predict, in_axes=({"w": 2, "v": 0}, None))(last, x)
reveal_type(by_axis)  # R: Array[float32, tuple[Literal[4], Literal[6]]]
reveal_type(jax.vmap(predict, in_axes=({"w": -1, "v": 0}, None))(last, x[0]))  # R: Array[float32, tuple[Literal[4]]]


def affine(layer, x):
    w, b = layer
    return x @ w + b


shared = (jnp.ones((5, 3, 2)), jnp.ones(2))
many = jax.vmap(affine, in_axes=((0, None), None))(shared, x)
reveal_type(many)  # R: Array[float32, tuple[Literal[5], Literal[6], Literal[2]]]
each = jax.vmap(affine, in_axes=((0, None), 0))(shared, jnp.ones((5, 7, 3)))
reveal_type(each)  # R: Array[float32, tuple[Literal[5], Literal[7], Literal[2]]]
