"""Names that moved, that never were, or that another library has."""

import jax
import jax.numpy as jnp


def scale(params, factor):
    return jax.tree.map(lambda p: factor * p, params)  # mistake: return jax.tree_map(lambda p: factor * p, params) [call]


def probabilities(logits):
    return jax.nn.softmax(logits)  # mistake: return jnp.softmax(logits) [call]


def limited(x):
    return jnp.clip(x, max=1.0)  # mistake: return jnp.clip(x, a_max=1.0) [call]


def norm(params):
    leaves = jax.tree.leaves(params)
    return jnp.sqrt(sum(jnp.vdot(p, p) for p in leaves))  # mistake: return jnp.sqrt(sum(jnp.vdot(p, p) for p in leaves.values())) [call]


def grow(x, value):
    return jnp.append(x, value)  # mistake: return x.append(value) [call]


params = [{"w": jnp.ones((2, 2))}, {"w": jnp.ones(3)}]
print(norm(scale(params, 0.5)))
print(limited(probabilities(jnp.arange(4.0))), grow(jnp.ones(2), 3.0))
