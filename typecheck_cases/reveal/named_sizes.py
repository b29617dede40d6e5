"""jaxtyping's names as sizes: in the body of a function, and in what a call gives."""

from functools import partial
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Float32

Table = Float32[Array, "rows columns"]


def body(x: Float32[Array, "n k"], y: Float32[Array, "k m"], z: Float32[Array, "2*n"]) -> Float32[Array, "n m"]:
    n, k = x.shape
    m = y.shape[1]
    reveal_type(x @ y)  # R: Array[float32 | float, tuple[Literal['n'], Literal['m']]]
    reveal_type(x.T)  # R: Array[float32 | float, tuple[Literal['k'], Literal['n']]]
    reveal_type(jnp.concatenate([x, x]))  # R: Array[float32 | float, tuple[Literal['2*n'], Literal['k']]]
    reveal_type(z + 1)  # R: Array[float32 | float, tuple[Literal['2*n']]]
    reveal_type(jnp.zeros((n, 2 * k)))  # R: Array[float32, tuple[Literal['n'], Literal['2*k']]]
    reveal_type(x.reshape(-1))  # R: Array[float32 | float, tuple[Literal['k*n']]]
    reveal_type(x.mean(axis=0))  # R: Array[float32, tuple[Literal['k']]]
    reveal_type(jnp.arange(m))  # R: Array[int32, tuple[Literal['m']]]
    either = x if n else x.T
    reveal_type(either + 1)  # R: Array[float32 | float, tuple[int, int]]
    return x @ y


# What a call gives has the sizes of its arguments.
product = body(jnp.ones((2, 3)), jnp.ones((3, 4)), jnp.ones(4))
reveal_type(product)  # R: Array[float32, tuple[Literal[2], Literal[4]]]


def stacked(x: Table, times: int = 2) -> Float32[Array, "2*rows columns+1"]:
    wide = jnp.concatenate([x, x[:, :1]], axis=1)
    return jnp.concatenate([wide, wide])


reveal_type(stacked(jnp.ones((2, 3))))  # R: Array[float32, tuple[Literal[4], Literal[4]]]


def batched(x: Float32[Array, "*batch d"], w: Float32[Array, "d e"]) -> Float32[Array, "*batch e"]:
    return x @ w


joined = batched(jnp.ones((2, 3, 4)), jnp.ones((4, 5)))
reveal_type(joined)  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[5]]]


@jax.jit
def jitted(x: Float32[Array, "n"], y: Float32[Array, "m"]) -> tuple[Float32[Array, "m"], Float32[Array, "n"]]:
    return y, x


rest = jitted(jnp.ones(2), jnp.ones(3))
reveal_type(rest)  # R: tuple[Array[float32, tuple[Literal[3]]], Array[float32, tuple[Literal[2]]]]


@partial(jax.jit, static_argnames="times")
def repeated(x: Float32[Array, "n"], times: int) -> Float32[Array, "n"]:
    return x * times


reveal_type(repeated(jnp.ones(2), times=3))  # R: Array[float32, tuple[Literal[2]]]


@eqx.filter_jit
def filtered(x: Float32[Array, "n"], y: Float32[Array, "n"]) -> Float32[Array, "2*n"]:
    return jnp.concatenate([x, y])


reveal_type(filtered(jnp.ones(2), jnp.ones(2)))  # R: Array[float32, tuple[Literal[4]]]


class State(NamedTuple):
    mean: Float32[Array, "n"]
    covariance: Float32[Array, "n n"]


class Linear(eqx.Module):
    weight: Float32[Array, "out in"]
    bias: Float32[Array, "out"]

    def __call__(self, x: Float32[Array, "k"]) -> Float32[Array, "m"]:
        out = len(self.bias)
        k = len(x)
        doubled = jnp.concatenate([self.weight, self.weight])
        reveal_type(doubled @ x)  # R: Array[float32 | float, tuple[Literal['2*out']]]
        reveal_type(jnp.concatenate([self.bias, x]))  # R: Array[float32 | float, tuple[Literal['k + out']]]
        return self.weight @ x + self.bias


def filter_step(state: State, seen: Float32[Array, "n"]) -> State:
    n = len(seen)
    # The sizes of an instance are its own: its n is not that of the other parameter.
    reveal_type(state.covariance @ state.mean)  # R: Array[float32 | float, tuple[int]]
    reveal_type(seen * 2)  # R: Array[float32 | float, tuple[Literal['n']]]
    return State(seen, jnp.zeros((n, n)))


filter_step(State(jnp.ones(2), jnp.eye(2)), jnp.ones(3))
Linear(jnp.ones((2, 3)), jnp.ones(2))(jnp.ones(3))


def outer(x: Float32[Array, "n"]) -> Float32[Array, "n"]:
    n = len(x)

    def inner(y: Float32[Array, "n"]) -> Float32[Array, "n"]:
        n = len(y)
        reveal_type(y + 1)  # R: Array[float32 | float, tuple[Literal['n']]]
        return y

    reveal_type(inner(x))  # R: Array[float32 | float, tuple[Literal['n']]]
    reveal_type(inner(jnp.ones(7)))  # R: Array[float32, tuple[Literal[7]]]
    return x[:n]


outer(jnp.ones(5))
