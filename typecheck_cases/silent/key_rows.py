"""Noise for each example of a batch; the twins give all of them one key."""

import equinox as eqx
import jax
import jax.numpy as jnp


def are_alike(rows):
    return bool(jnp.all(rows[0] == rows[1]))


def jitter(key, image):
    return image + 0.1 * jax.random.normal(key, image.shape)  # shows a


images = jnp.zeros((4, 5, 5))
keys = jax.random.split(jax.random.key(0), 4)
augmented = jax.vmap(jitter, in_axes=(0, 0))(keys, images)  # mistake a: augmented = jax.vmap(jitter, in_axes=(None, 0))(keys[0], images) [array-key] silent
print(are_alike(augmented))


@jax.jit
def masked(key, tokens):
    keys = jax.random.split(key, tokens.shape[0])

    def mask(row, row_key):
        row_key = row_key  # mistake b: row_key = key [array-key]
        return jnp.where(jax.random.bernoulli(row_key, 0.5, row.shape), row, -1)  # shows b

    return jax.vmap(mask)(tokens, keys)


print(are_alike(masked(jax.random.key(1), jnp.ones((6, 32), jnp.int32))))


class Encoder(eqx.Module):
    project: eqx.nn.Linear
    dropout: eqx.nn.Dropout

    def __init__(self, key):
        self.project = eqx.nn.Linear(3, 64, key=key)
        self.dropout = eqx.nn.Dropout(0.5)

    def __call__(self, x, key):
        return self.dropout(self.project(x), key=key)  # shows c


@eqx.filter_jit
def encode(model, xs, key):
    keys = jax.random.split(key, xs.shape[0])
    return jax.vmap(model)(xs, keys)  # mistake c: return jax.vmap(model, in_axes=(0, None))(xs, key) [array-key]


model_key, data_key, drop_key = jax.random.split(jax.random.key(2), 3)
encoder = Encoder(model_key)
print(are_alike(encode(encoder, jnp.ones((4, 3)), drop_key) == 0))


class Block(eqx.Module):
    attention: eqx.nn.Linear
    dropout: eqx.nn.Dropout

    def __init__(self, key):
        self.attention = eqx.nn.Linear(64, 64, key=key)
        self.dropout = eqx.nn.Dropout(0.5)

    def __call__(self, x, key):
        first, second = jax.random.split(key)
        x = self.dropout(jnp.ones_like(x), key=first)
        y = self.dropout(jnp.ones_like(x), key=second)  # mistake: y = self.dropout(jnp.ones_like(x), key=first) [array-key]
        return jnp.stack([x, y])


block_key, call_key = jax.random.split(jax.random.key(3))
print(are_alike(Block(block_key)(jnp.ones(64), call_key)))


# one noise for all candidates is meant: they are compared under it
def cost(gain, key):
    disturbances = jax.random.normal(key, (20,))
    return jnp.sum((1.0 - gain) ** 2 + gain * disturbances**2)


# and so is one draw of the weights for all examples
def predict(x, mean, key):
    return x @ (mean + jax.random.normal(key, mean.shape))


print(jax.vmap(cost, in_axes=(0, None))(jnp.linspace(0.0, 1.0, 5), data_key).shape)
print(jax.vmap(predict, in_axes=(0, None, None))(jnp.ones((5, 3)), jnp.zeros(3), jax.random.key(7)).shape)
inference = eqx.nn.inference_mode(encoder)
print(jax.vmap(inference, in_axes=(0, None))(jnp.ones((4, 3)), jax.random.key(6)).shape)
