"""The dtypes of typed keys, `key<fry>` and its kin, one for each implementation of random numbers.

Source: https://docs.jax.dev/en/latest/jep/9263-typed-keys.html; https://docs.jax.dev/en/latest/jax.random.html.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arraytyping import config
from arraytyping.semantics.key_implementations import KEY_SIZES, KEY_TAGS

__all__ = ["KEY_TYPES", "THREEFRY", "KeyTy", "default_key_type", "extended", "implementation", "prng_key"]


class extended(np.generic):
    """The kind of the dtypes that NumPy does not have."""


class prng_key(extended):
    """The kind of the dtypes of random keys."""


class KeyTy:
    """The dtype of random keys of an implementation."""

    __slots__ = ("impl", "itemsize", "name", "words")
    type: Final = prng_key

    def __init__(self, tag: str, impl: str, words: int) -> None:
        self.name: Final = f"key<{tag}>"
        self.impl: Final = impl
        self.words: Final = words
        self.itemsize: Final = 4 * words

    def __repr__(self) -> str:
        return self.name

    @property
    def key_shape(self) -> tuple[int, ...]:
        """The shape of the bits of one key."""
        return (self.words,)

    def around(self, bits: Any) -> Any:
        """The array of keys around an array of their bits."""
        from arraytyping.random.key_arrays import PRNGKeyArray

        return PRNGKeyArray(bits, self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyTy) and self.impl == other.impl

    def __hash__(self) -> int:
        return hash((KeyTy, self.impl))


THREEFRY: Final = KeyTy("fry", "threefry2x32", 2)
KEY_TYPES: Final = {
    impl: THREEFRY if impl == THREEFRY.impl else KeyTy(tag, impl, KEY_SIZES[tag]) for impl, tag in KEY_TAGS.items()
}
"""The dtype of the keys of each implementation."""


def default_key_type() -> KeyTy:
    """The dtype of the keys that are made where no implementation is named."""
    return KEY_TYPES[config.read("default_prng_impl")]


def implementation(function: str, impl: Any, dtype: Any = None) -> KeyTy:
    """The dtype of the keys that are asked for, by the name of the implementation or by the dtype.

    Raises:
        ValueError: for an unknown implementation, and if both are given.
        TypeError: for what names none.
    """
    if impl is not None and dtype is not None:
        raise ValueError(f"Cannot specify both `impl` and `dtype` arguments to {function}")
    asked = impl if dtype is None else dtype
    if asked is None:
        return default_key_type()
    if isinstance(asked, KeyTy):
        return asked
    if isinstance(asked, str):
        if asked in KEY_TYPES:
            return KEY_TYPES[asked]
        raise ValueError(f"unrecognized PRNG implementation {asked!r}; there are {', '.join(map(repr, KEY_TYPES))}")
    raise TypeError(
        f"{function}: unrecognized type {type(asked)} for a PRNG implementation; name it by a string or a dtype of keys"
    )
