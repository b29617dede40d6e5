"""The grammar of jaxtyping's dimension strings: `"*batch #n 3 rows=4 _ n+1 ..."`.

Source: https://docs.kidger.site/jaxtyping/api/array/; the strings have passed jaxtyping's own check.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal

__all__ = ["DimSpec", "parse_dims"]


@dataclass(frozen=True)
class DimSpec:
    """What is asked of one dimension, or, if `variadic`, of any number of them.

    `text` is the name, the expression, or the number; one that is `broadcastable` may be 1, and `by_leaf` has a size
    of its own for each leaf of a tree.
    """

    kind: Literal["fixed", "named", "symbolic", "any"]
    text: str = ""
    size: int = 0
    variadic: bool = False
    broadcastable: bool = False
    by_leaf: bool = False


@functools.cache
def parse_dims(text: str) -> tuple[DimSpec, ...]:
    """The dimensions that a string names."""
    return tuple(map(_dim, text.split()))


def _dim(element: str) -> DimSpec:
    if element == "...":
        return DimSpec("any", element, variadic=True)
    modifiers: set[str] = set()
    rest = element
    while rest:
        if rest[0] in "#*_?":
            modifiers.add(rest[0])
            rest = rest[1:]
        elif rest.count("=") == 1:
            rest = rest.partition("=")[2]
        else:
            break
    variadic, broadcastable = "*" in modifiers, "#" in modifiers
    if "_" in modifiers:
        return DimSpec("any", element, variadic=variadic)
    if not rest or rest.isidentifier():
        return DimSpec("named", rest, 0, variadic, broadcastable, "?" in modifiers)
    try:
        return DimSpec("fixed", rest, int(rest), broadcastable=broadcastable)
    except ValueError:
        return DimSpec("symbolic", rest, broadcastable=broadcastable)
