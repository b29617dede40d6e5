"""Whether a program makes random keys of JAX's default implementation, or switches another one on.

Which keys `jax.random.key(0)` makes depends on `jax_default_prng_impl`, whether `jax.random.PRNGKey(0)` makes typed
ones on `jax_enable_custom_prng`.  Where a file of the program, or the environment, so much as mentions one of them, it
is not known which.

Source: https://docs.jax.dev/en/latest/jax.random.html.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

__all__ = ["environment_says_keys", "mentions_keys"]

_VARIABLES: Final = ("JAX_DEFAULT_PRNG_IMPL", "JAX_ENABLE_CUSTOM_PRNG")
_MENTIONS: Final = (b"default_prng_impl", b"DEFAULT_PRNG_IMPL", b"enable_custom_prng", b"ENABLE_CUSTOM_PRNG")


def mentions_keys(source: bytes) -> bool:
    """Whether the text of a file mentions what switches the implementation of keys."""
    return any(mention in source for mention in _MENTIONS)


def environment_says_keys(environ: Mapping[str, str] | None = None) -> bool:
    """Whether the environment switches the implementation of keys."""
    environ = os.environ if environ is None else environ
    return any(v in environ for v in _VARIABLES)
