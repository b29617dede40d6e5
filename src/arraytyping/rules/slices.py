"""How many elements a slice selects, of an axis whose size and of bounds whose values may be unknown.

Source: https://docs.python.org/3/reference/datamodel.html#slice.indices.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.avals import Alternatives, Dim
from arraytyping.rules.errors import DimError
from arraytyping.rules.static_arguments import as_size, is_unknown

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
    if step == 1 and (start is _ABSENT or start == 0) and stop == size is not None:
        return size
    if isinstance(start, int) and isinstance(stop, int) and isinstance(step, int) and (start < 0) == (stop < 0):
        # Both are counted from the same end, so which comes first is known.
        none = stop <= start if step > 0 else stop >= start
        return 0 if none else None
    if step == 1 and start == size is not None and not isinstance(size, int):
        return 0 if stop is _ABSENT or (isinstance(stop, int) and stop >= 0) else None
    return None


def _part(operation: str, value: Any, what: str) -> Any:
    """A bound or step: an integer, a named size, None for an unknown one, or that it is absent."""
    if value is None:
        return _ABSENT
    return None if is_unknown(value) or isinstance(value, Alternatives) else as_size(operation, what, value)
