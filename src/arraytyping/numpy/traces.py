"""Traces: sums along diagonals.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.trace.html.
"""

from __future__ import annotations

import operator
from typing import Any

from arraytyping import config
from arraytyping.numpy.promoting import chosen
from arraytyping.numpy.reducing import SUM, total_in
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.calling import answered, dtype_of
from arraytyping.runtime.lax.arithmetic import add_p, constant_like
from arraytyping.runtime.lax.comparisons import eq_p
from arraytyping.runtime.lax.creation import iota_of
from arraytyping.runtime.lax.structure import transpose
from arraytyping.semantics.avals import ShapedArray

__all__ = ["trace"]


def trace_of(answer: ShapedArray, a: Any, offset: Any, axis1: int, axis2: int, dtype: Any) -> Any:
    """The sum of a diagonal of two axes."""
    rank = len(a.aval.shape)
    first, second = axis1 % rank, axis2 % rank
    a = transpose(a, [*(d for d in range(rank) if d not in (first, second)), first, second])
    integer = config.promotion().default("int")
    sizes = a.aval.shape[-2:]
    rows, columns = (iota_of(integer, sizes, d) for d in (0, 1))
    on_diagonal = eq_p.bind(add_p.bind(rows, convert_to(array_from(offset), integer)), columns)
    return total_in(SUM, dtype_of(answer), chosen(on_diagonal, a, constant_like(a, 0)), (-2, -1), dtype)


@answered("numpy.trace", "a", "offset")
def trace(
    answer: ShapedArray, a: Any, offset: Any = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: None = None
) -> Any:
    """The sum of a diagonal of two axes: `jax.numpy.trace`."""
    return trace_of(answer, a, offset, operator.index(axis1), operator.index(axis2), dtype)
