"""Rules of the family: matrices by their diagonals: triangles of a matrix, a vector as a diagonal, and back.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.selecting import diagonal
from arraytyping.semantics.rules.shapes.selecting import diagonal_matrix
from arraytyping.semantics.rules.sizes import size_dim
from arraytyping.semantics.rules.static_arguments import as_index
from arraytyping.semantics.rules.table import rule

__all__: list[str] = []


def _check_range(cx: Context, operation: str, k: Any) -> None:
    """Check that an offset, or a size, is in the range of the default integer, in which JAX computes."""
    if type(k) is int:
        as_operand(cx, k, operation, "k")


def _triangle(cx: Context, operation: str, m: Any, k: Any) -> ShapedArray:
    check_hashable(operation, k=k)
    a = as_operand(cx, m, operation)
    if a.ndim is not None and a.ndim < 2:
        raise DimError(f"{operation}: the argument must have at least 2 dimensions, got {a}; reshape it to a matrix")
    if operation == "tril" and (type(k) is bool or (isinstance(k, Scalar) and k.kind == "bool")):
        raise DimError(f"{operation}: k must be an integer, got {k}; give an int", TypeError)
    as_index(operation, "k", k)
    _check_range(cx, operation, k - 1 if operation == "triu" and isinstance(k, int) else k)
    return replace(a, value=None)


@rule("numpy.tril")
def tril(cx: Context, m: Any, k: Any = 0) -> ShapedArray:
    """`jax.numpy.tril`."""
    return _triangle(cx, "tril", m, k)


@rule("numpy.triu")
def triu(cx: Context, m: Any, k: Any = 0) -> ShapedArray:
    """`jax.numpy.triu`."""
    return _triangle(cx, "triu", m, k)


@rule("numpy.diag")
def diag(cx: Context, v: Any, k: Any = 0) -> ShapedArray:
    """`jax.numpy.diag`: the matrix of a vector, the diagonal of a matrix."""
    a = as_operand(cx, v, "diag")
    offset = as_index("diag", "k", k)
    if a.shape is None:
        return ShapedArray(None, a.dtype, False if a.weak_type is False else None)
    if len(a.shape) == 1:
        # Zeros are put beside the vector, and two weak bools have a strong one for their join.
        return ShapedArray(diagonal_matrix(a.shape[0], offset), a.dtype, a.weak_type if a.dtype != "bool" else False)
    if len(a.shape) == 2:
        return diagonal(cx, a, UNKNOWN if offset is None else offset)
    raise DimError(f"diag: the argument must be a vector or a matrix, got {a}; use jnp.diagonal for a stack")


@rule("numpy.diagflat")
def diagflat(cx: Context, v: Any, k: Any = 0) -> ShapedArray:
    """`jax.numpy.diagflat`: always strong."""
    a = as_operand(cx, v, "diagflat")
    if isinstance(k, NumPyArray) and k.shape:
        raise DimError(f"diagflat: k must be a scalar, got {k}; give an int")
    offset = as_index("diagflat", "k", k)
    shape = diagonal_matrix(size_dim(a.shape), offset)
    side = shape[0]
    _check_range(cx, "diagflat", abs(offset or 0) if side is None else side)
    return ShapedArray(shape, a.dtype, False)
