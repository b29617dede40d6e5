"""A list of None holds the places of what comes later: what is read of it is not None for certain."""

import jax.numpy as jnp


def gather(n: int) -> None:
    kept = [None] * n
    for i in range(n):
        kept[i] = jnp.ones(3)  # type: ignore[call-overload]
    reveal_type(jnp.ones(3) @ kept[0])  # R: Any
    reveal_type(jnp.ones(3) * kept.pop())  # R: Any
    for x in kept:
        reveal_type(x)  # R: Any
    for _, y in enumerate(kept):
        reveal_type(y)  # R: Any


gather(2)
