"""Contractions: the products that sum over dimensions which two arrays share.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/tensor_contractions.py`.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import (
    NumPyArray,
    ShapedArray,
    shape_tuple_str,
)
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dot_general import (
    accumulation,
    check_accumulation,
    check_out_sharding,
    check_precision,
)
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.operands import as_array
from arraytyping.semantics.rules.shapes.products import (
    dot_product,
    inner_product,
    matrix_product,
    pairs_of_axes,
    tensor_product,
    vector_product,
)
from arraytyping.semantics.rules.sizes import size_dim
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ

__all__ = ["dot", "indexed_axis", "matmul"]


@rule("numpy.dot")
def dot(
    cx: Context,
    a: Any,
    b: Any,
    *,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.numpy.dot`."""
    return _dot(cx, "dot", as_array(cx, a, "dot", 0), as_array(cx, b, "dot", 1), precision, preferred_element_type,
                out_sharding)  # fmt: skip


@rule("Array.dot")
def array_dot(
    cx: Context, self: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None
) -> ShapedArray:
    """`jax.Array.dot`."""
    return dot(cx, self, b, precision=precision, preferred_element_type=preferred_element_type)


def _dot(
    cx: Context, operation: str, a: ShapedArray, b: ShapedArray, precision: Any, preferred: Any, out_sharding: Any
) -> ShapedArray:
    dtype, weak = accumulation(cx, operation, (a, b), preferred)
    check_out_sharding(operation, out_sharding)
    check_precision(operation, precision)
    shape = dot_product(operation, a.shape, b.shape)
    check_accumulation(operation, (a.dtype, a.weak_type), (b.dtype, b.weak_type), dtype, precision)
    return ShapedArray(shape, dtype, weak)


@rule("numpy.matmul")
def matmul(
    cx: Context,
    a: Any,
    b: Any,
    *,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.numpy.matmul`."""
    x, y = as_array(cx, a, "matmul", 0), as_array(cx, b, "matmul", 1)
    if 0 in (x.ndim, y.ndim):
        matrix_product("matmul", x.shape, y.shape)  # refuses it
    dtype, weak = accumulation(cx, "matmul", (x, y), preferred_element_type)
    check_out_sharding("matmul", out_sharding)
    check_precision("matmul", precision)
    shape = matrix_product("matmul", x.shape, y.shape)
    check_accumulation("matmul", (x.dtype, x.weak_type), (y.dtype, y.weak_type), dtype, precision)
    return ShapedArray(shape, dtype, weak)


@rule("numpy.linalg.matmul")
def linalg_matmul(
    cx: Context, x1: Any, x2: Any, /, *, precision: Any = None, preferred_element_type: Any = None
) -> ShapedArray:
    """`jax.numpy.linalg.matmul`."""
    return matmul(cx, x1, x2, precision=precision, preferred_element_type=preferred_element_type)


@rule("numpy.matvec")
def matvec(cx: Context, x1: Any, x2: Any, /) -> ShapedArray:
    """`jax.numpy.matvec`."""
    return _batched(cx, "matvec", x1, x2, (1, 0))


@rule("numpy.vecmat")
def vecmat(cx: Context, x1: Any, x2: Any, /) -> ShapedArray:
    """`jax.numpy.vecmat`."""
    return _batched(cx, "vecmat", x1, x2, (0, 1))


def _batched(cx: Context, operation: str, x1: Any, x2: Any, kept: tuple[int, int]) -> ShapedArray:
    """A product of matrix and vector, or the other way round, for each of the leading dimensions broadcast."""
    a, b = as_array(cx, x1, operation, 0), as_array(cx, x2, operation, 1)
    shape = vector_product(operation, a.shape, b.shape, -1, -1 - kept[1], kept)
    dtype, weak = accumulation(cx, operation, (a, b), None)
    check_accumulation(operation, (a.dtype, a.weak_type), (b.dtype, b.weak_type), dtype, None)
    return ShapedArray(shape, dtype, weak)


@rule("numpy.vdot")
def vdot(cx: Context, a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None) -> ShapedArray:
    """`jax.numpy.vdot`."""
    x, y = as_array(cx, a, "vdot", 0), as_array(cx, b, "vdot", 1)
    dtype, weak = accumulation(cx, "vdot", (x, y), preferred_element_type)
    check_precision("vdot", precision)
    if differ(n := size_dim(x.shape), m := size_dim(y.shape)):
        raise ShapeError(
            f"vdot: the sizes of {shape_tuple_str(x.shape or ())} and {shape_tuple_str(y.shape or ())} are {n} and "
            f"{m} when flattened; they must be equal"
        )
    check_accumulation("vdot", (x.dtype, x.weak_type), (y.dtype, y.weak_type), dtype, precision)
    return ShapedArray((), dtype, weak)


def indexed_axis(operation: str, axis: Any, ndim: int | None) -> int | None:
    """An axis by which JAX indexes a shape, so that one out of bounds is an IndexError; None if unknown.

    Raises:
        DimError: if an array of this rank has no such axis.
    """
    if isinstance(axis, NumPyArray):
        return None
    try:
        return canonicalize_axis(operation, axis, ndim)
    except DimError as error:
        raise DimError(error.message, IndexError if error.exception is ValueError else error.exception) from None


@rule("numpy.vecdot", "numpy.linalg.vecdot")
def vecdot(
    cx: Context, x1: Any, x2: Any, /, *, axis: Any = -1, precision: Any = None, preferred_element_type: Any = None
) -> ShapedArray:
    """`jax.numpy.vecdot`."""
    a, b = as_array(cx, x1, "vecdot", 0), as_array(cx, x2, "vecdot", 1)
    if 0 in (a.ndim, b.ndim):
        vector_product("vecdot", a.shape, b.shape, None, None)  # refuses it
    i, j = indexed_axis("vecdot", axis, a.ndim), indexed_axis("vecdot", axis, b.ndim)
    shape = vector_product("vecdot", a.shape, b.shape, i, j)
    dtype, weak = accumulation(cx, "vecdot", (a, b), preferred_element_type)
    check_precision("vecdot", precision)
    check_accumulation("vecdot", (a.dtype, a.weak_type), (b.dtype, b.weak_type), dtype, precision)
    return ShapedArray(shape, dtype, weak)


@rule("numpy.inner")
def inner(cx: Context, a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None) -> ShapedArray:
    """`jax.numpy.inner`."""
    x, y = as_array(cx, a, "inner", 0), as_array(cx, b, "inner", 1)
    if x.ndim == 0 or y.ndim == 0:  # a product, which knows no precision and promotes the operands first
        dtype, weak = accumulation(cx, "inner", (x, y), preferred_element_type)
        if preferred_element_type is None:
            dtype, weak = cx.join("inner", (x, y))
        return ShapedArray(inner_product("inner", x.shape, y.shape), dtype, weak)
    if x.shape is None or y.shape is None:
        dtype, weak = accumulation(cx, "inner", (x, y), preferred_element_type)
        return ShapedArray(None, dtype, weak)
    return _tensordot(cx, "inner", x, y, (-1, -1), precision, preferred_element_type, None)


@rule("numpy.tensordot")
def tensordot(
    cx: Context,
    a: Any,
    b: Any,
    axes: Any = 2,
    *,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.numpy.tensordot`."""
    x, y = as_array(cx, a, "tensordot", 0), as_array(cx, b, "tensordot", 1)
    return _tensordot(cx, "tensordot", x, y, axes, precision, preferred_element_type, out_sharding)


@rule("numpy.linalg.tensordot")
def linalg_tensordot(
    cx: Context,
    x1: Any,
    x2: Any,
    /,
    *,
    axes: Any = 2,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.numpy.linalg.tensordot`."""
    return tensordot(cx, x1, x2, axes, precision=precision, preferred_element_type=preferred_element_type,
                     out_sharding=out_sharding)  # fmt: skip


def _tensordot(
    cx: Context,
    operation: str,
    a: ShapedArray,
    b: ShapedArray,
    axes: Any,
    precision: Any,
    preferred: Any,
    out_sharding: Any,
) -> ShapedArray:
    dtype, weak = accumulation(cx, operation, (a, b), preferred)
    pairs = pairs_of_axes(operation, axes, a.ndim, b.ndim)
    check_out_sharding(operation, out_sharding)
    check_precision(operation, precision)
    shape = tensor_product(operation, a.shape, b.shape, pairs)
    check_accumulation(operation, (a.dtype, a.weak_type), (b.dtype, b.weak_type), dtype, precision)
    return ShapedArray(shape, dtype, weak)
