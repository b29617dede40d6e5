"""Shape, rank and size as functions: `shape`, `ndim`, `size`; and `iterable`.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; the rules are those of the same names.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from arraytyping.basearray import Array
from arraytyping.runtime.array_likes import array_from
from arraytyping.runtime.call_arguments import described_type
from arraytyping.semantics.avals import static_shape

__all__ = ["index_exp", "iterable", "ndim", "s_", "shape", "size"]

index_exp: Final = np.index_exp
s_: Final = np.s_


def shape(a: Any) -> tuple[int, ...]:
    """The size of each dimension of an array-like, and of what has a shape and a dtype.

    Raises:
        TypeError: for what is no array-like.
    """
    if not isinstance(a, Array) and (aval := described_type(a)) is not None:
        return static_shape(aval)
    if isinstance(a, tuple | list):
        return np.shape(a)
    return a.shape if isinstance(a, Array) else array_from(a).aval.shape  # type: ignore[attr-defined, no-any-return]


def ndim(a: Any) -> int:
    """The number of dimensions of an array-like; raises as `shape`."""
    return len(shape(a))


def size(a: Any, axis: int | tuple[int, ...] | None = None) -> int:
    """The number of elements of an array-like, or along one or several dimensions.

    Raises:
        TypeError: for what is no array-like.
        ValueError: for a dimension that it has not, or one that is named twice.
    """
    sizes = shape(a)
    if axis is None:
        return math.prod(sizes)
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    for n in axes:
        if not -len(sizes) <= n < len(sizes):
            raise ValueError(f"axis {n} is out of bounds for array of dimension {len(sizes)}")
    if len({n % len(sizes) for n in axes}) < len(axes):
        raise ValueError(f"repeated axis: {axes}; name each axis once")
    return math.prod(sizes[n] for n in axes)


def iterable(y: Any) -> bool:
    """Whether one can go over the elements: an array without dimensions has none."""
    return bool(np.iterable(y)) and not (hasattr(y, "ndim") and y.ndim == 0)
