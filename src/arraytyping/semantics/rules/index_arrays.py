"""Index arrays that name diagonals, triangles and parts of an array.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `ix_`, `diag_indices` and `triu_indices` of
https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.samples import triangle_places
from arraytyping.semantics.rules.static_arguments import as_index, as_size
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import any_differ, at_least, known_dim

__all__: list[str] = []


def _index(cx: Context, size: Dim) -> ShapedArray:
    return ShapedArray((size,), cx.default("int"), False)


@rule("numpy.ix_")
def ix_(cx: Context, *args: Any) -> tuple[ShapedArray, ...]:
    """`jax.numpy.ix_`: each vector along an axis of its own; one without items is of the default integers."""
    found = []
    for i, arg in enumerate(args):
        array = as_operand(cx, arg, "ix_", i)
        if array.shape is not None and len(array.shape) != 1:
            raise ShapeError(
                f"ix_: each argument has 1 dimension, got shape {shape_tuple_str(array.shape)}", ValueError
            )
        if array.dtype == "bool":
            raise DtypeError("ix_: bools are not implemented; take jnp.nonzero of them first", NotImplementedError)
        size = None if array.shape is None else array.shape[0]
        shape = tuple(size if d == i else 1 for d in range(len(args)))
        if size == 0:
            array = _index(cx, 0)
        elif not at_least(size, 1) and (array.dtype != cx.default("int") or array.weak_type is not False):
            array = ShapedArray(None, None)
        found.append(ShapedArray(shape, array.dtype, array.weak_type))
    return tuple(found)


@rule("numpy.diag_indices")
def diag_indices(cx: Context, n: Any, ndim: Any = 2) -> Any:
    """`jax.numpy.diag_indices`: the same vector once for each dimension."""
    size, count = as_size("diag_indices", "n", n), as_index("diag_indices", "ndim", ndim)
    for name, number in (("n", size), ("ndim", count)):
        if isinstance(number, int) and number < 0:
            raise RuleError(f"diag_indices: {name} must not be negative, got {number}", ValueError)
    return UNKNOWN if count is None else (_index(cx, size),) * count


@rule("numpy.diag_indices_from")
def diag_indices_from(cx: Context, arr: Any) -> Any:
    """`jax.numpy.diag_indices_from`: of an array whose dimensions are of one size."""
    shape = as_operand(cx, arr, "diag_indices_from").shape
    if shape is None:
        return UNKNOWN
    if len(shape) < 2 or any_differ(shape):
        raise ShapeError(
            f"diag_indices_from: at least 2 dimensions of one size are required, got shape {shape_tuple_str(shape)}",
            ValueError,
        )
    return (_index(cx, known_dim(shape)),) * len(shape)


def _triangle(cx: Context, operation: str, n: Any, k: Any, m: Any) -> tuple[ShapedArray, ShapedArray]:
    """The rows and the columns of the places of a triangle."""
    rows, offset = as_size(operation, "n", n), as_index(operation, "k", k)
    columns = rows if m is None else as_size(operation, "m", m)
    for size in (rows, columns):
        if isinstance(size, int) and size < 0:
            raise ShapeError(f"{operation}: sizes must not be negative, got {size}")
    count = triangle_places(rows, columns, offset, upper=operation.startswith("triu"))
    return _index(cx, count), _index(cx, count)


@rule("numpy.tril_indices")
def tril_indices(cx: Context, n: Any, k: Any = 0, m: Any = None) -> tuple[ShapedArray, ShapedArray]:
    """`jax.numpy.tril_indices`."""
    return _triangle(cx, "tril_indices", n, k, m)


@rule("numpy.triu_indices")
def triu_indices(cx: Context, n: Any, k: Any = 0, m: Any = None) -> tuple[ShapedArray, ShapedArray]:
    """`jax.numpy.triu_indices`."""
    return _triangle(cx, "triu_indices", n, k, m)


def _triangle_of(cx: Context, operation: str, arr: Any, k: Any) -> tuple[ShapedArray, ShapedArray]:
    array = arr if isinstance(arr, ShapedArray | NumPyArray) else as_operand(cx, arr, f"{operation}_from")
    if array.shape is None:
        as_index(operation, "k", k)
        return _index(cx, None), _index(cx, None)
    if len(array.shape) != 2:
        raise ShapeError(
            f"{operation}_from: a matrix is required, got shape {shape_tuple_str(array.shape)}", ValueError
        )
    rows, columns = (UNKNOWN if d is None else d for d in array.shape)
    return _triangle(cx, operation, rows, k, columns)


@rule("numpy.tril_indices_from")
def tril_indices_from(cx: Context, arr: Any, k: Any = 0) -> tuple[ShapedArray, ShapedArray]:
    """`jax.numpy.tril_indices_from`."""
    return _triangle_of(cx, "tril_indices", arr, k)


@rule("numpy.triu_indices_from")
def triu_indices_from(cx: Context, arr: Any, k: Any = 0) -> tuple[ShapedArray, ShapedArray]:
    """`jax.numpy.triu_indices_from`."""
    return _triangle_of(cx, "triu_indices", arr, k)
