"""What a compiled function makes of the arguments of a call: arrays, and static values that tell programs apart."""

from __future__ import annotations

from typing import Any

from arraytyping.basearray import Array
from arraytyping.runtime import tree
from arraytyping.runtime.call_arguments import OfType, described_type

__all__ = ["has_hash", "kind_of", "with_stand_ins"]


def with_stand_ins(args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The arguments, with stand-ins for arrays in the place of descriptions of their types."""

    def typed(leaf: Any) -> Any:
        if isinstance(leaf, Array) or (aval := described_type(leaf)) is None:
            return leaf
        return OfType(aval)

    return tuple([tree.map(typed, a) for a in args]), {n: tree.map(typed, v) for n, v in kwargs.items()}


def kind_of(value: Any) -> Any:
    """What tells apart static values that are equal: 1, 1.0 and True, 0.0 and -0.0, also in tuples."""
    if type(value) is tuple:
        return tuple([kind_of(v) for v in value])
    return repr(value) if type(value) is float else type(value)


def has_hash(value: Any) -> bool:
    """Whether a static value can be told apart from others."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
