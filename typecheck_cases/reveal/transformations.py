"""Functions that take functions: what they keep of a function's arguments and results, and what they change."""

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float, Float32


@jax.jit
def step(x: Float32[Array, "3"], n: int) -> Float32[Array, "3 4"]:
    return x[:, None] * jnp.ones((3, 4))


reveal_type(step(jnp.ones(3), 2))  # R: Array[float32, tuple[Literal[3], Literal[4]]]


def dot(x: Float[Array, "3"], y: Float[Array, "3"]) -> Float[Array, ""]:
    reveal_type(x * y)  # R: Array[Any, tuple[Literal[3]]]
    return x @ y


reveal_type(jax.vmap(dot)(jnp.ones((5, 3)), jnp.ones((5, 3))))  # R: Array[float32 | float, tuple[Literal[5]]]


def body(carry: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    return carry + x, x


reveal_type(lax.scan(body, jnp.asarray(0.0), jnp.ones(3))[0])  # R: Array[float32, tuple[()]]
looped = lax.while_loop(lambda v: v < 3, lambda v: v + jnp.float32(1), jnp.asarray(0.0))
reveal_type(looped)  # R: Array[float32, tuple[()]]
# What goes into a loop as a number comes out as an array, of a dtype that the loop decides.
reveal_type(jnp.clip(lax.scan(lambda c, x: (c * x, x), 1.0, jnp.ones(3))[0], 0, 1))  # R: Array[float32, tuple[()]]
reveal_type(jnp.clip(lax.fori_loop(0, 3, lambda i, c: c * jnp.float32(2), 1.0), 0, 1))  # R: Array[float32, tuple[()]]

w = jnp.ones(4, jnp.float32)
x = jnp.ones((3, 4), jnp.float32)


def unannotated(w, x):
    return ((x @ w) ** 2).sum()


def loss(w: Float32[Array, "4"], x: Float32[Array, "3 4"]) -> Float32[Array, ""]:
    return ((x @ w) ** 2).sum()


def doubled(v: Float32[Array, "4"]) -> Float32[Array, "4"]:
    return v * 2.0


def total(v: Float32[Array, "4"]) -> Float32[Array, ""]:
    return v.sum()


# A gradient has the dtype and shape of what it is taken by, whatever the function is.
reveal_type(jax.grad(unannotated)(w, x))  # R: Array[float32, tuple[Literal[4]]]
reveal_type(jax.grad(unannotated, argnums=1)(w, x))  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(jax.value_and_grad(loss)(w, x)[0])  # R: Array[float32 | float, tuple[()]]
reveal_type(jax.value_and_grad(unannotated)(w, x)[1])  # R: Array[float32, tuple[Literal[4]]]
reveal_type(jax.jit(jax.grad(loss))(w, x))  # R: Array[float32, tuple[Literal[4]]]
reveal_type(jax.vmap(total)(x))  # R: Array[float32 | float, tuple[Literal[3]]]
reveal_type(jax.vmap(total, in_axes=1)(x.T))  # R: Array[float32 | float, tuple[Literal[3]]]
reveal_type(jax.vmap(doubled, out_axes=1)(x))  # R: Array[float32 | float, tuple[Literal[4], Literal[3]]]
reveal_type(jax.vmap(jax.grad(total))(x))  # R: Array[float32 | float, tuple[Literal[3], Literal[4]]]
reveal_type(jax.checkpoint(total)(w))  # R: Array[float32, tuple[()]]
carry, _ = lax.scan(lambda c, row: (c + row, None), w, x)
reveal_type(carry)  # R: Array[float32, tuple[Literal[4]]]
reveal_type(lax.fori_loop(0, 3, lambda i, c: c * 2.0, w))  # R: Array[float32, tuple[Literal[4]]]
