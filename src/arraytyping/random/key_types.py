"""The dtype of typed keys, `key<fry>`, and the one implementation of random numbers there is: threefry.

Source: https://docs.jax.dev/en/latest/jep/9263-typed-keys.html; https://docs.jax.dev/en/latest/jax.random.html.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

__all__ = ["THREEFRY", "KeyTy", "extended", "implementation", "prng_key"]


class extended(np.generic):
    """The kind of the dtypes that NumPy does not have."""


class prng_key(extended):
    """The kind of the dtypes of random keys."""


class KeyTy:
    """The dtype of random keys of an implementation."""

    __slots__ = ("impl", "itemsize", "name")
    type: Final = prng_key

    def __init__(self, tag: str, impl: str, words: int) -> None:
        self.name: Final = f"key<{tag}>"
        self.impl: Final = impl
        self.itemsize: Final = 4 * words

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyTy) and self.impl == other.impl

    def __hash__(self) -> int:
        return hash((KeyTy, self.impl))


THREEFRY: Final = KeyTy("fry", "threefry2x32", 2)


def implementation(function: str, impl: Any, dtype: Any = None) -> KeyTy:
    """The dtype of the keys that are asked for, by the name of the implementation or by the dtype.

    Raises:
        ValueError: for an unknown implementation, and if both are given.
        TypeError: for what names none.
    """
    if impl is not None and dtype is not None:
        raise ValueError(f"Cannot specify both `impl` and `dtype` arguments to {function}")
    asked = impl if dtype is None else dtype
    if asked is None or asked == THREEFRY or asked == THREEFRY.impl:
        return THREEFRY
    if isinstance(asked, str):
        raise ValueError(f"unrecognized PRNG implementation {asked!r}; there is {THREEFRY.impl!r}")
    raise TypeError(f"{function}: an implementation is named by a string or a dtype of keys, got {asked!r:.60}")
