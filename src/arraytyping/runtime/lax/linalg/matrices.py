"""Matrices in the last two dimensions: products, adjoints, triangles, diagonals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p, constant_like
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import eq_p, ge_p
from arraytyping.runtime.lax.complex_numbers import conj_p, real_p
from arraytyping.runtime.lax.contractions import contracted
from arraytyping.runtime.lax.converting import convert_element_type_p
from arraytyping.runtime.lax.creation import iota_of, zeros_of
from arraytyping.runtime.lax.precisions import Precision
from arraytyping.runtime.lax.reductions import reduce_sum
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, broadcast_to, transpose
from arraytyping.runtime.tracing.batching import Axis, move_batch_dim
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "adjoint", "as_dtype", "batch_first", "columns", "diagonal", "diagonal_matrix", "identity", "is_complex", "matmul",
    "real_part", "rows", "swapped", "triangle",
]  # fmt: skip


def is_complex(x: Any) -> bool:
    """Whether an array is of complex numbers."""
    return bool(x.aval.dtype.startswith("complex"))


def as_dtype(x: Any, dtype: str) -> Any:
    """The array in this dtype."""
    return x if x.aval.dtype == dtype else convert_element_type_p.bind(x, new_dtype=dtype, weak_type=False)


def real_part(x: Any) -> Any:
    """The real part, of complex numbers and of real ones."""
    return real_p.bind(x) if is_complex(x) else x


def swapped(x: Any) -> Any:
    """The transpose."""
    rank = len(x.aval.shape)
    return transpose(x, (*range(rank - 2), rank - 1, rank - 2))


def adjoint(x: Any) -> Any:
    """The conjugate transpose."""
    moved = swapped(x)
    return conj_p.bind(moved) if is_complex(x) else moved


def matmul(x: Any, y: Any) -> Any:
    """The product, as precise as can be."""
    rank = len(x.aval.shape)
    batch = tuple(range(rank - 2))
    return contracted(x, y, (((rank - 1,), (rank - 2,)), (batch, batch)), Precision.HIGHEST, None)


def _row_minus(shape: Sequence[int], offset: int, compare: Primitive) -> Any:
    """Where the number of the row compares so with that of the column less `offset`."""
    rank = len(shape)
    matrix = tuple(shape[-2:])
    row, column = iota_of("int32", matrix, 0), iota_of("int32", matrix, 1)
    mask = compare.bind(add_p.bind(row, constant_like(row, offset)), column)
    return broadcast_in_dim_p.bind(mask, shape=tuple(shape), broadcast_dimensions=(rank - 2, rank - 1))


def triangle(x: Any, *, lower: bool, offset: int = 0) -> Any:
    """The lower or the upper triangle, up to the diagonal with this offset, and zeros."""
    shape = x.aval.shape
    zeros = zeros_of(ShapedArray(shape, x.aval.dtype, False))
    if lower:
        return select_n_p.bind(_row_minus(shape, offset, ge_p), zeros, x)
    return select_n_p.bind(_row_minus(shape, offset - 1, ge_p), x, zeros)


def identity(dtype: str, shape: Sequence[int]) -> Any:
    """Identity matrices, perhaps not square, for all leading dimensions."""
    return as_dtype(_row_minus(shape, 0, eq_p), dtype)


def diagonal(x: Any) -> Any:
    """The diagonals of square matrices."""
    shape = x.aval.shape
    kept = select_n_p.bind(_row_minus(shape, 0, eq_p), zeros_of(ShapedArray(shape, x.aval.dtype, False)), x)
    return reduce_sum(kept, (len(shape) - 1,))


def diagonal_matrix(x: Any) -> Any:
    """Square matrices with these diagonals."""
    shape = (*x.aval.shape, x.aval.shape[-1])
    rank = len(shape)
    spread = broadcast_in_dim_p.bind(x, shape=shape, broadcast_dimensions=tuple(range(rank - 1)))
    return select_n_p.bind(_row_minus(shape, 0, eq_p), zeros_of(ShapedArray(shape, x.aval.dtype, False)), spread)


def rows(x: Any, start: int, limit: int) -> Any:
    """Some rows."""
    return slice_along(x, start, limit, 1, len(x.aval.shape) - 2)


def columns(x: Any, start: int, limit: int) -> Any:
    """Some columns."""
    return slice_along(x, start, limit, 1, len(x.aval.shape) - 1)


def spread(x: Any, shape: Sequence[int]) -> Any:
    """The array repeated along leading dimensions."""
    return broadcast_to(x, tuple(shape))


def batch_first(primitive: Primitive) -> Callable[..., Any]:
    """The batching rule of what takes matrices with leading dimensions: the batch is one of them in all operands."""

    def rule(axis: Axis, args: Sequence[Any], dims: Sequence[int | None], **params: Any) -> tuple[Any, Any]:
        out = primitive.bind(*(move_batch_dim(axis, x, d, 0) for x, d in zip(args, dims)), **params)
        return (out, [0] * len(out)) if primitive.multiple_results else (out, 0)

    return rule
