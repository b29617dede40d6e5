"""Modules of equinox: calls, `vmap` over them, filtered transformations, and trees of them."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


class Layer(eqx.Module):
    w: jax.Array
    b: jax.Array
    scale: float = eqx.field(static=True, default=2.0)

    def __call__(self, x):
        return (x @ self.w + self.b) * self.scale

    @eqx.filter_jit
    def twice(self, x):
        return self(self(x))


class Net(eqx.Module):
    layers: tuple
    steps: jax.Array

    def __init__(self, n, width):
        self.layers = (Layer(jnp.ones((n, width)), jnp.zeros(width)), Layer(jnp.ones((width, 1)), jnp.zeros(1)))
        self.steps = jnp.int32(0)

    def __call__(self, x):
        return self.layers[1](jax.nn.relu(self.layers[0](x)))[..., 0]


class Mixed(eqx.Module):
    parts: list
    table: dict

    def __init__(self, n):
        self.parts = [jnp.ones((n, 2)), jnp.ones((n, 2))]
        self.table = {"gain": jnp.ones((), jnp.float16)}

    def __call__(self, x):
        for w in self.parts:
            x = x + w
        return x * self.table["gain"]


x = jnp.ones((5, 3))
net = Net(3, 4)
reveal_type(net(x))  # R: Array[float32, tuple[Literal[5]]]
reveal_type(net(x[0]))  # R: Array[float32, tuple[()]]
reveal_type(jax.vmap(net)(x))  # R: Array[float32, tuple[Literal[5]]]
square = Layer(jnp.ones((3, 3)), jnp.ones(3))
reveal_type(square.twice(x))  # R: Array[float32, tuple[Literal[5], Literal[3]]]
reveal_type(square.twice(np.ones((2, 3))))  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(Mixed(5)(jnp.ones((5, 2))))  # R: Array[float32, tuple[Literal[5], Literal[2]]]


def loss(net, x, y):
    return jnp.mean((jax.vmap(net)(x) - y) ** 2)


def loss_and_more(net, x):
    out = jax.vmap(net)(x)
    return out.sum(), out


grads = eqx.filter_grad(loss)(net, x, jnp.ones(5))
reveal_type(grads.layers[0].w)  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(grads.layers[1].b)  # R: Array[float32, tuple[Literal[1]]]
value, grads = eqx.filter_value_and_grad(loss)(net, x, 0.0)
reveal_type(value)  # R: Array[float32, tuple[()]]
reveal_type(grads.layers[1].w)  # R: Array[float32, tuple[Literal[4], Literal[1]]]
(total, out), grads = eqx.filter_value_and_grad(loss_and_more, has_aux=True)(net, x)
reveal_type(total)  # R: Array[float32, tuple[()]]
reveal_type(out)  # R: Array[float32, tuple[Literal[5]]]
reveal_type(grads.layers[0].b)  # R: Array[float32, tuple[Literal[4]]]


@eqx.filter_jit
def step(net, x, y):
    value, grads = eqx.filter_value_and_grad(loss)(net, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, net.layers, grads.layers), value


layers, value = step(net, x, jnp.ones(5))
reveal_type(layers[0].w)  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(value)  # R: Array[float32, tuple[()]]
reveal_type(eqx.filter_jit(lambda x, n: (x * n, n))(x, 2)[0])  # R: Array[float32, tuple[Literal[5], Literal[3]]]
reveal_type(eqx.filter_jit(lambda x: np.ones(3))(x))  # R: Array[Any, Any]
