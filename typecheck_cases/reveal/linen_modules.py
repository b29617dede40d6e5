"""Modules of linen that the program defines, and what `apply` gives."""

from collections.abc import Sequence
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    n: int

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(16)(x))
        x = nn.LayerNorm()(x)
        return nn.Dense(self.n, dtype=jnp.float32)(x)


class MLP(nn.Module):
    features: tuple
    dropout: float = 0.1

    @nn.compact
    def __call__(self, x, train):
        for size in self.features[:-1]:
            x = nn.relu(nn.Dense(size)(x))
            x = nn.Dropout(self.dropout, deterministic=not train)(x)
        return nn.Dense(self.features[-1])(x)


class Block(nn.Module):
    n: int
    dtype: Any = jnp.bfloat16

    @nn.compact
    def __call__(self, x):
        return x + nn.Dense(self.n, dtype=self.dtype)(x)


class Deep(nn.Module):
    width: int
    depth: int = 2

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(self.width, dtype=jnp.bfloat16)(x)
        for _ in range(self.depth):
            x = Block(self.width)(x)
        return x.mean(0), x


class CNN(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Conv(features=8, kernel_size=(3, 3))(x)
        x = nn.avg_pool(nn.relu(x), window_shape=(2, 2), strides=(2, 2))
        x = x.reshape((x.shape[0], -1))
        return nn.Dense(features=10)(x)


class Setup(nn.Module):
    n: int

    def setup(self):
        self.a = nn.Dense(self.n)
        self.b = nn.Dense(2)

    def __call__(self, x):
        return self.b(nn.relu(self.a(x)))


class P(nn.Module):
    n: int

    @nn.compact
    def __call__(self, x):
        w = self.param("w", nn.initializers.ones, (x.shape[-1], self.n))
        s = self.variable("stats", "s", lambda: jnp.zeros(3))
        return x @ w


class Lists(nn.Module):
    sizes: Sequence[int]

    @nn.compact
    def __call__(self, x):
        if isinstance(self.sizes, list):
            return x
        return x[None]


class Multi(nn.Module):
    @nn.compact
    def __call__(self, x, *, flag=False):
        if flag:
            return nn.Dense(3)(x)
        return {"y": nn.Dense(5)(x), "x": x}

    def other(self, x):
        return x[0]


x = jnp.ones((4, 8))
k = jax.random.key(0)
net = Net(3)
p = net.init(k, x)
reveal_type(net.apply(p, x))  # R: Array[float32, tuple[Literal[4], Literal[3]]]
reveal_type(Net(5).init_with_output(k, x)[0])  # R: Array[float32, tuple[Literal[4], Literal[5]]]
mlp = MLP((16, 16, 2))
vs = mlp.init(k, x, train=False)
reveal_type(mlp.apply(vs, x, train=False))  # R: Array[Any, tuple[Literal[4], Literal[2]]]
reveal_type(mlp.apply(vs, x, train=True, rngs={"dropout": k}))  # R: Array[Any, tuple[Literal[4], Literal[2]]]


def loss(params, x):
    out = net.apply(params, x)
    return jnp.mean((out - 1.0) ** 2)


reveal_type(loss(p, x))  # R: Array[float32, tuple[()]]
reveal_type(jax.jit(lambda p, x: net.apply(p, x))(p, x))  # R: Array[float32, tuple[Literal[4], Literal[3]]]
deep = Deep(6)
dp = deep.init(k, x)
reveal_type(deep.apply(dp, x)[0])  # R: Array[bfloat16, tuple[Literal[6]]]
reveal_type(deep.apply(dp, x)[1])  # R: Array[bfloat16, tuple[Literal[4], Literal[6]]]
cnn = CNN()
im = jnp.ones((2, 28, 28, 1))
cp = cnn.init(k, im)
reveal_type(cnn.apply(cp, im))  # R: Array[Any, tuple[Literal[2], Literal[10]]]
reveal_type(cnn.apply(cp, im, mutable=True)[0])  # R: Array[Any, tuple[Literal[2], Literal[10]]]
reveal_type(cnn.apply(cp, im, mutable=["batch_stats"])[0])  # R: Array[Any, tuple[Literal[2], Literal[10]]]
reveal_type(cnn.apply(cp, im, mutable=False))  # R: Array[Any, tuple[Literal[2], Literal[10]]]
pp = P(5)
reveal_type(pp.apply(pp.init(k, x), x))  # R: Array[Any, tuple[Literal[4], Literal[5]]]
m = Multi()
mp = m.init(k, x)
reveal_type(m.apply(mp, x)["y"])  # R: Array[Any, tuple[Literal[4], Literal[5]]]
reveal_type(m.apply(m.init(k, x, flag=True), x, flag=True))  # R: Array[Any, tuple[Literal[4], Literal[3]]]
reveal_type(net.bind(p)(x))  # R: Array[float32, tuple[Literal[4], Literal[3]]]
half = jax.tree.map(lambda t: t.astype(jnp.float16), p)
reveal_type(net.apply(half, x))  # R: Array[float32, tuple[Literal[4], Literal[3]]]
long1 = mlp.apply(jax.tree.map(lambda t: t.astype(jnp.float16), vs), x.astype(jnp.float16), train=False)
reveal_type(long1)  # R: Array[Any, tuple[Literal[4], Literal[2]]]
reveal_type(jax.vmap(lambda r: net.apply(p, r))(x))  # R: Array[float32, tuple[Literal[4], Literal[3]]]
