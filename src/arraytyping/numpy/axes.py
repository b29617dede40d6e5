"""Axes and sizes that are arguments, as ints counted from the front; slices along one axis.

The rules have checked them before, so nothing is refused here but a tracer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arraytyping.basearray import Array
from arraytyping.runtime.array_likes import concrete_int
from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.interface.host import concrete
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.structure import reshape, transpose
from arraytyping.runtime.np_dtypes import np_dtype

__all__ = [
    "at_axis", "axis_of", "expanded_at", "ints_of", "known_values", "moved", "numbered", "raveled", "several",
    "without_axes",
]  # fmt: skip


def axis_of(axis: Any, rank: int) -> int:
    """The axis counted from the front."""
    return concrete_int(axis, "an axis") % rank


def ints_of(values: Any, what: str = "a size") -> tuple[int, ...]:
    """One int or several, as a tuple.

    Raises:
        ConcretizationTypeError: for a tracer.
    """
    if isinstance(values, Array) and (found := known_values(values)) is not None:
        values = found.tolist()
    if not several(values):
        return (concrete_int(values, what),)
    return tuple(concrete_int(v, what) for v in values)


def known_values(x: Any) -> np.ndarray[Any, Any] | None:
    """The values of an array, None if it is traced."""
    found = concrete(x)
    if type(found) is TypedScalar:
        return np.asarray(found.value).astype(np_dtype(str(found.aval.dtype)))
    return None if found is None else np.asarray(found._value)  # type: ignore[union-attr]


def several(values: Any) -> bool:
    """Whether this is a sequence, such as a tuple or a list."""
    return isinstance(values, Sequence) and not isinstance(values, str)


def numbered(axes: Any, rank: int) -> tuple[int, ...]:
    """One axis or several, counted from the front."""
    return tuple(a % rank for a in ints_of(axes, "an axis"))


def raveled(x: Any) -> Any:
    """The elements in one dimension."""
    size = 1
    for n in x.aval.shape:
        size *= n
    return reshape(x, (size,))


def moved(x: Any, source: Sequence[int], destination: Sequence[int]) -> Any:
    """The array with some axes, counted from the front, at other places."""
    order = [d for d in range(len(x.aval.shape)) if d not in source]
    for to, axis in sorted(zip(destination, source)):
        order.insert(to, axis)
    return transpose(x, order)


def expanded_at(x: Any, places: Sequence[int]) -> Any:
    """The array with dimensions of size 1 at these places of the result."""
    sizes = iter(x.aval.shape)
    rank = len(x.aval.shape) + len(places)
    return reshape(x, tuple(1 if d in places else next(sizes) for d in range(rank)))


def without_axes(x: Any, axes: Sequence[int]) -> Any:
    """The array without these dimensions, which are of size 1."""
    return reshape(x, tuple(n for d, n in enumerate(x.aval.shape) if d not in axes))


def at_axis(x: Any, index: int, axis: int) -> Any:
    """One place along an axis, without the axis; negative ones count from the end."""
    place = index % x.aval.shape[axis]
    return without_axes(slice_along(x, place, place + 1, axis=axis), (axis,))
