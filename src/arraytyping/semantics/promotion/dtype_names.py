"""The names by which a person may call a dtype: full ones, short ones that count bits, JEP 9407's starred ones.

Short names are those that jaxprs print (`i16`, `bf16`, `c64`, `f8_e4m3fn`).  The first documents of JAX's promotion
count bytes instead (`i2`, `c8`), so that `i8` is int64 there: the two are never guessed apart, the second is asked for.

Source: https://docs.jax.dev/en/latest/type_promotion.html and JEP 9407 for the starred names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from arraytyping.scalars import DTYPES, KINDS, SMALL_FLOATS, bits

__all__ = ["UnknownDtypeError", "nearest", "parse_dtype", "short_name"]

_STARRED: Final = {"u*": "uint", "i*": "int", "f*": "float", "c*": "complex"}
_WEAK: Final = ("int", "float", "complex", "uint")


class UnknownDtypeError(ValueError):
    """A text names no dtype; the message has the nearest names."""


def short_name(dtype: str) -> str:
    """The name that jaxprs print, `i16` for `int16`; JEP 9407's `i*` for the weak `int`.

    Names that have no shorter form, `bool` among them, stay as they are.
    """
    for starred, weak in _STARRED.items():
        if dtype == weak:
            return starred
    for start, letter in (("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c")):
        if dtype.startswith(start):
            return letter + dtype.removeprefix(start)
    return dtype


_BY_BITS: Final = {
    **{name: name for name in (*DTYPES, *_WEAK)},
    **{short_name(name): name for name in DTYPES},
    **_STARRED,
    "b": "bool",
    "b1": "bool",
    "bool_": "bool",
}
_BY_BYTES: Final = {
    **{f"{KINDS[d]}{bits(d) // 8}": d for d in DTYPES if bits(d) >= 8 and d not in (*SMALL_FLOATS, "bfloat16")},
    **{name: name for name in (*DTYPES, *_WEAK)},
    **_STARRED,
    "b": "bool",
    "bool_": "bool",
    "bf": "bfloat16",
    "bf2": "bfloat16",
}


def parse_dtype(text: str, *, bytes: bool = False) -> str:
    """The full name of a dtype, or of a weak type (`int`, `float`, `complex`), given any of its names.

    With `bytes` a short name counts bytes: `i8` is int64, `c8` complex64, `bf` bfloat16.  A name with a star that
    stands for one width (`i8*`, JEP 9407's scalar types of NumPy 1) gives `int8*`.

    Raises:
        UnknownDtypeError: for anything else, with the nearest names, or with the notation that it seems to be in.
    """
    names = _BY_BYTES if bytes else _BY_BITS
    name = text.strip()
    if name in names:
        return names[name]
    if name.endswith("*") and (wide := names.get(name[:-1])) in DTYPES:
        return f"{wide}*"
    other = (_BY_BITS if bytes else _BY_BYTES).get(name)
    if other is not None and bytes:
        raise UnknownDtypeError(
            f"{text!r} counts bits, and --bytes says that names count bytes: {other} is "
            f"{_short(_BY_BYTES, other)!r} there"
        )
    if other is not None:
        raise UnknownDtypeError(
            f"{text!r} counts bytes, and names count bits here: write {short_name(other)!r} for {other}, or pass "
            "--bytes for the notation of JAX's first documents"
        )
    raise UnknownDtypeError(f"{text!r} is no dtype; {nearest(name, names, _EXAMPLES)}")


_EXAMPLES: Final = "dtypes are named as in NumPy and JAX: bool, int8, uint16, bfloat16, float32, complex64"


def _short(names: dict[str, str], dtype: str) -> str:
    return min((n for n, d in names.items() if d == dtype), key=len)


def nearest(text: str, names: Iterable[str], otherwise: str) -> str:
    """`did you mean int16 or int32?`, or else the other sentence, where nothing is near."""
    every = list(names)
    # A typing error in a width is nearer to the other widths of the kind than letters alone tell.
    kind = re.match(r"[a-zA-Z-]+", text)
    near = get_close_matches(text.lower(), every, 3, 0.6)
    if not near and kind and len(kind[0]) > 1:
        near = [n for n in every if n.startswith(kind[0].lower())][:3]
    return f"did you mean {' or '.join(near)}?" if near else otherwise
