"""Layers of equinox in modules of the program."""

import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    first: eqx.nn.Linear
    layers: tuple[eqx.nn.Linear, eqx.nn.Linear]
    mlp: eqx.nn.MLP
    w: jax.Array
    n: int = eqx.field(static=True)

    def __init__(self, width, key, dtype=None):
        k1, k2, k3, k4 = jax.random.split(key, 4)
        self.first = eqx.nn.Linear(3, width, key=k1, dtype=dtype)
        self.layers = (eqx.nn.Linear(width, width, key=k2), eqx.nn.Linear(width, 5, use_bias=False, key=k3))
        self.mlp = eqx.nn.MLP(5, 7, 11, 2, key=k4)
        self.w = jnp.zeros((7, 4))
        self.n = 3

    def __call__(self, x):
        h = jax.nn.relu(self.first(x))
        for layer in self.layers:
            h = layer(h)
        return self.mlp(h) @ self.w * self.n


class Half(eqx.Module):
    linear: eqx.nn.Linear

    def __init__(self, key):
        self.linear = eqx.nn.Linear(3, 4, dtype=jnp.float16, key=key)

    def __call__(self, x):
        return self.linear(x)


class Odd(eqx.Module):
    mlp: eqx.nn.MLP

    def __init__(self, key):
        self.mlp = eqx.nn.MLP(3, 2, 8, 1, final_activation=jnp.isnan, key=key)

    def __call__(self, x):
        return self.mlp(x)


def mapped(key, xs):
    linear = eqx.nn.Linear(3, 4, key=key)
    return jax.vmap(linear)(xs), linear(xs[0]), jax.grad(lambda f: f(xs[0]).sum())(linear)(xs[0])


def loss(net, x, y):
    return jnp.mean((jax.vmap(net)(x) - y) ** 2)


key = jax.random.key(0)
net = Net(16, key)
x = jnp.ones(3)
reveal_type(net(x))  # R: Array[float32, tuple[Literal[4]]]
reveal_type(net(x.astype(jnp.int8)))  # R: Array[float32, tuple[Literal[4]]]
reveal_type(Half(key)(x.astype(jnp.float16)))  # R: Array[float16, tuple[Literal[4]]]
reveal_type(Half(key)(x))  # R: Array[float32, tuple[Literal[4]]]
half = jax.tree.map(lambda leaf: leaf.astype(jnp.float16), Half(key))
reveal_type(half(x.astype(jnp.float16)))  # R: Array[float16, tuple[Literal[4]]]
wide = jax.tree.map(lambda leaf: leaf.astype(jnp.float32), Half(key))
reveal_type(wide(x.astype(jnp.float16)))  # R: Array[float32, tuple[Literal[4]]]
value, gradients = eqx.filter_value_and_grad(loss)(net, jnp.ones((6, 3)), jnp.ones((6, 4)))
reveal_type(value)  # R: Array[float32, tuple[()]]
reveal_type(gradients.w)  # R: Array[float32, tuple[Literal[7], Literal[4]]]
many, one, by_gradients = mapped(key, jnp.ones((6, 3)))
reveal_type(one)  # R: Array[float32, tuple[Literal[4]]]
reveal_type(by_gradients)  # R: Array[float32, tuple[Literal[4]]]
odd = Odd(key)(x)
