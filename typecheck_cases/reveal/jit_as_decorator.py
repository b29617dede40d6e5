"""`jax.jit` with its options alone makes a decorator.  Needs jax 0.9."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int


@jax.jit(static_argnames="n")
def other(x: jax.Array, n: int) -> Int[Array, ""]:
    return jnp.int32(n)


reveal_type(other(jnp.ones(3), n=2))  # R: Array[int32, tuple[()]]
