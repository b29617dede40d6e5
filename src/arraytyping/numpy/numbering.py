"""Places of an array numbered in one dimension, and back.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.unravel_index.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.arithmetic import add, multiply
from arraytyping.numpy.axes import known_values, several
from arraytyping.numpy.choosing import clip, where
from arraytyping.numpy.division import divmod, remainder
from arraytyping.numpy.promoting import kind_of
from arraytyping.runtime.array_likes import array_from, concrete_int, convert_to, materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.semantics.promotion.jax import Element

__all__ = ["ravel_multi_index", "unravel_index"]


@operation("numpy.unravel_index", "indices", how="inline")
def _indices_of(indices: Any, shape: Any) -> tuple[Any, ...]:
    rest = materialized(indices)
    found: list[Any] = []
    for size in reversed(shape):
        rest, place = divmod(rest, size)
        found.insert(0, place)
    above = rest > 0
    below = False if kind_of(rest) == "u" else rest < -1
    return tuple(where(above, size - 1, where(below, 0, place)) for size, place in zip(shape, found))


def unravel_index(indices: Any, shape: Any) -> tuple[Any, ...]:
    """The indices along each axis of places that are numbered in one dimension: `jax.numpy.unravel_index`.

    Out of bounds they are those of the first or the last place.  The dtype of a shape that is an array matters.
    """
    if isinstance(shape, np.ndarray | Array):
        sizes: Any = array_from(shape)
        shape = list(sizes) if sizes.aval.shape else [sizes]
    found: tuple[Any, ...] = _indices_of(indices, shape if several(shape) else (shape,))
    return found


@operation("numpy.ravel_multi_index", "multi_index", how="inline")
def ravel_multi_index(
    multi_index: Any, dims: Sequence[int], mode: str = "raise", order: str = "C", *, dtype: Any = None
) -> Any:
    """The numbers of places, counted along the last axis first, or along the first: `jax.numpy.ravel_multi_index`.

    The mode is what is done with indices out of bounds: `raise`, `wrap`, `clip` or `ignore`.

    Raises:
        ValueError: for indices out of bounds, in mode `raise`.
        ConcretizationTypeError: for indices that are traced, in mode `raise`.
    """
    sizes = tuple(concrete_int(d, "a dimension") for d in dims)
    places = [materialized(i) for i in multi_index]
    if dtype is None:
        default = Element(config.promotion().default("int"), True)
        chosen, _ = config.promotion().join([default, *(Element(p.aval.dtype, bool(p.aval.weak_type)) for p in places)])
    else:
        chosen = canonical_dtype(dtype, "ravel_multi_index")
    if mode == "raise":
        for place, size in zip(places, sizes):
            known = known_values(place)
            if known is None:
                raise ConcretizationTypeError(
                    f"ravel_multi_index: the indices are a tracer of {place.aval}, and mode 'raise' looks at their "
                    "values; use mode 'wrap' or 'clip'"
                )
            if ((known < 0) | (known >= size)).any():
                raise ValueError(
                    f"invalid entry in ravel_multi_index: an index is out of bounds for a dimension of size {size}"
                )
    elif mode == "clip":
        places = [clip(p, 0, size - 1) for p, size in zip(places, sizes)]
    elif mode == "wrap":
        places = [remainder(p, size) for p, size in zip(places, sizes)]
    steps = [1, *accumulate(sizes[:-1] if order == "F" else sizes[:0:-1], mul)]
    result: Any = array_from(np.zeros((), np_dtype(chosen)))
    for place, step in zip(places, steps if order == "F" else steps[::-1]):
        result = add(result, multiply(convert_to(place, chosen), step))
    return result
