"""Arrays of unknown dtype where the project has floats of one sort only: what comes of them whichever they are.

`jnp.mean(x)` is float32 where `x` is float32 and where it is an array of ints.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Alternatives, ShapedArray

__all__ = ["STRONG", "WEAK", "agreed", "has_unknown_dtype", "with_dtypes"]

STRONG: Final = (("float32", False), ("int32", False), ("uint8", False))
"""What stands for all of them: bools and ints of other widths give the same floats as these ints."""
WEAK: Final = (("float32", True), ("int32", True))
"""Weakly typed ones, as `jnp.full((3,), 1.5)` makes them.  Of some that are weak and others that are strong comes what
comes of only such or only such."""


def has_unknown_dtype(value: Any) -> bool:
    """Whether an array of unknown dtype is in a value of a rule."""
    if isinstance(value, tuple | list):
        return any(map(has_unknown_dtype, value))
    return isinstance(value, ShapedArray) and value.dtype is None


def with_dtypes(value: Any, sorts: tuple[tuple[str, bool], ...]) -> Any:
    """An argument in which each array of unknown dtype is one of several sorts."""
    if isinstance(value, ShapedArray) and value.dtype is None:
        kept = [(dtype, weak) for dtype, weak in sorts if value.weak_type in (None, weak)]
        return Alternatives(tuple(replace(value, dtype=dtype, weak_type=weak) for dtype, weak in kept or STRONG))
    if type(value) in (tuple, list):
        return type(value)(with_dtypes(item, sorts) for item in value)
    return value


def agreed(known: Any, found: Any, *others: Any) -> Any:
    """A result with the dtypes in which all of the alternatives agree, those of several results."""
    if others:
        return agreed(known, Alternatives.of([option for one in (found, *others) for option in _options(one)]))
    options = _options(found)
    if isinstance(known, ShapedArray):
        if known.dtype is not None or not all(isinstance(o, ShapedArray) for o in options):
            return known
        dtypes, weak = {o.dtype for o in options}, {o.weak_type for o in options}
        if len(dtypes) != 1:
            return known
        return replace(known, dtype=dtypes.pop(), weak_type=weak.pop() if len(weak) == 1 else None)
    if type(known) in (tuple, list):
        if any(type(o) is not type(known) or len(o) != len(known) for o in options):
            return known
        return type(known)([agreed(item, Alternatives.of([o[i] for o in options])) for i, item in enumerate(known)])
    if known is UNKNOWN and all(isinstance(o, ShapedArray) for o in options):
        return agreed(ShapedArray(None, None, None), found)
    return known


def _options(found: Any) -> tuple[Any, ...]:
    return found.values if isinstance(found, Alternatives) else (found,)
