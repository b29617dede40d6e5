"""Pytrees: named tuples, dataclasses, None, registered classes, paths, transposition, optimiser states."""

import collections
import dataclasses
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

Point = collections.namedtuple("Point", "x y")


class Layer(NamedTuple):
    w: jax.Array
    b: jax.Array | None = None


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Adam:
    mu: dict
    nu: dict
    step: jax.Array
    rate: float = dataclasses.field(default=0.1, metadata={"static": True})


@jax.tree_util.register_pytree_node_class
class Special:
    def __init__(self, x, name):
        self.x, self.name = x, name

    def tree_flatten(self):
        return (self.x,), self.name

    @classmethod
    def tree_unflatten(cls, name, children):
        return cls(*children, name)


tree = [1, {"k1": 2, "k2": (3, 4)}, None, Point(5, [6.0])]
print(jax.tree.leaves(tree), jax.tree.map(lambda x: x * 2, tree))
for path, leaf in jax.tree_util.tree_flatten_with_path(tree)[0]:
    print(jax.tree_util.keystr(path), leaf)
print(jax.tree.map(lambda x, y: x + y, {"a": 1, "b": (2, 3)}, {"a": 10, "b": (20, 30)}))
print(jax.tree.reduce(lambda a, b: a + b, tree, 0), jax.tree.all([True, 1]), jax.tree.leaves(Special(7, "name")))
print(jax.tree.transpose(jax.tree.structure([0, 0]), jax.tree.structure((0, 0)), [(1, 2), (3, 4)]))

params = [Layer(jnp.ones((3, 4)), jnp.zeros(4)), Layer(jnp.full((4, 1), 0.5))]


def apply(params, x):
    for layer in params:
        x = jnp.tanh(x @ layer.w + (0 if layer.b is None else layer.b))
    return x.mean()


def zeros(params):
    return jax.tree.map(jnp.zeros_like, params)


@partial(jax.jit, donate_argnums=0)
def update(state, params, x):
    grads = jax.grad(apply)(params, x)
    step = state.step + 1
    mu = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state.mu, grads)
    nu = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, state.nu, grads)
    new = jax.tree.map(
        lambda p, m, v: p - state.rate * (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.999**step)) + 1e-8),
        params,
        mu,
        nu,
    )
    return Adam(mu, nu, step, state.rate), new


state = Adam(zeros(params), zeros(params), jnp.array(0))
x = jnp.linspace(-1, 1, 6).reshape(2, 3) + 0.3
for _ in range(3):
    state, params = update(state, params, x)
print(state.step, apply(params, x), params[0].b, params[1].b)
special = jax.jit(jax.vmap(lambda s: Special(s.x**2, s.name)))(Special(jnp.arange(3.0), "kept"))
print(special.x, special.name)
squared = jax.tree_util.Partial(lambda power, x: x**power, 2)
print(jax.jit(lambda f, x: f(x))(squared, 3.0))
try:
    jax.tree.map(lambda a, b: a, {"a": 1}, {"b": 1})
except ValueError:
    print("structures differ")
