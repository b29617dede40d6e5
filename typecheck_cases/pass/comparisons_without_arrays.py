"""What compares with an array as any object does stays a bool; a union stays one."""

import jax
import jax.numpy as jnp

x = jnp.ones((2, 3))
none: bool = None == x  # noqa: E711
text: bool = "a" == x
number: bool = 1 == 1.0
both: bool = 0 == 1 != 2


def count(value: jax.Array | int) -> int:
    found = 0 == value
    if isinstance(found, bool):
        return int(found)
    return int(found.sum())


assert count(0) == 1
assert count(x) == 0
