"""Modules of linen that make their layers in `setup`, and other methods that `apply` calls."""

from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(nn.Module):
    n: int

    def setup(self):
        self.norm = nn.LayerNorm(dtype=jnp.float32)
        self.up = nn.Dense(self.n * 2, dtype=jnp.float32)
        self.down = nn.Dense(self.n, dtype=jnp.float32)

    def __call__(self, x):
        return x + self.down(nn.gelu(self.up(self.norm(x))))


class Net(nn.Module):
    width: int
    depth: int = 2
    dtype: Any = jnp.bfloat16

    def setup(self):
        self.dense = nn.Dense(self.width, dtype=self.dtype)
        self.blocks = [Block(self.width) for _ in range(self.depth)]
        self.layers = [nn.Dense(w, dtype=jnp.float32) for w in (3, 5)]
        self.out = nn.Dense(3)
        self.d1, self.d2 = nn.Dense(7, dtype=jnp.float32), nn.Dense(8, dtype=jnp.float32)
        self.act = nn.relu
        if self.depth == 2:
            self.maybe = nn.Dense(9, dtype=jnp.float32)

    def __call__(self, x):
        h = self.act(self.dense(x))
        for block in self.blocks:
            h = block(h)
        for layer in self.layers:
            h = layer(h)
        return self.out(h)

    def encode(self, x, times=2):
        return self.dense(x) * times

    def two(self, x):
        return self.d2(self.d1(x)), self.layers[1](x)

    def uncertain(self, x):
        return self.maybe(x)


def encoded(net, x):
    return net.encode(x)[:2]


class Base(nn.Module):
    width: int

    def setup(self):
        self.dense = nn.Dense(self.width, dtype=jnp.float32)

    def __call__(self, x):
        return self.dense(x)


class Sub(Base):
    extra: int = 3

    def setup(self):
        super().setup()
        self.last = nn.Dense(self.extra, dtype=jnp.float32)

    def __call__(self, x):
        return self.last(super().__call__(x))


class Other(Base):
    def setup(self):
        self.dense = nn.Dense(11, dtype=jnp.float16)


class Twice(nn.Module):
    flag: bool = True

    def setup(self):
        dense = nn.Dense(4, dtype=jnp.float32)
        if self.flag:
            dense = nn.Dense(6, dtype=jnp.float32)
        self.dense = dense

    def __call__(self, x):
        return self.dense(x)


x = jnp.zeros((4, 5))
key = jax.random.key(0)
net = Net(8)
params = net.init(key, x)
reveal_type(net.apply(params, x))  # R: Array[Any, tuple[Literal[4], Literal[3]]]
reveal_type(net.apply(params, x, method=Net.encode))  # R: Array[bfloat16, tuple[Literal[4], Literal[8]]]
reveal_type(net.apply(params, x, method="encode"))  # R: Array[bfloat16, tuple[Literal[4], Literal[8]]]
reveal_type(net.apply(params, x, 3.0, method=net.encode))  # R: Array[bfloat16, tuple[Literal[4], Literal[8]]]
reveal_type(net.apply(params, x, method=encoded))  # R: Array[bfloat16, tuple[Literal[2], Literal[8]]]
reveal_type(net.apply(params, x, method=lambda m, y: m.encode(y)[0]))  # R: Array[bfloat16, tuple[Literal[8]]]
others = net.init(key, x, method=Net.two)
a, b = net.apply(others, x, method=Net.two)
reveal_type(a)  # R: Array[float32, tuple[Literal[4], Literal[8]]]
reveal_type(b)  # R: Array[float32, tuple[Literal[4], Literal[5]]]
maybe = net.init(key, x, method="uncertain")
uncertain = net.apply(maybe, x, method="uncertain")
sub = Sub(8)
reveal_type(sub.apply(sub.init(key, x), x))  # R: Array[float32, tuple[Literal[4], Literal[3]]]
other = Other(8)
reveal_type(other.apply(other.init(key, x), x))  # R: Array[float16, tuple[Literal[4], Literal[11]]]
twice = Twice()
reveal_type(twice.apply(twice.init(key, x), x))  # R: Array[float32, tuple[Literal[4], Literal[6]]]
