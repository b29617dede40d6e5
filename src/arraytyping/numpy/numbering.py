"""Places of an array numbered in one dimension, and back.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.unravel_index.html.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.arithmetic import add, multiply
from arraytyping.numpy.axes import ints_of, known_values
from arraytyping.numpy.choosing import clip, where
from arraytyping.numpy.division import divmod, remainder
from arraytyping.numpy.promoting import kind_of
from arraytyping.runtime.array_likes import array_from, concrete_int, convert_to, materialized
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.scalars import KINDS
from arraytyping.semantics.promotion.jax import Element

__all__ = ["ravel_multi_index", "unravel_index"]


def unravel_index(indices: Any, shape: Any) -> tuple[Any, ...]:
    """The indices along each axis of places that are numbered in one dimension: `jax.numpy.unravel_index`.

    Out of bounds they are those of the first or the last place.
    """
    rest = materialized(array_from(indices))
    sizes = ints_of(shape)
    found: list[Any] = []
    for size in reversed(sizes):
        rest, place = divmod(rest, size)
        found.insert(0, place)
    above = rest > 0
    below = False if kind_of(rest) == "u" else rest < -1
    return tuple(where(above, size - 1, where(below, 0, place)) for size, place in zip(sizes, found))


def ravel_multi_index(
    multi_index: Any, dims: Sequence[int], mode: str = "raise", order: str = "C", *, dtype: Any = None
) -> Any:
    """The numbers of places, counted along the last axis first, or along the first: `jax.numpy.ravel_multi_index`.

    The mode is what is done with indices out of bounds: `raise`, `wrap`, `clip` or `ignore`.

    Raises:
        AssertionError: if there are not as many indices as dimensions.
        TypeError: for indices that are no integers.
        ValueError: for indices out of bounds, a dtype that does not hold the numbers, and an unknown mode or order.
        ConcretizationTypeError: for indices that are traced, in mode `raise`.
    """
    assert len(multi_index) == len(dims), f"ravel_multi_index: {len(multi_index)} indices for {len(dims)} dimensions"
    sizes = tuple(concrete_int(d, "a dimension") for d in dims)
    places = [materialized(array_from(i)) for i in multi_index]
    if dtype is None:
        default = Element(config.promotion().default("int"), True)
        chosen, _ = config.promotion().join([default, *(Element(p.aval.dtype, bool(p.aval.weak_type)) for p in places)])
    else:
        chosen = canonical_dtype(dtype, "ravel_multi_index")
    if KINDS[chosen] not in "iu":
        raise ValueError(f"ravel_multi_index: the dtype of the result is an integer one, got {chosen}")
    if math.prod(sizes) - 1 > np.iinfo(np_dtype(chosen)).max:
        raise ValueError(
            f"ravel_multi_index: {chosen} does not hold the numbers of places of {sizes}; give another dtype"
        )
    if any(kind_of(p) not in "iu" for p in places):
        raise TypeError(f"ravel_multi_index: indices are integers, got {', '.join(str(p.aval) for p in places)}")
    if mode not in ("raise", "wrap", "clip", "ignore"):
        raise ValueError(f"ravel_multi_index: the mode is 'raise', 'wrap', 'clip' or 'ignore', got {mode!r}")
    if mode == "raise":
        for place, size in zip(places, sizes):
            known = known_values(place)
            if known is None:
                raise ConcretizationTypeError(
                    f"ravel_multi_index: the indices are a tracer of {place.aval}, and mode 'raise' looks at their "
                    "values; use mode 'wrap' or 'clip'"
                )
            if ((known < 0) | (known >= size)).any():
                raise ValueError(f"ravel_multi_index: an index is out of bounds for a dimension of size {size}")
    elif mode == "clip":
        places = [clip(p, 0, size - 1) for p, size in zip(places, sizes)]
    elif mode == "wrap":
        places = [remainder(p, size) for p, size in zip(places, sizes)]
    if order not in ("C", "F"):
        raise ValueError(f"ravel_multi_index: the order is 'C' or 'F', got {order!r}")
    steps = [1, *accumulate(sizes[:-1] if order == "F" else sizes[:0:-1], mul)]
    result: Any = array_from(np.zeros((), np_dtype(chosen)))
    for place, step in zip(places, steps if order == "F" else steps[::-1]):
        result = add(result, multiply(convert_to(place, chosen), step))
    return result
