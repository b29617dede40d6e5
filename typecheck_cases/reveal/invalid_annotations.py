"""What is annotated with a function or a variable, which is no type, is anything: not what the rest of a union says."""

from typing import Optional, TypeVar

import jax
import jax.numpy as jnp

T = TypeVar("T", bound=jax.Array)
Same = (lambda kind: kind)(T)


class Kept:
    value: Optional[jnp.array] = None  # type: ignore[valid-type]
    other: Optional[Same] = None  # type: ignore[valid-type]

    def scaled(self, x: jax.Array) -> None:
        if self.value is not None and self.other is not None:
            reveal_type(x * self.value)  # R: Any
            reveal_type(x * self.other)  # R: Any


def kept(x: Optional[jnp.array]) -> None:  # type: ignore[valid-type]
    chosen = jnp.ones(3) if x is None else x
    reveal_type(chosen * 2)  # R: Any


kept(jnp.ones(3))
