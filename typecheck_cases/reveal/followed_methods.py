"""What methods, functions with derivatives of their own, containers that grow and ravelled trees give."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


class State(NamedTuple):
    """Has methods, and no class inherits from it."""

    x: jax.Array
    n: jax.Array

    @classmethod
    def make(cls, size):
        return cls(jnp.zeros(size), jnp.int32(0))

    def moved(self, d):
        return self._replace(x=self.x + d)


def rounded(x, f) -> State:
    return State(x.astype(jnp.int32), f(x))


state = State.make(3)
reveal_type(state.x)  # R: Array[float32, tuple[Literal[3]]]
reveal_type(state.moved(jnp.ones((2, 3))).x)  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(rounded(jnp.ones(3), jnp.sum).x)  # R: Array[int32, tuple[Literal[3]]]


class Open(NamedTuple):
    """Is inherited from."""

    x: jax.Array

    def doubled(self):
        return self.x * 2


class Other(Open):
    """Gives something else."""

    def doubled(self):
        return jnp.ones(2, jnp.int8)


def use_open(owner: Open):
    return owner.doubled()


reveal_type(use_open(Other(jnp.ones(3))))  # R: Any


@dataclass
class Cache:
    """Is made by its own methods."""

    k: jax.Array

    @classmethod
    def empty(cls, n):
        return cls(jnp.zeros(n, jnp.bfloat16))

    @staticmethod
    def pair(n):
        return jnp.zeros(n), jnp.ones(n, jnp.int8)


reveal_type(Cache.empty(4).k)  # R: Array[bfloat16, tuple[Literal[4]]]
reveal_type(Cache.pair(4)[1])  # R: Array[int8, tuple[Literal[4]]]


@jax.custom_vjp
def signs(x):
    return jnp.sign(x)


def signs_forward(x):
    return signs(x), None


def signs_backward(_, g):
    return (g,)


signs.defvjp(signs_forward, signs_backward)


@partial(jax.custom_jvp, nondiff_argnums=(1,))
def scaled(x, n):
    return x * n


@scaled.defjvp
def scaled_jvp(n, primals, tangents):
    return primals[0] * n, tangents[0] * n


y = jnp.ones((3, 4))
reveal_type(signs(y))  # R: Array[float32 | float, tuple[Literal[3], Literal[4]]]
reveal_type(jax.vmap(signs)(y))  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(scaled(y, 3))  # R: Array[float32 | float, tuple[Literal[3], Literal[4]]]
reveal_type(jax.jit(lambda v: signs(v) + scaled(v, 2))(y))  # R: Array[float32 | float, tuple[Literal[3], Literal[4]]]
x = jnp.ones((3, 4), jnp.bfloat16)


def make_optimizer(rate):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, moments):
        return jax.tree.map(lambda g, m: rate * g + m, grads, moments), moments

    return init, update


start, update = make_optimizer(0.5)
moments = start({"w": x})
reveal_type(moments["w"])  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
reveal_type(update({"w": x}, moments)[0]["w"])  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]


def applied(f: Callable[..., jax.Array], v):
    return f(v)


reveal_type(applied(lambda v: v.sum(axis=1), x))  # R: Array[bfloat16, tuple[Literal[3]]]


def weights(key, sizes):
    params = {}
    for i, (m, n) in enumerate(zip(sizes[:-1], sizes[1:], strict=True)):
        key, sub = jax.random.split(key)
        params[f"w{i}"] = jax.random.uniform(sub, (m, n))
        params[f"b{i}"] = jnp.zeros((n,))
    return params


params = weights(jax.random.key(0), [2, 3, 4])
reveal_type(params["b0"])  # R: Array[float32, Any]
reveal_type(jax.tree.map(lambda v: v.astype(jnp.int8), params)["w1"])  # R: Array[int8, Any]


def rest(values):
    first, *others = values
    return others[0] + first


reveal_type(rest((jnp.ones(3, jnp.int8), jnp.ones((2, 3)))))  # R: Array[float32, tuple[Literal[2], Literal[3]]]

flat, unravel = ravel_pytree({"a": jnp.ones((2, 3)), "b": jnp.zeros(2)})
reveal_type(flat)  # R: Array[float32, tuple[Literal[8]]]
reveal_type(unravel(flat)["a"])  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(unravel(flat.astype(jnp.int8))["a"])  # R: Array[int8, tuple[Literal[2], Literal[3]]]
reveal_type(jax.vmap(unravel)(jnp.ones((5, 8)))["b"])  # R: Array[float32 | float, tuple[Literal[5], Literal[2]]]
_, unravel_mixed = ravel_pytree((jnp.ones((2, 3)), jnp.zeros(2, jnp.int32)))
reveal_type(unravel_mixed(flat)[1])  # R: Array[int32, tuple[Literal[2]]]
