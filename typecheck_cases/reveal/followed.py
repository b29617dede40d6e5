"""Functions without annotations: what they give follows from what they are given, and from nothing that may be otherwise."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

F = TypeVar("F", bound=Callable[..., Any])
WIDTH = 4


def layer(w, b, x, scale=1.0):
    h = x @ w
    h = h + b
    return jnp.maximum(h, 0) * scale


def init(key, n_in, n_out):
    return {"w": jax.random.normal(key, (n_in, n_out)), "b": jnp.zeros(n_out)}


def total(params, x):
    return layer(params["w"], params["b"], x).sum()


x = jnp.ones((5, 3))
params = init(jax.random.key(0), 3, WIDTH)
reveal_type(layer(params["w"], params["b"], x))  # R: Array[float32, tuple[Literal[5], Literal[4]]]
narrow = jnp.ones((3, 2), jnp.bfloat16)
inputs = jnp.ones((3, 3), jnp.bfloat16)
reveal_type(layer(narrow, jnp.ones(2, jnp.int8), inputs))  # R: Array[bfloat16, tuple[Literal[3], Literal[2]]]
reveal_type(params["b"])  # R: Array[float32, tuple[Literal[4]]]
reveal_type(jax.jit(total)(params, x))  # R: Array[float32, tuple[()]]
reveal_type(jax.grad(total)(params, x)["w"])  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(jax.value_and_grad(total, argnums=1)(params, x)[0])  # R: Array[float32, tuple[()]]
reveal_type(jax.vmap(total, in_axes=(None, 0))(params, x))  # R: Array[float32, tuple[Literal[5]]]
moved = jax.tree.map(lambda p, g: p - 0.1 * g, params, params)
reveal_type(moved["w"])  # R: Array[float32, tuple[Literal[3], Literal[4]]]
leaf, *_ = jax.tree.leaves(params)
reveal_type(leaf)  # R: Array[float32, tuple[Literal[4]]] | Array[float32, tuple[Literal[3], Literal[4]]]
bound = partial(layer, params["w"], scale=2.0)
reveal_type(bound(params["b"], x))  # R: Array[float32, tuple[Literal[5], Literal[4]]]


@partial(jax.jit, static_argnames="n")
def rows(v, n):
    return v.reshape(n, -1)


reveal_type(rows(np.ones((2, 6)), n=4))  # R: Array[float32, tuple[Literal[4], Literal[3]]]


class State(NamedTuple):
    """Arrays, of which the declaration says nothing."""

    position: jax.Array
    velocity: jax.Array
    steps: int = 0


def move(state, dt):
    return state._replace(position=state.position + dt * state.velocity, steps=state.steps + 1)


def step(state, force):
    state = State(state.position, state.velocity + force)
    return move(state, 0.1), state.position.sum()


state = State(jnp.zeros(3), jnp.ones(3))
reveal_type(state.position)  # R: Array[float32, tuple[Literal[3]]]
reveal_type(move(state, 0.5).position)  # R: Array[float32, tuple[Literal[3]]]
final, energies = lax.scan(step, state, jnp.ones((6, 3)))
reveal_type(final.velocity)  # R: Array[float32, tuple[Literal[3]]]
reveal_type(energies)  # R: Array[float32, tuple[Literal[6]]]
reveal_type(lax.fori_loop(0, 4, lambda i, v: v * 2 + i, jnp.ones(3)))  # R: Array[float32, tuple[Literal[3]]]
_, last = lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2.0), (0, jnp.ones(2)))
reveal_type(last)  # R: Array[float32, tuple[Literal[2]]]
branch = lax.cond(x[0, 0] > 0, lambda v: v + 1, lambda v: v - 1, x)
reveal_type(branch)  # R: Array[float32 | float, tuple[Literal[5], Literal[3]]]
reveal_type(lax.map(lambda v: v.sum(), x))  # R: Array[float32 | float, tuple[Literal[5]]]
reveal_type(jax.jvp(lambda v: jnp.sin(v).sum(), (x,), (x,))[1])  # R: Array[float32 | float, tuple[()]]


def either(v, flag):
    if flag:
        return v.sum()
    return v.astype(jnp.int32)


def nothing(v):
    if v is not None:
        return v * 2


def endless(v, n):
    return v if n == 0 else endless(jnp.concatenate([v, v]), n - 1)


def adder(n):
    def add(v):
        return jnp.concatenate([v, jnp.zeros(n)])

    return add


def batches(v, n):
    for i in range(n):
        yield i, v[:2]


reveal_type(either(x, True))  # R: Array[float32, tuple[()]]
reveal_type(nothing(x))  # R: Array[float32, tuple[Literal[5], Literal[3]]]
reveal_type(adder(3)(jnp.ones(2)))  # R: Array[float32, tuple[Literal[5]]]
for _, batch in batches(x, 1):
    reveal_type(batch)  # R: Array[float32, tuple[Literal[2], Literal[3]]]
full = jax.nn.initializers.he_normal()
reveal_type(full(jax.random.key(0), (3, 4)))  # R: Array[float32, tuple[Literal[3], Literal[4]]]
half = jax.nn.initializers.he_normal(dtype=jnp.float16)
reveal_type(half(jax.random.key(0), (3, 4)))  # R: Array[Any, Any]


def doubling(function: F) -> F:
    """Declared to give what it is given, and gives more."""

    def wrapped(*args: Any) -> Any:
        return jnp.stack([function(*args)] * 2)

    return wrapped  # type: ignore[return-value]


@doubling
def decorated(v):
    return v + 1


def plain(v):
    return v + 1


again = doubling(plain)
chosen = plain if x.sum() > 0 else nothing
reveal_type(decorated(jnp.ones(3)))  # R: Any
reveal_type(again(jnp.ones(3)))  # R: Any
reveal_type(chosen(jnp.ones(3)))  # R: Array[float32, tuple[Literal[3]]]


class Base:
    """A class whose method is overridden."""

    def make(self):
        return jnp.zeros(3)

    def twice(self):
        return self.make() * 2


class Derived(Base):
    """Makes something else."""

    def make(self):
        return jnp.zeros((2, 2), jnp.int32)


def use(owner: Base) -> Iterator[jax.Array]:
    yield owner.make()


reveal_type(Base().twice())  # R: Array[float32, tuple[Literal[3]]]
reveal_type(Derived().twice())  # R: Array[int32, tuple[Literal[2], Literal[2]]]
for made in use(Derived()):
    reveal_type(made)  # R: Array[int32, tuple[Literal[2], Literal[2]]]

grown = [jnp.ones(7)]
grown.append(jnp.ones((7, 7), jnp.int8))
reveal_type(grown[1])  # R: Array[float32, tuple[Literal[7]]] | Array[int8, tuple[Literal[7], Literal[7]]]


def read_grown():
    return grown[0]


reveal_type(read_grown())  # R: Array[Any, Any]
kept = [jnp.ones(2), jnp.ones(2) * 2]
reveal_type(kept[1])  # R: Array[float32, tuple[Literal[2]]]
counter = jnp.ones(9)


def read_counter(v):
    return counter + v


reveal_type(read_counter(1.0))  # R: Any
counter = jnp.ones((8, 1), jnp.int32)
reveal_type(read_counter(1.0))  # R: Any
