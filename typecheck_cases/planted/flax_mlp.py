"""A Flax (linen) network: initialised on one batch, applied to others."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class MLP(nn.Module):
    features: tuple
    dropout: float = 0.1

    @nn.compact
    def __call__(self, x, train):
        for size in self.features[:-1]:
            x = nn.relu(nn.Dense(size)(x))  # shows a  # mistake b: x = nn.relu(nn.Dense(size)(x).T) [array-shape]
            x = nn.Dropout(self.dropout, deterministic=not train)(x)
        return nn.Dense(self.features[-1])(x)


model = MLP((16, 16, 2))
x = jnp.ones((4, 8))
variables = model.init(jax.random.key(0), x, train=False)  # mistake: variables = model.init(x, jax.random.key(0), train=False) [error]


def loss_fn(params, x, y, key):
    out = model.apply({"params": params}, x, train=True, rngs={"dropout": key})
    return jnp.mean(jnp.square(out - y))  # shows b  # mistake: return jnp.mean(jnp.square(out - y[:-1])) [array-shape]


grads = jax.grad(loss_fn)(variables["params"], x, jnp.zeros((4, 2)), jax.random.key(1))
print(jax.tree.map(jnp.shape, grads))
test = jnp.ones((3, 8))  # mistake a: test = jnp.ones((3, 9)) [array-shape]
print(model.apply(variables, test, train=False))
