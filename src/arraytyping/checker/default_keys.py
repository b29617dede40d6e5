"""Whether a program makes random keys of JAX's default implementation, or switches another one on.

Which keys `jax.random.key(0)` makes depends on `jax_default_prng_impl`, whether `jax.random.PRNGKey(0)` makes typed
ones on `jax_enable_custom_prng`.  Where a file of the program, or the environment, so much as mentions one of them, it
is not known which.

Source: https://docs.jax.dev/en/latest/jax.random.html.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from arraytyping.regular_files import read_regular

__all__ = ["has_default_keys", "mentions_keys"]

_VARIABLES: Final = ("JAX_DEFAULT_PRNG_IMPL", "JAX_ENABLE_CUSTOM_PRNG")
_MENTIONS: Final = (b"default_prng_impl", b"DEFAULT_PRNG_IMPL", b"enable_custom_prng", b"ENABLE_CUSTOM_PRNG")


def mentions_keys(file: Path) -> bool:
    """Whether a file mentions what switches the implementation of keys."""
    try:
        source = read_regular(file)
    except OSError:
        return False
    return any(mention in source for mention in _MENTIONS)


def has_default_keys(files: Iterable[Path], environ: Mapping[str, str] | None = None) -> bool:
    """Whether nothing in the files of a program, nor in the environment, switches the implementation of keys."""
    environ = os.environ if environ is None else environ
    return not any(v in environ for v in _VARIABLES) and not any(map(mentions_keys, files))
