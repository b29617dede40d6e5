"""Matrices by their diagonals: triangles, a vector as diagonal, and back.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping.numpy.axes import axis_of, raveled
from arraytyping.numpy.gather_index import index_dtype
from arraytyping.numpy.promoting import chosen
from arraytyping.runtime.array_likes import concrete_int
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p, constant_like
from arraytyping.runtime.lax.comparisons import eq_p, ge_p
from arraytyping.runtime.lax.creation import iota_of, zeros_of
from arraytyping.runtime.lax.slicing import pad_p
from arraytyping.runtime.lax.structure import broadcast_to, reshape, transpose
from arraytyping.semantics.avals import ShapedArray

__all__ = ["diag", "diagflat", "diagonal", "tril", "triu"]


def _under(x: Any, k: int) -> Any:
    """Where the last two dimensions of an array are at the k-th diagonal or below."""
    sizes = x.aval.shape[-2:]
    rows, columns = (iota_of("int32", sizes, d) for d in (0, 1))
    return ge_p.bind(add_p.bind(rows, constant_like(rows, k)), columns)


def _zero(x: Any) -> Any:
    return constant_like(x, 0)


@operation("numpy.tril", "m")
def tril(m: Any, k: int = 0) -> Any:
    """The matrices with zeros above the k-th diagonal: `jax.numpy.tril`."""
    return chosen(broadcast_to(_under(m, concrete_int(k, "k")), m.aval.shape), m, _zero(m))


@operation("numpy.triu", "m")
def triu(m: Any, k: int = 0) -> Any:
    """The matrices with zeros below the k-th diagonal: `jax.numpy.triu`."""
    return chosen(broadcast_to(_under(m, concrete_int(k, "k") - 1), m.aval.shape), _zero(m), m)


def diagonal_of(x: Any, offset: int, axis1: int, axis2: int) -> Any:
    """The diagonals of two axes, along a new last one.

    In one dimension, the elements of a diagonal are one more than a row apart: so no index is needed.
    """
    shape = x.aval.shape
    rest = [d for d in range(len(shape)) if d not in (axis1, axis2)]
    x = transpose(x, [*rest, axis1, axis2])
    lead, (rows, columns) = x.aval.shape[:-2], x.aval.shape[-2:]
    n, above, left = len(lead), max(-offset, 0), max(offset, 0)
    size = max(0, min(rows - above, columns - left))
    if not size:
        return zeros_of(ShapedArray((*lead, 0), x.aval.dtype, bool(x.aval.weak_type)))
    x = slice_along(slice_along(x, above, above + size, axis=n), left, columns, axis=n + 1)
    width = columns - left
    return slice_along(reshape(x, (*lead, size * width)), 0, size * width, width + 1, axis=n)


@operation("numpy.diagonal", "a")
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The diagonals of two axes, along a new last one: `jax.numpy.diagonal`."""
    rank = len(a.aval.shape)
    return diagonal_of(a, concrete_int(offset, "the offset"), axis_of(axis1, rank), axis_of(axis2, rank))


def _as_diagonal(v: Any, k: int) -> Any:
    """The square matrix with a vector on its k-th diagonal."""
    (n,) = v.aval.shape
    side = n + abs(k)
    along = pad_p.bind(v, _zero(v), padding_config=((max(0, -k), max(0, k), 0),))  # by rows
    dtype = index_dtype((side,))
    rows, columns = (iota_of(dtype, (side, side), d) for d in (0, 1))
    on_it = eq_p.bind(add_p.bind(rows, constant_like(rows, k)), columns)
    return chosen(on_it, broadcast_to(reshape(along, (side, 1)), (side, side)), _zero(v))


@operation("numpy.diag", "v")
def diag(v: Any, k: int = 0) -> Any:
    """The matrix with a vector on its k-th diagonal, or that diagonal of a matrix: `jax.numpy.diag`."""
    offset = concrete_int(k, "k")
    return _as_diagonal(v, offset) if len(v.aval.shape) == 1 else diagonal_of(v, offset, 0, 1)


@operation("numpy.diagflat", "v")
def _diagflat(v: Any, k: int = 0) -> Any:
    return _as_diagonal(raveled(v), concrete_int(k, "k"))


def diagflat(v: Any, k: int = 0) -> Any:
    """The matrix with all elements of an array on its k-th diagonal: `jax.numpy.diagflat`.

    Raises:
        ValueError: if k has dimensions.
    """
    if isinstance(k, np.ndarray) and k.shape:
        raise ValueError(f"diagflat: k must be an integer, got an array of shape {k.shape}; give an int")
    return _diagflat(v, k)
