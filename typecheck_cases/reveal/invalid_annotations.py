"""What is annotated with a function or a variable, which is no type, is anything: not what the rest of a union says."""

from typing import Optional, TypeVar

import jax
import jax.numpy as jnp

T = TypeVar("T", bound=jax.Array)
Same = (lambda kind: kind)(T)
Bound = TypeVar("Bound", bound=Same)  # type: ignore[valid-type]


class Kept:
    value: Optional[jnp.array] = None  # type: ignore[valid-type]
    other: Optional[Same] = None  # type: ignore[valid-type]

    def scaled(self, x: jax.Array) -> None:
        if self.value is not None:
            reveal_type(x * self.value)  # R: Any
        if self.other is not None:
            reveal_type(x * self.other)  # R: Any


def kept(x: Optional[jnp.array]) -> None:  # type: ignore[valid-type]
    if x is not None:
        reveal_type(jnp.ones(3) * x)  # R: Any


made = Kept()
made.value = made.other = jnp.ones(3)
made.scaled(jnp.ones(3))
kept(jnp.ones(3))
