"""Equinox modules, which take one example: batches go through `vmap`."""

import equinox as eqx
import jax
import jax.numpy as jnp


class Linear(eqx.Module):
    weight: jax.Array
    bias: jax.Array

    def __init__(self, n_in, n_out, key):
        self.weight = jax.random.normal(key, (n_out, n_in))  # mistake a: self.weight = jax.random.normal(key, (n_in, n_out)) [array-shape]
        self.bias = jnp.zeros(n_out)

    def __call__(self, x):
        return self.weight @ x + self.bias  # shows a  # shows b


class Net(eqx.Module):
    layers: list
    scale: float = eqx.field(static=True)

    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.layers = [Linear(5, 8, k1), Linear(8, 1, k2)]
        self.scale = 2.0

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = jax.nn.gelu(layer(x))
        return self.scale * self.layers[-1](x)


@eqx.filter_jit
def loss(net, x, y):
    out = jax.vmap(net)(x)  # mistake b: out = net(x) [array-shape]
    return jnp.mean((out[:, 0] - y) ** 2)  # mistake: return jnp.mean((out[:, 0, 0] - y) ** 2) [array-dim]


net = Net(jax.random.key(0))
grads = eqx.filter_grad(loss)(net, jnp.ones((7, 5)), jnp.zeros(7))
net = eqx.apply_updates(net, jax.tree.map(lambda g: -0.1 * g, grads))
print(net.layers[0].weight.shape)
