"""How many elements a slice selects, of an axis whose size and of bounds whose values may be unknown.

Source: https://docs.python.org/3/reference/datamodel.html#slice.indices.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import Alternatives, Dim
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.static_arguments import as_size, is_unknown
from arraytyping.semantics.sizes.dims import add_dims, at_least, divide_dim, exceeds, max_dim, min_dim, subtract_dims

__all__ = ["slice_size"]

_ABSENT: Final = object()


def slice_size(operation: str, key: slice, size: Dim) -> Dim:
    """The number of elements that a slice selects of an axis of this size; None if unknown.

    Raises:
        DimError: if a bound or the step is no integer (`TypeError`), or the step is 0 (`ValueError`).
    """
    step = _part(operation, key.step, "the step of a slice")
    start = _part(operation, key.start, "the start of a slice")
    stop = _part(operation, key.stop, "the end of a slice")
    if step is _ABSENT:
        step = 1
    if step == 0:
        raise DimError(f"{operation}: the step of a slice cannot be 0")
    if size == 0:
        return 0
    ints = [p for p in (start, stop) if isinstance(p, int) or p is _ABSENT]
    if isinstance(size, int) and isinstance(step, int) and len(ints) == 2:
        bounds = (None if start is _ABSENT else start, None if stop is _ABSENT else stop)
        return len(range(*slice(*bounds, step).indices(size)))
    if start is _ABSENT and stop is _ABSENT and step in (1, -1):
        return size
    if isinstance(start, int) and isinstance(stop, int) and isinstance(step, int) and (start < 0) == (stop < 0):
        # Both are counted from the same end, so which comes first is known, also where the size is not.
        none = stop <= start if step > 0 else stop >= start
        if none:
            return 0
    if not isinstance(step, int) or size is None or start is None or stop is None:
        return None
    count = _forward(size, start, stop) if step > 0 else _backward(size, start, stop)
    return divide_dim(add_dims((count, abs(step) - 1)), abs(step))


def _forward(size: Dim, start: Any, stop: Any) -> Dim:
    """The number of elements from one place up to another, each counted from the front or, if negative, the end."""
    first = 0 if start is _ABSENT else start
    if at_least(first, 0):
        behind = max_dim(subtract_dims(size, first), 0)
        if stop is _ABSENT:
            return behind
        if exceeds(0, stop):
            return max_dim(subtract_dims(add_dims((size, stop)), first), 0)
        return min_dim(behind, max_dim(subtract_dims(stop, first), 0)) if at_least(stop, 0) else None
    if not exceeds(0, first):
        return None
    if stop is _ABSENT or exceeds(0, stop):
        last = 0 if stop is _ABSENT else stop
        return min_dim(max_dim(add_dims((size, last)), 0), max_dim(subtract_dims(last, first), 0))
    if not at_least(stop, 0):
        return None
    return max_dim(subtract_dims(min_dim(stop, size), max_dim(add_dims((size, first)), 0)), 0)


def _backward(size: Dim, start: Any, stop: Any) -> Dim:
    """The number of elements from one place down to another, each counted from the front or, if negative, the end."""
    last = add_dims((size, -1))
    places: list[Dim] = []
    for bound, default in ((start, last), (stop, -1)):
        if bound is _ABSENT:
            places.append(default)
        elif at_least(bound, 0):
            places.append(min_dim(bound, last))
        else:
            places.append(max_dim(add_dims((size, bound)), -1) if exceeds(0, bound) else None)
    return max_dim(subtract_dims(*places), 0)


def _part(operation: str, value: Any, what: str) -> Any:
    """A bound or step: an integer, a named size, None for an unknown one, or that it is absent."""
    if value is None:
        return _ABSENT
    return None if is_unknown(value) or isinstance(value, Alternatives) else as_size(operation, what, value)
