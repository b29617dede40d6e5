"""Norms and traces of matrices, under `jax.numpy.linalg`'s names.

Source: https://docs.jax.dev/en/latest/jax.numpy.linalg.html.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.numpy.parts import conjugated, magnitude, real_part
from arraytyping.numpy.powers import power
from arraytyping.numpy.promoting import part_dtype, promoted_inexact
from arraytyping.numpy.reducing import MAX, MIN, SUM, axes_of, kept_shape, reduced, total
from arraytyping.numpy.traces import trace_of
from arraytyping.runtime.calling import answered, operation
from arraytyping.runtime.lax.arithmetic import constant_like, mul_p
from arraytyping.runtime.lax.comparisons import ne_p
from arraytyping.runtime.lax.elementary import sqrt_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.semantics.avals import ShapedArray

__all__ = ["matrix_norm", "norm", "trace", "vector_norm"]


def _euclidean(x: Any, axis: Any, keepdims: Any) -> Any:
    squares = total(SUM, real_part(mul_p.bind(x, conjugated(x))) if x.aval.dtype != "bool" else x, axis, None, keepdims)
    return sqrt_p.bind(*promoted_inexact(squares))


def _vector(x: Any, order: Any, axis: Any, keepdims: Any) -> Any:
    if order is None or order == 2:
        return _euclidean(x, axis, keepdims)
    axes = axes_of(axis, len(x.aval.shape))
    size = magnitude(x)
    if order == math.inf:
        return reduced(MAX, size, axes, bool(keepdims), constant_like(size, 0))
    if order == -math.inf:
        return reduced(MIN, size, axes, bool(keepdims))
    if order == 0:
        return total(SUM, ne_p.bind(x, constant_like(x, 0)), axis, part_dtype(x.aval.dtype), keepdims)
    if order == 1:
        return total(SUM, size, axis, None, keepdims)
    exponent: Any = constant_like(size, order)
    powers = power(size, exponent)
    summed = total(SUM, powers, axis, None, keepdims)
    return power(summed, constant_like(size, 1 / exponent.value))


@operation("numpy.linalg.vector_norm", "x")
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The norm of vectors along axes, by default of all elements as one: `jax.numpy.linalg.vector_norm`."""
    return _vector(x, ord, axis, keepdims)


def _singular(x: Any, order: Any, axes: tuple[int, int], keepdims: Any) -> Any:
    """The norm by singular values: the greatest, the least, or their sum."""
    from arraytyping.runtime.lax.linalg import svd

    shape = x.aval.shape
    rank = len(shape)
    row, column = axes
    rest = [d for d in range(rank) if d not in axes]
    from arraytyping.runtime.lax.structure import transpose

    values = svd(transpose(x, [*rest, row, column]), compute_uv=False)
    last = axes_of(-1, len(values.aval.shape))
    if order == 2:
        result = reduced(MAX, values, last, False, constant_like(values, 0))
    elif order == -2:
        result = reduced(MIN, values, last, False)
    else:
        result = total(SUM, values, -1)
    return reshape(result, kept_shape(shape, axes)) if keepdims else result


def _matrix(x: Any, order: Any, axes: tuple[int, int], keepdims: Any) -> Any:
    if order in (None, "f", "fro"):
        return _euclidean(x, axes, keepdims)
    if order in (2, -2, "nuc"):
        return _singular(x, order, axes, keepdims)
    # sums of columns or of rows, and the greatest or the least of them
    row, column = axes if order in (1, -1) else axes[::-1]
    sums = total(SUM, magnitude(x), row, None, keepdims)
    along = axes_of(column - (not keepdims and column > row), len(sums.aval.shape))
    if order > 0:
        return reduced(MAX, sums, along, bool(keepdims), constant_like(sums, 0))
    return reduced(MIN, sums, along, bool(keepdims))


def _norm(x: Any, order: Any, axis: Any, keepdims: Any) -> Any:
    (x,) = promoted_inexact(x)
    rank = len(x.aval.shape)
    if axis is None and order is None:
        return _euclidean(x, None, keepdims)
    axes = axes_of(axis, rank).positions
    if len(axes) == 1:
        return _vector(x, order, axes, keepdims)
    return _matrix(x, order, (axes[0], axes[1]), keepdims)


@operation("numpy.linalg.norm", "x")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """The norm of vectors along one axis, of matrices along two, or of all elements: `jax.numpy.linalg.norm`."""
    return _norm(x, ord, axis, keepdims)


@operation("numpy.linalg.matrix_norm", "x")
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The norm of the matrices in the last two axes: `jax.numpy.linalg.matrix_norm`."""
    return _norm(x, ord, (-2, -1), keepdims)


@answered("numpy.linalg.trace", "x")
def trace(answer: ShapedArray, x: Any, /, *, offset: Any = 0, dtype: Any = None) -> Any:
    """The sum of a diagonal of the matrices in the last two axes: `jax.numpy.linalg.trace`."""
    return trace_of(answer, x, offset, -2, -1, dtype)
