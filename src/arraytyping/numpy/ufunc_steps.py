"""What a `ufunc` does one element after another: updates at indices that may repeat, reductions of segments.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ufunc.at.html; `jax/_src/numpy/ufunc_api.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from arraytyping.numpy.conversion import asarray, astype
from arraytyping.numpy.selecting import take
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.control_flow import fori_loop
from arraytyping.runtime.lax.structure import broadcast_to, expand_to, reshape
from arraytyping.runtime.transformations.staging_out import eval_shape
from arraytyping.semantics.avals import ShapedArray

__all__ = ["reduced_in_segments", "updated_in_steps"]


def updated_in_steps(function: Callable[..., Any], x: Any, indices: Any, others: Sequence[Any]) -> Any:
    """The array in which the elements at indices are what the function makes of them, of one index after another."""
    ones = [ShapedArray((), v.aval.dtype, bool(v.aval.weak_type)) for v in (x, *others)]
    dtype = eval_shape(function, *ones).dtype
    x, *others = (astype(v, dtype) for v in (x, *others))
    places = indices if isinstance(indices, tuple) else (indices,)
    if not places:
        return x
    places = tuple(i if isinstance(i, slice) else asarray(i) for i in places)
    shape = np.broadcast_shapes(*(i.aval.shape for i in places if not isinstance(i, slice)))
    if not shape:
        return x.at[places].set(function(x.at[places].get(), *others))
    count = math.prod(shape)
    others = [
        reshape(broadcast_to(_with_rank(v, len(shape)), (*shape, *v.aval.shape[len(shape) :])),
                (count, *v.aval.shape[len(shape) :]))
        for v in others
    ]  # fmt: skip
    flat = [i if isinstance(i, slice) else reshape(broadcast_to(_with_rank(i, len(shape)), shape), (count,))
            for i in places]  # fmt: skip

    def step(n: Any, result: Any) -> Any:
        here = tuple(i if isinstance(i, slice) else i[n] for i in flat)
        return result.at[here].set(function(result.at[here].get(), *(v[n] for v in others)))

    return fori_loop(0, count, step, x)


def _with_rank(x: Any, rank: int) -> Any:
    """The array with dimensions of size 1 in front, where it has too few."""
    shape = x.aval.shape
    return expand_to(x, (*(1,) * (rank - len(shape)), *shape)) if len(shape) < rank else x


def reduced_in_segments(function: Callable[..., Any], x: Any, indices: Any, axis: int) -> Any:
    """What the function makes of the elements from each index up to the next, along an axis."""
    from arraytyping.numpy.choosing import where
    from arraytyping.numpy.joining import append
    from arraytyping.numpy.reshaping import expand_dims

    size = x.aval.shape[axis]
    first = take(x, indices, axis=axis)
    (count,) = indices.aval.shape
    others = [d for d in range(len(x.aval.shape)) if d != axis]
    bounds = append(indices, size)
    starts, ends = (expand_dims(slice_along(bounds, i, i + count), others) for i in (0, 1))

    def step(i: Any, result: Any) -> Any:
        element = take(x, reshape(asarray(i), (1,)), axis=axis)
        return where((i > starts) & (i < ends), function(result, element), result)

    return fori_loop(0, size, step, first)
