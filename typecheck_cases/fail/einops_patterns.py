"""Patterns of einops that do not fit."""

import jax.numpy as jnp
from einops import rearrange, reduce, repeat

x = jnp.ones((2, 12, 3), jnp.int8)
f = jnp.ones((4, 6, 8))
rearrange(x, "b (h d) c -> b h d c", h=5)  # E: array-shape
rearrange(x, "b c -> c b")  # E: array-shape
rearrange(x, "a b c ... d -> a b c d ...")  # E: array-shape
rearrange(x, "a b c -> a b")  # E: array-shape
rearrange(x, "a b 1 -> a b")  # E: array-shape
rearrange(x, "a b c -> a b c", e=3)  # E: array-shape
rearrange(x, "a b c -> a b c", a=3)  # E: array-shape
rearrange(x, "a b (c d e) -> a b c d e")  # E: array-shape
rearrange(x, "a b c -> a b b")  # E: array-shape
rearrange(x, "a b c")  # E: array-shape
rearrange(x, "a b, c -> a b c")  # E: array-shape
repeat(x, "a b c -> a b c r")  # E: array-shape
repeat(x, "a b c -> a b r", r=3)  # E: array-shape
reduce(x, "a b c -> a", "mean")  # E: array-dtype
reduce(x, "a b c -> a d", "sum")  # E: array-shape
reduce(x, "a b c -> a", "median")  # E: array-dtype
reduce(f[:0], "a b c -> b c", "max")  # E: array-shape
reduce(f, "a (b 4) c -> a b c", "max")  # E: array-shape
