"""Differences of neighbouring elements.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.diff.html.
"""

from __future__ import annotations

import operator
from typing import Any

from arraytyping.numpy.promoting import promoted
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import sub_p
from arraytyping.runtime.lax.comparisons import ne_p
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import broadcast_to

__all__ = ["diff"]


@operation("numpy.diff", "a", "prepend", "append")
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """The differences of neighbours along an axis, n times over; of bool, whether they differ: `jax.numpy.diff`."""
    times = operator.index(n)
    if times == 0:
        return a
    along = operator.index(axis) % len(a.aval.shape)
    one = tuple(1 if i == along else size for i, size in enumerate(a.aval.shape))
    parts = [v if v.aval.shape else broadcast_to(v, one) for v in (prepend, a, append) if v is not None]
    if len(parts) > 1:
        a = concatenate_p.bind(*promoted(*parts), dimension=along)
    difference = ne_p if a.aval.dtype == "bool" else sub_p
    for _ in range(times):
        size = a.aval.shape[along]
        a = difference.bind(
            slice_along(a, min(1, size), size, axis=along), slice_along(a, 0, max(size - 1, 0), axis=along)
        )
    return a
