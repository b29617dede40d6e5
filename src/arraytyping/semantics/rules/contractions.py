"""Contractions: the products that sum over dimensions which two arrays share.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/tensor_contractions.py`.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import (
    UNKNOWN,
    Dim,
    NumPyArray,
    Scalar,
    Shape,
    ShapedArray,
    SymbolicDim,
    shape_tuple_str,
)
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dot_general import (
    accumulation,
    check_accumulation,
    check_contracted,
    check_out_sharding,
    check_precision,
)
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.operands import as_array
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
    shape: Shape | None = None
    if a.shape is not None and b.shape is not None:
        if not a.shape or not b.shape:
            shape = a.shape + b.shape
        else:
            j = max(len(b.shape) - 2, 0)
            check_contracted(operation, a, b, [(len(a.shape) - 1, j)])
            shape = a.shape[:-1] + b.shape[:j] + b.shape[j + 1 :]
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
    for position, operand in enumerate((x, y)):
        if operand.ndim == 0:
            raise DimError(
                f"matmul: operand {position} has no dimensions, and at least one is needed; multiply by a scalar with *"
            )
    dtype, weak = accumulation(cx, "matmul", (x, y), preferred_element_type)
    shape: Shape | None = None
    if x.shape is not None and y.shape is not None:
        batch = _broadcast("matmul", x, x.shape[:-2], y, y.shape[:-2])
    check_out_sharding("matmul", out_sharding)
    check_precision("matmul", precision)
    if x.shape is not None and y.shape is not None:
        j = max(len(y.shape) - 2, 0)
        check_contracted("matmul", x, y, [(len(x.shape) - 1, j)])
        shape = batch + x.shape[-2:-1] + (y.shape[-1:] if len(y.shape) > 1 else ())
    check_accumulation("matmul", (x.dtype, x.weak_type), (y.dtype, y.weak_type), dtype, precision)
    return ShapedArray(shape, dtype, weak)


@rule("numpy.linalg.matmul")
def linalg_matmul(
    cx: Context, x1: Any, x2: Any, /, *, precision: Any = None, preferred_element_type: Any = None
) -> ShapedArray:
    """`jax.numpy.linalg.matmul`."""
    return matmul(cx, x1, x2, precision=precision, preferred_element_type=preferred_element_type)


def _broadcast(operation: str, a: ShapedArray, a_batch: Shape, b: ShapedArray, b_batch: Shape) -> Shape:
    """The dimensions that are not contracted, broadcast; a clash is a ValueError, unlike in elementwise operations."""
    try:
        batch = broadcast_shapes(operation, a_batch, b_batch)
    except ShapeError as error:
        shapes = " and ".join(shape_tuple_str(x.shape or ()) for x in (a, b))
        raise ShapeError(f"{error.message}, the batch dimensions of {shapes}", ValueError) from None
    assert batch is not None
    return batch


@rule("numpy.matvec")
def matvec(cx: Context, x1: Any, x2: Any, /) -> ShapedArray:
    """`jax.numpy.matvec`."""
    return _batched(cx, "matvec", x1, x2, a_core=2, b_core=1, a_axis=-1, b_axis=-1)


@rule("numpy.vecmat")
def vecmat(cx: Context, x1: Any, x2: Any, /) -> ShapedArray:
    """`jax.numpy.vecmat`."""
    return _batched(cx, "vecmat", x1, x2, a_core=1, b_core=2, a_axis=-1, b_axis=-2)


def _batched(
    cx: Context, operation: str, x1: Any, x2: Any, *, a_core: int, b_core: int, a_axis: int, b_axis: int
) -> ShapedArray:
    """A product of matrix and vector, or the other way round, for each of the leading dimensions broadcast."""
    a, b = as_array(cx, x1, operation, 0), as_array(cx, x2, operation, 1)
    for position, operand, core in ((0, a, a_core), (1, b, b_core)):
        if operand.ndim is not None and operand.ndim < core:
            raise DimError(
                f"{operation}: operand {position} has shape {shape_tuple_str(operand.shape or ())}, and at least "
                f"{core} dimension{'s are' if core > 1 else ' is'} needed"
            )
    shape: Shape | None = None
    if a.shape is not None and b.shape is not None:
        check_contracted(operation, a, b, [(len(a.shape) + a_axis, len(b.shape) + b_axis)], ValueError)
        batch = _broadcast(operation, a, a.shape[:-a_core], b, b.shape[:-b_core])
        shape = (*batch, a.shape[-2] if a_core == 2 else b.shape[-1])
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
    for position, x in enumerate((a, b)):
        if x.ndim == 0:
            raise DimError(f"vecdot: operand {position} has no dimensions, and at least one is needed", IndexError)
    i, j = indexed_axis("vecdot", axis, a.ndim), indexed_axis("vecdot", axis, b.ndim)
    shape: Shape | None = None
    if a.shape is not None and b.shape is not None:
        if i is None or j is None:
            shape = (None,) * (max(len(a.shape), len(b.shape)) - 1)
        else:
            check_contracted("vecdot", a, b, [(i, j)], ValueError)
            shape = _broadcast("vecdot", a, _without(a.shape, i), b, _without(b.shape, j))
    dtype, weak = accumulation(cx, "vecdot", (a, b), preferred_element_type)
    check_precision("vecdot", precision)
    check_accumulation("vecdot", (a.dtype, a.weak_type), (b.dtype, b.weak_type), dtype, precision)
    return ShapedArray(shape, dtype, weak)


def _without(shape: Shape, *axes: int) -> Shape:
    return tuple(d for i, d in enumerate(shape) if i not in axes)


@rule("numpy.inner")
def inner(cx: Context, a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None) -> ShapedArray:
    """`jax.numpy.inner`."""
    x, y = as_array(cx, a, "inner", 0), as_array(cx, b, "inner", 1)
    if x.ndim == 0 or y.ndim == 0:  # a product, which knows no precision and promotes the operands first
        dtype, weak = accumulation(cx, "inner", (x, y), preferred_element_type)
        if preferred_element_type is None:
            dtype, weak = cx.join("inner", (x, y))
        return ShapedArray(None if x.shape is None or y.shape is None else x.shape + y.shape, dtype, weak)
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
    pairs = _contracted_axes(operation, axes, a, b)
    check_out_sharding(operation, out_sharding)
    check_precision(operation, precision)
    shape: Shape | None = None
    if isinstance(pairs, int):
        if a.shape is not None and b.shape is not None and (rank := len(a.shape) + len(b.shape) - 2 * pairs) >= 0:
            shape = (None,) * rank
    elif pairs is not None and a.shape is not None and b.shape is not None:
        for name, numbers in (("first", [i for i, _ in pairs]), ("second", [j for _, j in pairs])):
            if len(set(numbers)) < len(numbers):
                raise DimError(f"{operation}: an axis of the {name} operand is given twice: {numbers}", TypeError)
        check_contracted(operation, a, b, pairs)
        rest: list[Dim] = [*_without(a.shape, *(i for i, _ in pairs)), *_without(b.shape, *(j for _, j in pairs))]
        shape = tuple(rest)
    check_accumulation(operation, (a.dtype, a.weak_type), (b.dtype, b.weak_type), dtype, precision)
    return ShapedArray(shape, dtype, weak)


def _contracted_axes(operation: str, axes: Any, a: ShapedArray, b: ShapedArray) -> list[tuple[int, int]] | int | None:
    """The pairs of contracted axes; only how many, if that is all that is known; None if not even that is.

    Raises:
        DimError: for axes that do not fit these ranks, or are none.
    """
    if _unknown(axes):
        return None
    if type(axes) is int:
        if any(x.ndim is not None and axes > x.ndim for x in (a, b)):
            raise DimError(
                f"{operation}: {axes} axes to contract are more than an operand has, of ranks "
                f"{' and '.join('?' if x.ndim is None else str(x.ndim) for x in (a, b))}",
                TypeError,
            )
        if a.ndim is None or b.ndim is None:
            return None
        return [(a.ndim - axes + k, k) for k in range(axes)]
    if not isinstance(axes, tuple | list) or len(axes) != 2:
        raise DimError(
            f"{operation}: axes is {axes}; it must be an integer, a pair of integers, or a pair of lists of integers",
            TypeError,
        )
    first, second = axes
    if _unknown(first) or _unknown(second):
        return None
    if isinstance(first, int) and isinstance(second, int):
        first, second = (first,), (second,)
    if not (isinstance(first, tuple | list) and isinstance(second, tuple | list)):
        raise DimError(f"{operation}: axes is {axes}; both parts must be integers, or both lists", TypeError)
    if len(first) != len(second):
        raise DimError(
            f"{operation}: {len(first)} axes of the first operand are to be contracted with {len(second)} of the "
            "second; name equally many",
            TypeError,
        )
    i = [None if isinstance(k, NumPyArray) else canonicalize_axis(operation, k, a.ndim) for k in first]
    j = [None if isinstance(k, NumPyArray) else canonicalize_axis(operation, k, b.ndim) for k in second]
    pairs = [(p, q) for p, q in zip(i, j) if p is not None and q is not None]
    return pairs if len(pairs) == len(first) else len(first)


def _unknown(value: Any) -> bool:
    """Whether this may be an integer, or what else `axes` may hold, of unknown value."""
    return (
        value is UNKNOWN
        or isinstance(value, SymbolicDim)
        or (isinstance(value, Scalar) and value.kind in ("bool", "int"))
    )
