"""Functions that take functions: jit keeps the signature, vmap and loops claim nothing that they may change."""

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float, Float32


@jax.jit
def step(x: Float32[Array, "3"], n: int) -> Float32[Array, "3 4"]:
    return x[:, None] * jnp.ones((3, 4))


reveal_type(step(jnp.ones(3), 2))  # R: Array[float32 | float, tuple[Literal[3], Literal[4]]]


def dot(x: Float[Array, "3"], y: Float[Array, "3"]) -> Float[Array, ""]:
    reveal_type(x * y)  # R: Array[Any, tuple[Literal[3]]]
    return x @ y


reveal_type(jax.vmap(dot)(jnp.ones((5, 3)), jnp.ones((5, 3))))  # R: Array[Any, Any]


def body(carry: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    return carry + x, x


reveal_type(lax.scan(body, jnp.asarray(0.0), jnp.ones(3))[0])  # R: Array[Any, Any]
reveal_type(lax.while_loop(lambda v: v < 3, lambda v: v + jnp.float32(1), jnp.asarray(0.0)))  # R: Array[Any, Any]
# What goes into a loop as a number comes out as an array, of a dtype that the loop decides.
reveal_type(jnp.clip(lax.scan(lambda c, x: (c * x, x), 1.0, jnp.ones(3))[0], 0, 1))  # R: Array[Any, Any]
reveal_type(jnp.clip(lax.fori_loop(0, 3, lambda i, c: c * jnp.float32(2), 1.0), 0, 1))  # R: Array[Any, Any]
