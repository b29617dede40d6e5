"""Classes of tuples in libraries that Python does not treat as plain tuples."""

from __future__ import annotations

import functools
import itertools
import operator
from typing import Final

__all__ = ["is_plain_tuple"]

_OPERATORS: Final = frozenset(name for name, v in vars(operator).items() if name.startswith("__") and callable(v))
_ASKED: Final = (
    _OPERATORS
    | {f"__r{name[2:]}" for name in _OPERATORS}
    | {"__len__", "__iter__", "__reversed__", "__bool__", "__getattr__", "__getattribute__"}
)
"""Methods that Python asks an object's class for, and that a plain tuple either has or has not."""


@functools.cache
def is_plain_tuple(kind: type) -> bool:
    """Whether length, items, truth, attributes and operators of this class of tuples are those of `tuple`.

    The `Rotation` of `jax.scipy.spatial.transform` is a NamedTuple with a length and a product of its own.
    """
    own = itertools.takewhile(lambda base: base is not tuple, kind.__mro__)
    return not any(_ASKED & vars(base).keys() for base in own)
