"""Index arrays that name diagonals, triangles and parts of an array; powers of a vector side by side.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping import config
from arraytyping.numpy.powers import power
from arraytyping.runtime.array_likes import concrete_int
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.arithmetic import constant_like, sub_p
from arraytyping.runtime.lax.creation import full_of, iota_of, zeros_of
from arraytyping.runtime.lax.structure import reshape
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "diag_indices", "diag_indices_from", "ix_", "mask_indices", "tril_indices", "tril_indices_from", "triu_indices",
    "triu_indices_from", "vander",
]  # fmt: skip


@operation("numpy.vander", "x")
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """The powers of each element, descending, from 1 on if `increasing`: `jax.numpy.vander`."""
    (n,) = x.aval.shape
    count = n if N is None else concrete_int(N, "N")
    exponents = iota_of(x.aval.dtype, (1, count), 1)
    if not increasing:
        exponents = sub_p.bind(constant_like(exponents, count - 1), exponents)
    return power(reshape(x, (n, 1)), exponents)


@operation("numpy.ix_", "args")
def ix_(*args: Any) -> tuple[Any, ...]:
    """Vectors, each along an axis of its own, to index a part of an array by rows and columns: `jax.numpy.ix_`."""
    found = []
    for i, x in enumerate(args):
        shape = tuple(x.aval.shape[0] if d == i else 1 for d in range(len(args)))
        empty = ShapedArray(shape, config.promotion().default("int"), False)
        found.append(reshape(x, shape) if x.aval.shape[0] else zeros_of(empty))
    return tuple(found)


@operation("numpy.diag_indices")
def diag_indices(n: int, ndim: int = 2) -> tuple[Any, ...]:
    """The indices of the main diagonal of an array of this size along each of its axes: `jax.numpy.diag_indices`."""
    size, count = concrete_int(n, "n"), concrete_int(ndim, "ndim")
    return (iota_of(config.promotion().default("int"), (size,), 0),) * count


@operation("numpy.diag_indices_from", "arr")
def diag_indices_from(arr: Any) -> tuple[Any, ...]:
    """The indices of the main diagonal of an array: `jax.numpy.diag_indices_from`."""
    shape = arr.aval.shape
    return diag_indices(shape[0], len(shape))


def _triangle_size(n: int, m: int, k: int) -> int:
    """How many places of an n x m matrix are at the k-th diagonal or above."""
    return sum(max(0, min(m, m - k - i)) for i in range(n))


def _triangle(n: Any, k: Any, m: Any, upper: bool) -> tuple[Any, Any]:
    from arraytyping.numpy.diagonals import tril, triu
    from arraytyping.numpy.searching import nonzero

    rows, offset = concrete_int(n, "n"), concrete_int(k, "k")
    columns = rows if m is None else concrete_int(m, "m")
    ones = full_of(True, ShapedArray((rows, columns), "bool", False))
    if upper:
        size, mask = _triangle_size(rows, columns, offset), triu(ones, offset)
    else:
        size, mask = rows * columns - _triangle_size(rows, columns, offset + 1), tril(ones, offset)
    i, j = nonzero(mask, size=size)
    return i, j


@operation("numpy.tril_indices")
def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Any, Any]:
    """The indices of the places of a matrix at the k-th diagonal or below: `jax.numpy.tril_indices`."""
    return _triangle(n, k, m, upper=False)


@operation("numpy.triu_indices")
def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Any, Any]:
    """The indices of the places of a matrix at the k-th diagonal or above: `jax.numpy.triu_indices`."""
    return _triangle(n, k, m, upper=True)


@operation("numpy.tril_indices_from", "arr", takes_type=True)
def tril_indices_from(arr: Any, k: int = 0) -> tuple[Any, Any]:
    """The indices of the places of this matrix at the k-th diagonal or below: `jax.numpy.tril_indices_from`."""
    rows, columns = arr.shape
    return tril_indices(rows, k, columns)


@operation("numpy.triu_indices_from", "arr", takes_type=True)
def triu_indices_from(arr: Any, k: int = 0) -> tuple[Any, Any]:
    """The indices of the places of this matrix at the k-th diagonal or above: `jax.numpy.triu_indices_from`."""
    rows, columns = arr.shape
    return triu_indices(rows, k, columns)


def mask_indices(n: int, mask_func: Callable[..., Any], k: int = 0, *, size: int | None = None) -> tuple[Any, Any]:
    """The indices of the places where a function of ones, such as `triu`, is not zero: `jax.numpy.mask_indices`."""
    from arraytyping.numpy.searching import nonzero

    side = concrete_int(n, "n")
    ones = full_of(1.0, ShapedArray((side, side), config.promotion().default("float"), False))
    i, j = nonzero(mask_func(ones, k), size=size)
    return i, j
