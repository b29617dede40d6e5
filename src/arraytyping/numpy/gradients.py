"""Differences along whole arrays: `ediff1d`, numerical gradients, angles made continuous.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/lax_numpy.py`.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.numpy.choosing import where
from arraytyping.numpy.comparing import equal, greater, less, logical_and
from arraytyping.numpy.cumulative import cumsum
from arraytyping.numpy.differences import diff
from arraytyping.numpy.division import floor_divide, mod
from arraytyping.numpy.promoting import kind_of, one_rank, promoted, promoted_inexact
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, mul_p, neg_p, sub_p
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import reshape

__all__ = ["ediff1d", "gradient", "unwrap"]


def _flat(x: Any) -> Any:
    return reshape(x, (math.prod(x.aval.shape),))


@operation("numpy.ediff1d", "ary", "to_end", "to_begin")
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of all elements in order, with others at the ends: `jax.numpy.ediff1d`."""
    x = _flat(ary)
    size = x.aval.shape[0]
    found = sub_p.bind(slice_along(x, min(1, size), size), slice_along(x, 0, max(size - 1, 0)))
    ends = [None if v is None else convert_to(_flat(v), x.aval.dtype) for v in (to_begin, to_end)]
    parts = [part for part in (ends[0], found, ends[1]) if part is not None]
    return concatenate_p.bind(*parts, dimension=0) if len(parts) > 1 else found


@operation("numpy.gradient", "f", "varargs")
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: None = None) -> Any:
    """The slope along each axis by central differences, one-sided at the ends: `jax.numpy.gradient`."""
    x, *spacing = promoted_inexact(f, *varargs)
    rank = len(x.aval.shape)
    axes = range(rank) if axis is None else [i % rank for i in (axis if isinstance(axis, tuple) else (axis,))]
    if not axes:
        return []
    distances = (spacing or [constant_like(x, 1)]) * (1 if len(spacing) == len(axes) else len(axes))
    slopes = [_slope(x, h, i) for i, h in zip(axes, distances)]
    return slopes[0] if len(slopes) == 1 else slopes


def _slope(x: Any, h: Any, axis: int) -> Any:
    """The slope along one axis, of points at one distance, or at places of their own."""
    n = x.aval.shape[axis]

    def difference(v: Any, to: int, start: int, along: int) -> Any:
        """From `start` on the elements less those `to` places before."""
        size = v.aval.shape[along]
        return sub_p.bind(
            slice_along(v, start, size if to > 1 else start + 1, axis=along),
            slice_along(v, start - to, size - to if to > 1 else start, axis=along),
        )

    first, last = difference(x, 1, 1, axis), difference(x, 1, n - 1, axis)
    if not h.aval.shape:
        half = mul_p.bind(difference(x, 2, 2, axis), constant_like(x, 0.5))
        parts = [div_p.bind(first, h), div_p.bind(half, h), div_p.bind(last, h)]
        return concatenate_p.bind(*parts, dimension=axis)
    h = reshape(h, tuple(n if i == axis else 1 for i in range(len(x.aval.shape))))
    steps = sub_p.bind(slice_along(h, 1, n, axis=axis), slice_along(h, 0, n - 1, axis=axis))
    before, after = slice_along(steps, 0, n - 2, axis=axis), slice_along(steps, 1, n - 1, axis=axis)
    both = add_p.bind(before, after)
    weights = (
        neg_p.bind(div_p.bind(after, mul_p.bind(before, both))),
        div_p.bind(sub_p.bind(after, before), mul_p.bind(before, after)),
        div_p.bind(before, mul_p.bind(after, both)),
    )
    inner = [mul_p.bind(w, slice_along(x, i, n - 2 + i, axis=axis)) for i, w in enumerate(weights)]
    parts = [
        div_p.bind(first, slice_along(steps, 0, 1, axis=axis)),
        add_p.bind(add_p.bind(inner[0], inner[1]), inner[2]),
        div_p.bind(last, slice_along(steps, n - 2, n - 1, axis=axis)),
    ]
    return concatenate_p.bind(*parts, dimension=axis)


@operation("numpy.unwrap", "p", "discont", "period")
def unwrap(p: Any, discont: Any = None, axis: int = -1, period: Any = 2 * math.pi) -> Any:
    """The angles with multiples of the period added, so that none differs from the next by more than half of it."""
    x, period = promoted(p, array_from(period))
    along = axis % len(x.aval.shape)
    n = x.aval.shape[along]
    if not n:
        return x
    whole = kind_of(x) in "iu"
    half = floor_divide(period, 2) if whole else div_p.bind(period, constant_like(x, 2))
    limit = div_p.bind(*promoted_inexact(period, array_from(2))) if discont is None else discont
    steps = diff(x, axis=along)
    within = sub_p.bind(*one_rank(mod(add_p.bind(*one_rank(steps, half)), period), half))
    within = where(logical_and(equal(within, neg_p.bind(half)), greater(steps, 0)), half, within)
    size = where(less(steps, 0), neg_p.bind(steps), steps)
    correction = where(less(size, limit), 0, sub_p.bind(within, steps))
    rest = add_p.bind(*promoted(slice_along(x, 1, n, axis=along), cumsum(correction, along)))
    return concatenate_p.bind(*promoted(slice_along(x, 0, 1, axis=along), rest), dimension=along)
