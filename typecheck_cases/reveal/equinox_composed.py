"""Layers of equinox that are made of others or go between them, and lists that mix layers and functions."""

from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp

key = jax.random.key(0)


class Mixed(eqx.Module):
    layers: list
    extra_bias: jax.Array

    def __init__(self, key):
        k1, k2, k3 = jax.random.split(key, 3)
        self.layers = [eqx.nn.Linear(2, 8, key=k1), jax.nn.relu, eqx.nn.Linear(8, 8, key=k2), jnp.tanh]
        self.extra_bias = jnp.ones(8)

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x + self.extra_bias


class Rows(eqx.Module):
    layers: tuple

    def __init__(self, key):
        self.layers = (eqx.nn.Conv1d(1, 3, 4, key=key), jnp.ravel, eqx.nn.Linear(15, 5, key=key), jnp.argmax)

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = layer(x)
        return x, self.layers[-1](x)


class Scaled(eqx.Module):
    scale: jax.Array

    def __init__(self):
        self.scale = jnp.ones((), jnp.bfloat16)

    def __call__(self, x, *, key=None):
        return x * self.scale


@jax.jit
@jax.grad
def loss(model, x, y):
    return jnp.mean((y - jax.vmap(model)(x)) ** 2)


def mixed(x):
    model = Mixed(key)
    return model(x), jax.vmap(model)(jnp.ones((6, 2)))


def sequential(x, dtype):
    inner = eqx.nn.Sequential([eqx.nn.Linear(8, 8, key=key), eqx.nn.Lambda(jnp.tanh), eqx.nn.Identity()])
    first, last = eqx.nn.Linear(2, 8, key=key, dtype=dtype), eqx.nn.Linear(8, 3, key=key, dtype=dtype)
    net = eqx.nn.Sequential([first, eqx.nn.Lambda(jax.nn.relu), eqx.nn.LayerNorm(8), Scaled(), last])
    deep = eqx.nn.Sequential((eqx.nn.Linear(2, 8, key=key), inner, eqx.nn.Lambda(lambda x: x[:3] > 0)))
    return net(x), deep(x), net[0](x), jax.vmap(net)(jnp.ones((6, 2), x.dtype)), len(net)


def perceptrons(x):
    plain = eqx.nn.MLP(4, 3, 8, 2, key=key)
    scalar = eqx.nn.MLP(4, "scalar", 8, 1, jax.nn.gelu, use_final_bias=False, key=key)
    signs = eqx.nn.MLP(4, 2, 8, 1, final_activation=lambda x: x > 0, key=key)
    single = eqx.nn.MLP("scalar", 2, 8, 0, final_activation=jnp.isnan, key=key)
    rough = eqx.nn.MLP(4, 2, 8, 1, partial(jax.nn.gelu, approximate=False), key=key)
    return plain(x), scalar(x), signs(x), single(x[0]), rough(x), plain.layers[0].weight


def halves(x):
    plain = eqx.nn.MLP(4, 3, 8, 1, key=key)
    half = jax.tree.map(lambda p: p.astype(jnp.float16) if eqx.is_array(p) and p.ndim == 2 else p, plain)
    linear = jax.tree.map(lambda p: p.astype(jnp.float16) if p.ndim == 2 else p, eqx.nn.Linear(4, 3, key=key))
    return half.layers[0].bias, linear(x), linear.weight, linear.bias


def attention(dtype, of_x):
    net = eqx.nn.MultiheadAttention(
        2, 8, key_size=4, value_size=3, output_size=5, use_key_bias=True, dtype=dtype, key=key
    )
    q, k, v = jnp.ones((10, 8), of_x), jnp.ones((7, 4), of_x), jnp.ones((7, 3), of_x)
    return net(q, k, v), net(q, k, v, mask=jnp.ones((10, 7), bool)), net.query_proj.weight


def upwards(x):
    plain = eqx.nn.ConvTranspose2d(3, 5, 3, stride=2, key=key)
    same = eqx.nn.ConvTranspose2d(3, 5, (3, 2), stride=2, padding="SAME", output_padding=1, key=key)
    line = eqx.nn.ConvTranspose(1, 3, 4, 5, stride=3, padding=((1, 2),), dilation=2, use_bias=False, key=key)
    mean = eqx.nn.AdaptiveAvgPool2d((2, 3))
    return plain(x), same(x), line(x[0, :3]), mean(x), eqx.nn.PReLU()(x)


one, many = mixed(jnp.ones(2))
reveal_type(one)  # R: Array[float32, tuple[Literal[8]]]
reveal_type(many)  # R: Array[float32, tuple[Literal[6], Literal[8]]]
reveal_type(Mixed(key)(jnp.ones(2)))  # R: Array[float32, tuple[Literal[8]]]
row, place = Rows(key)(jnp.ones((1, 8), jnp.float32))
reveal_type(row)  # R: Array[float32, tuple[Literal[5]]]
reveal_type(place)  # R: Array[int32, tuple[()]]
a, b, c, d, n = sequential(jnp.ones(2), None)
reveal_type(a)  # R: Array[float32, tuple[Literal[3]]]
reveal_type(b)  # R: Array[bool_, tuple[Literal[3]]]
reveal_type(c)  # R: Array[float32, tuple[Literal[8]]]
reveal_type(d)  # R: Array[float32, tuple[Literal[6], Literal[3]]]
reveal_type(n)  # R: int
a, b, c, d, n = sequential(jnp.ones(2, jnp.bfloat16), jnp.bfloat16)
reveal_type(a)  # R: Array[bfloat16, tuple[Literal[3]]]
reveal_type(c)  # R: Array[bfloat16, tuple[Literal[8]]]
reveal_type(d)  # R: Array[bfloat16, tuple[Literal[6], Literal[3]]]
a, b, c, d, e, f = perceptrons(jnp.ones(4))
reveal_type(a)  # R: Array[float32, tuple[Literal[3]]]
reveal_type(b)  # R: Array[float32, tuple[()]]
reveal_type(c)  # R: Array[bool_, tuple[Literal[2]]]
reveal_type(d)  # R: Array[float32, tuple[Literal[2]]]
reveal_type(e)  # R: Array[float32, tuple[Literal[2]]]
reveal_type(f)  # R: Array[float32, tuple[Literal[8], Literal[4]]]
bias, out, weight, plain_bias = halves(jnp.ones(4, jnp.float16))
reveal_type(out)  # R: Array[float32, tuple[Literal[3]]]
reveal_type(weight)  # R: Array[float16, tuple[Literal[3], Literal[4]]]
reveal_type(plain_bias)  # R: Array[float32, tuple[Literal[3]]]
a, b, w = attention(None, jnp.float32)
reveal_type(a)  # R: Array[float32, tuple[Literal[10], Literal[5]]]
reveal_type(b)  # R: Array[float32, tuple[Literal[10], Literal[5]]]
reveal_type(w)  # R: Array[float32, tuple[Literal[8], Literal[8]]]
a, b, w = attention(jnp.float16, jnp.bfloat16)
reveal_type(a)  # R: Array[float32, tuple[Literal[10], Literal[5]]]
a, b, w = attention(jnp.bfloat16, jnp.bfloat16)
reveal_type(a)  # R: Array[bfloat16, tuple[Literal[10], Literal[5]]]
a, b, c, d, e = upwards(jnp.ones((3, 7, 7)))
reveal_type(a)  # R: Array[float32, tuple[Literal[5], Literal[15], Literal[15]]]
reveal_type(b)  # R: Array[float32, tuple[Literal[5], Literal[13], Literal[13]]]
reveal_type(c)  # R: Array[float32, tuple[Literal[4], Literal[24]]]
reveal_type(d)  # R: Array[float32, tuple[Literal[3], Literal[2], Literal[3]]]
reveal_type(e)  # R: Array[float32, tuple[Literal[3], Literal[7], Literal[7]]]
