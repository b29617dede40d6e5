"""Items of arrays by vectors of indices, and shapes as arrays.

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.lax.gathering import GatherDimensionNumbers, gather
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.semantics.avals import ShapedArray

__all__ = ["index_take", "shape_as_value"]


def index_take(src: Any, idxs: Sequence[Any], axes: Sequence[int]) -> Any:
    """`jax.lax.index_take`: what stands where the index vectors say, along the axes, counted from either end.

    Raises:
        TypeError, ValueError: for vectors that do not go together.
    """
    src = array_from(src)
    shape = src.aval.shape
    columns = [materialized(array_from(i)) for i in idxs]
    columns = [c % shape[axis] for c, axis in zip(columns, axes)]
    columns = [reshape(c, (*c.aval.shape, 1)) for c in columns]
    numbers = GatherDimensionNumbers(tuple(range(1, len(shape) - len(columns) + 1)), tuple(axes), tuple(axes))
    sizes = tuple(1 if i in axes else n for i, n in enumerate(shape))
    return gather(src, concatenate_p.bind(*columns, dimension=1), numbers, sizes)


def shape_as_value(shape: Sequence[int]) -> Any:
    """`jax.lax.shape_as_value`: the sizes as a vector of integers."""
    widest = "int64" if any(n >= 1 << 31 for n in shape) else "int32"
    if not shape:
        return full_of(0, ShapedArray((0,), widest, False))
    return np.asarray(shape, dtype=widest)
