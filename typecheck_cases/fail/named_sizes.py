"""Calls whose arguments give two sizes to one name of jaxtyping's annotations."""

import beartype
import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Float, Float32, jaxtyped

checked = jaxtyped(typechecker=beartype.beartype)


# fmt: off
def dot(x: Float[jax.Array, "n"], y: Float[jax.Array, "n"]) -> Float[jax.Array, ""]: return x @ y
def product(x: Float[jax.Array, "n k"], y: Float[jax.Array, "k m"]) -> Float[jax.Array, "n m"]: return x @ y
def padded(x: Float[jax.Array, "n"], y: Float[jax.Array, "n+1"]) -> Float[jax.Array, "2*n+1"]: return jnp.concatenate([x, y])
def rows(x: Float[jax.Array, "*batch d"], y: Float[jax.Array, "*batch"]) -> Float[jax.Array, "*batch d"]: return x * y[..., None]
def stretched(x: Float[jax.Array, "#n"], y: Float[jax.Array, "#n"]) -> Float[jax.Array, "n"]: return x + y
def pair(xy: tuple[Float[jax.Array, "n"], Float[jax.Array, "m"]], z: Float[jax.Array, "n m"]) -> None: return None
def maybe(x: Float[jax.Array, "n"], y: Float[jax.Array, "n"] | None = None) -> None: return None
def single(x: Float32[jax.Array, "n"]) -> None: return None
# fmt: on
checked_dot = checked(dot)
checked_product = checked(product)
checked_padded = checked(padded)
checked_rows = checked(rows)
checked_stretched = checked(stretched)
checked_pair = checked(pair)
checked_maybe = checked(maybe)
checked_dot(jnp.ones(3), jnp.ones(3))
checked_dot(jnp.ones(3), jnp.ones(4))  # E: array-annotation
checked_dot(y=jnp.ones(3), x=jnp.ones(4))  # E: array-annotation
checked_product(jnp.ones((2, 3)), jnp.ones((3, 4)))
checked_product(jnp.ones((2, 3)), jnp.ones((4, 4)))  # E: array-annotation
checked_padded(jnp.ones(3), jnp.ones(4))
checked_padded(jnp.ones(3), jnp.ones(3))  # E: array-annotation
checked_rows(jnp.ones((2, 3, 4)), jnp.ones((2, 3)))
checked_rows(jnp.ones((2, 3, 4)), jnp.ones((2, 1)))  # E: array-annotation
checked_stretched(jnp.ones(1), jnp.ones(4))
checked_stretched(jnp.ones(3), jnp.ones(4))  # E: array-annotation
checked_pair((jnp.ones(2), jnp.ones(3)), jnp.ones((2, 3)))
checked_pair((jnp.ones(2), jnp.ones(3)), jnp.ones((3, 3)))  # E: array-annotation
checked_maybe(jnp.ones(2))
checked_maybe(jnp.ones(2), None)
checked_maybe(jnp.ones(2), jnp.ones(3))  # E: array-annotation
eqx.filter_jit(checked_dot)(jnp.ones(3), jnp.ones(3))
checked_single = checked(single)
checked_single(jnp.ones(3))
checked_single(jnp.asarray([1.0]) * 2)
checked_single(jnp.ones(3, jnp.bfloat16))  # E: array-annotation
