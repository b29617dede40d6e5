"""The names of `jax.lax`, by what they do: `lax` has them all."""
