"""Convolutions and pooling of equinox, in parameters and arguments of several dtypes."""

import equinox as eqx
import jax
import jax.numpy as jnp

key = jax.random.key(0)


class Net(eqx.Module):
    first: eqx.nn.Conv2d
    second: eqx.nn.Conv2d
    pool: eqx.nn.MaxPool2d
    norm: eqx.nn.GroupNorm
    head: eqx.nn.Linear

    def __init__(self, channels, key, dtype=None):
        k1, k2, k3 = jax.random.split(key, 3)
        self.first = eqx.nn.Conv2d(channels, 8, kernel_size=3, padding=1, key=k1, dtype=dtype)
        self.second = eqx.nn.Conv2d(8, 16, (3, 5), stride=(2, 1), use_bias=False, groups=4, key=k2, dtype=dtype)
        self.pool = eqx.nn.MaxPool2d(kernel_size=2, stride=2)
        self.norm = eqx.nn.GroupNorm(4, 16, dtype=dtype)
        self.head = eqx.nn.Linear(16 * 3 * 5, 10, key=k3, dtype=dtype)

    def __call__(self, x):
        x = self.pool(jax.nn.relu(self.first(x)))
        x = self.norm(self.second(x))
        return x, self.head(jnp.ravel(self.pool(x)))


def run(dtype, shape, of_x):
    return Net(shape[0], key, dtype)(jnp.ones(shape, of_x))


x, y = run(None, (3, 28, 28), jnp.float32)
reveal_type(x)  # R: Array[float32, tuple[Literal[16], Literal[6], Literal[10]]]
reveal_type(y)  # R: Array[float32, tuple[Literal[10]]]
x, y = run(jnp.bfloat16, (1, 28, 28), jnp.bfloat16)
reveal_type(x)  # R: Array[bfloat16, tuple[Literal[16], Literal[6], Literal[10]]]


def batched(dtype):
    net = Net(3, key, dtype)
    return jax.vmap(net)(jnp.ones((7, 3, 28, 28), dtype))[1]


reveal_type(batched(jnp.float16))  # R: Array[float16, tuple[Literal[7], Literal[10]]]


def windows(n):
    x = jnp.ones((3, n), jnp.float32)
    line = eqx.nn.Conv1d(3, 4, 5, padding="SAME", dilation=2, key=key)(x)
    low = eqx.nn.Conv(1, 3, 4, 4, stride=3, padding=((2, 1),), padding_mode="zeros", key=key)(x)
    solid = eqx.nn.Conv3d(1, 2, 2, stride=2, padding=[1, 0, 2], key=key)(jnp.ones((1, 5, 6, 7)))
    mean = eqx.nn.AvgPool1d(3, 2, padding=1)(x)
    most = eqx.nn.MaxPool3d((2, 1, 3))(jnp.ones((2, 4, 4, 4), jnp.bfloat16))
    ceil = eqx.nn.AvgPool2d(2, 2, use_ceil=True)(jnp.ones((2, 5, 5)))
    wrapped = eqx.nn.Conv1d(3, 4, 5, padding=1, padding_mode="REFLECT", key=key)(x)
    return line, low, solid, mean, most, ceil, wrapped


line, low, solid, mean, most, ceil, wrapped = windows(10)
reveal_type(line)  # R: Array[float32, tuple[Literal[4], Literal[10]]]
reveal_type(low)  # R: Array[float32, tuple[Literal[4], Literal[4]]]
reveal_type(solid)  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[3], Literal[5]]]
reveal_type(mean)  # R: Array[float32, tuple[Literal[3], Literal[5]]]
reveal_type(most)  # R: Array[bfloat16, tuple[Literal[2], Literal[3], Literal[4], Literal[2]]]
reveal_type(ceil)  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[3]]]
reveal_type(wrapped)  # R: Array[Any, Any]


def trained(x):
    layer = eqx.nn.Conv1d(3, 4, 3, key=key)
    grads = eqx.filter_grad(lambda layer: layer(x).sum())(layer)
    moved = jax.tree.map(lambda w, g: w - 0.1 * g, layer, grads)
    return moved(x), grads(x)


moved, other = trained(jnp.ones((3, 10)))
reveal_type(moved)  # R: Array[float32, tuple[Literal[4], Literal[8]]]
reveal_type(other)  # R: Array[float32, tuple[Literal[4], Literal[8]]]
