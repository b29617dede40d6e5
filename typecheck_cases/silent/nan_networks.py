"""Layers of flax and equinox that are normalized and gated, and their gradients."""

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import nnx


class UnitNorm(nn.Module):
    """Rows of length 1; rows of zeros stay."""

    @nn.compact
    def __call__(self, x):
        squares = jnp.sum(x**2, axis=-1, keepdims=True)
        length = jnp.sqrt(jnp.where(squares > 0, squares, 1.0))  # mistake a: length = jnp.sqrt(squares) [array-nan]
        return jnp.where(squares > 0, x / length, x)  # shows a


class Gate(eqx.Module):
    weight: jax.Array
    power: float = eqx.field(static=True)

    def __call__(self, x):
        y = self.weight * x
        base = jnp.where(y > 0, y, 1.0)  # mistake b: base = y [array-nan]
        return jnp.where(y > 0, base**self.power, 0.0)  # shows b


class Attention(nnx.Module):
    def __init__(self, rngs):
        self.query = nnx.Linear(4, 4, rngs=rngs)

    def __call__(self, x, mask):
        scores = self.query.kernel[...] @ x.T
        weights = jnp.exp(scores - scores.max(-1, keepdims=True)) * mask
        total = weights.sum(-1, keepdims=True)
        safe = jnp.where(total == 0, 1.0, total)  # mistake c: safe = total [array-nan]
        return jnp.where(total == 0, 0.0, weights / safe) @ x  # shows c


x = jnp.zeros((2, 3))
print(jax.grad(lambda x: UnitNorm().apply({}, x).sum())(x))

gate = Gate(jnp.ones(3), 0.5)


@eqx.filter_grad
def gate_loss(model, x):
    return jnp.sum(jax.vmap(model)(x))


print(gate_loss(gate, x).weight)

attention = Attention(nnx.Rngs(0))
mask = jnp.zeros((4, 2))


def attention_loss(model):
    return attention_rows(model).sum()


def attention_rows(model):
    return model(jnp.ones((2, 4)), mask)


gradient = nnx.grad(attention_loss)(attention)
print(jax.tree.leaves(gradient))
