"""Named tuples with numbers: a configuration that is handed on."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Config(NamedTuple):
    d: int = 32
    n: int = 4
    rate: float = 0.5
    act: Any = jnp.isnan
    kind: str = "wide"

    @property
    def twice(self):
        return self.d * 2


class Two(NamedTuple):
    d: int = 1
    n: float = 2.0


class Kept:
    def __init__(self, config):
        self.config = config
        self.width = config.d * 2

    def make(self):
        return jnp.zeros(self.width)


def init(config):
    return {"w": jnp.ones((config.d, config.n)), "b": jnp.zeros(config.n * 2)}


def apply(params, x, config):
    return config.act(x @ params["w"] * config.rate)


def by_kind(config):
    if config.kind == "wide":
        return jnp.zeros(7)
    return jnp.zeros(5)


def unpacked(config):
    d, n, *_ = config
    d += 1
    return jnp.zeros((d, n))


def branch(config, flag):
    if flag:
        config = Config(8)
    return jnp.zeros(config.d)


def grown(config):
    for _ in range(3):
        config = config._replace(d=config.d + 1)
    k = 0
    while k < 2:
        config = config._replace(d=config.d + 1)
        k += 1
    return jnp.zeros(config.d)


def of_an_outer_variable():
    config = Config(3)

    def make():
        return jnp.zeros(config.d)

    before = make()
    config = Config(5)
    return before, make()


@partial(jax.jit, static_argnums=0)
def static(config):
    return jnp.zeros(config.d)


@jax.jit
def traced(config):
    return config.d * jnp.ones(2, jnp.int8), config.n


DEFAULT = Config(6)


def of_the_module():
    return jnp.zeros(DEFAULT.d)


config = Config()
params = init(config)
reveal_type(params["w"])  # R: Array[float32, tuple[Literal[32], Literal[4]]]
reveal_type(params["b"])  # R: Array[float32, tuple[Literal[8]]]
reveal_type(apply(params, jnp.ones((5, 32)), config))  # R: Array[bool_, tuple[Literal[5], Literal[4]]]
reveal_type(jnp.zeros(config.n))  # R: Array[float32, tuple[Literal[4]]]
reveal_type(init(Config(n=3, d=2))["w"])  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(init(config._replace(n=7))["w"])  # R: Array[float32, tuple[int, Literal[7]]]
reveal_type(static(Config(9)))  # R: Array[float32, tuple[Literal[9]]]
reveal_type(of_the_module())  # R: Array[float32, tuple[Literal[6]]]
reveal_type(by_kind(config))  # R: Array[float32, tuple[Literal[7]]]
reveal_type(by_kind(Config(kind="narrow")))  # R: Array[float32, tuple[Literal[5]]]
reveal_type(Kept(Config(3)).make())  # R: Array[float32, tuple[Literal[6]]]
reveal_type(unpacked(config))  # R: Array[float32, tuple[int, Literal[4]]]
flag = bool(jnp.ones(()) > 0)
reveal_type(branch(config, flag))  # R: Array[float32, Any]
reveal_type(grown(config))  # R: Array[float32, Any]
before, after = of_an_outer_variable()
reveal_type(before)  # R: Array[float32, Any]
reveal_type(after)  # R: Array[float32, Any]
scaled, rate = traced(Two(3))
reveal_type(scaled)  # R: Array[int8, tuple[Literal[2]]]
carried, _ = jax.lax.scan(lambda c, _: (Two(c.d + 1, c.n), c.d), Two(1, 2.5), None, length=3)
shifted = carried.d + jnp.int8(1)
config = Config(1)
reveal_type(jnp.zeros(config.d))  # R: Array[float32, tuple[Literal[1]]]
