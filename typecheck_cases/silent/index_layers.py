"""Linen, nnx-like classes and plain functions that pick parts of arrays by number."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np


class Pooler(nn.Module):
    """The first token of a sequence through a dense layer."""

    features: int

    @nn.compact
    def __call__(self, x):
        first = x[:, 0]
        last = x[:, -1]
        if x.shape[1] > 8:
            last = x[:, 8]
        both = jnp.concatenate([first, last], axis=-1)
        return nn.tanh(nn.Dense(self.features)(both))


class Heads(nn.Module):
    """Several heads of attention, of which one is shown."""

    count: int

    @nn.compact
    def __call__(self, x):
        b, t, d = x.shape
        h = nn.Dense(d)(x).reshape(b, t, self.count, d // self.count)
        shown = h[:, :, self.count - 1]  # mistake: shown = h[:, :, self.count] [array-index]
        return h.reshape(b, t, d), shown


def per_class_accuracy(confusion):
    hits = jnp.diagonal(confusion)
    worst = confusion[3].sum()  # mistake: worst = confusion[5].sum() [array-index]
    return hits / confusion.sum(axis=1), worst


x = jnp.ones((2, 5, 8))
pooler = Pooler(4)
params = pooler.init(jax.random.key(0), x)
print(pooler.apply(params, x).shape)

heads = Heads(2)
params = heads.init(jax.random.key(1), x)
out, shown = heads.apply(params, x)
print(out.shape, shown.sum())

labels = np.array([0, 1, 4, 2, 2])
predictions = np.array([0, 1, 4, 3, 2])
confusion = jnp.zeros((5, 5)).at[labels, predictions].add(1.0)  # mistake: confusion = jnp.zeros((4, 4)).at[labels, predictions].add(1.0) [array-index]
print(per_class_accuracy(confusion)[0])

channels = jnp.moveaxis(jnp.ones((2, 6, 6, 3)), -1, 0)
blue = channels[2]
print(blue.mean())
scale = jnp.array([0.9, 1.0, 1.1])
print((channels * scale[:, None, None, None]).sum(), scale[..., 2])  # mistake: print((channels * scale[:, None, None, None]).sum(), scale[..., 3]) [array-index]
