"""Index arrays that name diagonals, triangles and parts of an array; powers of a vector side by side.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping import config
from arraytyping.numpy.powers import power
from arraytyping.runtime.array_likes import array_from, concrete_int
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


def ix_(*args: Any) -> tuple[Any, ...]:
    """Vectors, each along an axis of its own, to index a part of an array by rows and columns: `jax.numpy.ix_`.

    Raises:
        ValueError: for what has not one dimension.
        NotImplementedError: for bools.
    """
    found = []
    for i, arg in enumerate(args):
        x = array_from(arg)
        if len(x.aval.shape) != 1:
            raise ValueError(f"ix_: each argument has 1 dimension, got {x.aval} at position {i}; flatten it first")
        if x.aval.dtype == "bool":
            raise NotImplementedError(
                f"ix_: bools are not implemented, got {x.aval} at position {i}; use nonzero first"
            )
        shape = tuple(x.aval.shape[0] if d == i else 1 for d in range(len(args)))
        empty = ShapedArray(shape, config.promotion().default("int"), False)
        found.append(reshape(x, shape) if x.aval.shape[0] else zeros_of(empty))
    return tuple(found)


def diag_indices(n: int, ndim: int = 2) -> tuple[Any, ...]:
    """The indices of the main diagonal of an array of this size along each of its axes: `jax.numpy.diag_indices`.

    Raises:
        ValueError: for a negative size or number of axes.
    """
    size, count = concrete_int(n, "n"), concrete_int(ndim, "ndim")
    if size < 0 or count < 0:
        raise ValueError(f"diag_indices: n and ndim must not be negative, got n={size}, ndim={count}")
    return (iota_of(config.promotion().default("int"), (size,), 0),) * count


def diag_indices_from(arr: Any) -> tuple[Any, ...]:
    """The indices of the main diagonal of an array: `jax.numpy.diag_indices_from`.

    Raises:
        ValueError: if it has fewer than 2 axes, or their sizes differ.
    """
    shape = array_from(arr).aval.shape
    if len(shape) < 2 or len(set(shape)) != 1:
        raise ValueError(f"diag_indices_from: at least 2 dimensions of one size are required, got shape {shape}")
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


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Any, Any]:
    """The indices of the places of a matrix at the k-th diagonal or below: `jax.numpy.tril_indices`."""
    return _triangle(n, k, m, upper=False)


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Any, Any]:
    """The indices of the places of a matrix at the k-th diagonal or above: `jax.numpy.triu_indices`."""
    return _triangle(n, k, m, upper=True)


def _indices_from(name: str, of: Callable[..., tuple[Any, Any]], arr: Any, k: int) -> tuple[Any, Any]:
    shape = tuple(arr.shape) if hasattr(arr, "shape") else array_from(arr).aval.shape
    if len(shape) != 2:
        raise ValueError(f"{name}: a matrix is required, got shape {shape}")
    return of(shape[0], k, shape[1])


def tril_indices_from(arr: Any, k: int = 0) -> tuple[Any, Any]:
    """The indices of the places of this matrix at the k-th diagonal or below: `jax.numpy.tril_indices_from`.

    Raises:
        ValueError: if it is no matrix.
    """
    return _indices_from("tril_indices_from", tril_indices, arr, k)


def triu_indices_from(arr: Any, k: int = 0) -> tuple[Any, Any]:
    """The indices of the places of this matrix at the k-th diagonal or above: `jax.numpy.triu_indices_from`.

    Raises:
        ValueError: if it is no matrix.
    """
    return _indices_from("triu_indices_from", triu_indices, arr, k)


def mask_indices(n: int, mask_func: Callable[..., Any], k: int = 0, *, size: int | None = None) -> tuple[Any, Any]:
    """The indices of the places where a function of ones, such as `triu`, is not zero: `jax.numpy.mask_indices`."""
    from arraytyping.numpy.searching import nonzero

    side = concrete_int(n, "n")
    ones = full_of(1.0, ShapedArray((side, side), config.promotion().default("float"), False))
    i, j = nonzero(mask_func(ones, k), size=size)
    return i, j
