"""Covariances of observations, and their correlations.

Source: `cov` and `corrcoef` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Dim, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, ANY_INEXACT, ANY_INTEGER
from arraytyping.semantics.rules.errors import DimError, DtypeError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import ANY_ARRAY, as_dtype, as_operand, requested_dtype
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.shapes.joining import concatenated
from arraytyping.semantics.rules.shapes.samples import covariances
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import at_least, differ

__all__: list[str] = []


def _check_dtype(cx: Context, operation: str, dtype: Any) -> None:
    if dtype is None or dtype is UNKNOWN:
        return
    name = as_dtype(dtype, operation)
    if name is not None and name not in (*ANY_INEXACT, "float", "complex"):
        raise DtypeError(f"{operation}: the dtype is a floating or a complex one, got {name}", ValueError)


def _of_one_rank(arrays: list[ShapedArray]) -> list[ShapedArray]:
    """The arrays, a vector beside a matrix as its row: they have to broadcast, as JAX makes their ranks equal.

    Raises:
        ShapeError: (ValueError) if they do not.
    """
    shapes = [a.shape for a in arrays]
    ranks = {len(s) for s in shapes if s}
    if None in shapes:
        return [with_shape(a, None) for a in arrays] if len(arrays) > 1 else arrays
    if len(ranks) < 2:
        return arrays
    broadcast_shapes("cov", *shapes, exception=ValueError)
    return [with_shape(a, (1,) * (2 - len(a.shape)) + a.shape) if a.shape is not None else a for a in arrays]


def _rows(array: ShapedArray, transposes: bool | None) -> ShapedArray:
    """The array as one row for each variable; of unknown shape where it is not known whether columns are meant."""
    shape = array.shape
    if shape is None or transposes is None:
        return with_shape(array, None if shape is None else (None, None))
    shape = (1,) * (2 - len(shape)) + shape
    return with_shape(array, shape[::-1] if transposes else shape)


def _variables(cx: Context, m: Any, y: Any, rowvar: Any) -> ShapedArray:
    """The rows of both arguments; of one without any, none."""
    ops = on_abstract_values(cx)
    arrays = ops.inexact("cov", m) if y is None else ops.inexact("cov", m, y)
    for name, array in zip(("m", "y"), arrays):
        if array.shape is not None and len(array.shape) > 2:
            raise ShapeError(
                f"cov: {name} has more than 2 dimensions: its shape is {shape_tuple_str(array.shape)}", ValueError
            )
    in_rows = as_flag(rowvar)
    arrays = _of_one_rank(arrays)
    first = arrays[0]
    rows = _rows(
        first, False if first.ndim == 1 or in_rows else None if in_rows is None or first.ndim is None else True
    )
    if y is None or (rows.shape is not None and rows.shape[0] == 0):
        return rows
    if y is UNKNOWN or (rows.shape is not None and not at_least(rows.shape[0], 1)):
        return ANY_ARRAY  # of an argument without variables the other one is not looked at
    other = _rows(arrays[1], False)
    if in_rows is not True and other.shape is not None and other.shape[0] != 1:
        surely = in_rows is False and differ(other.shape[0], 1)
        other = with_shape(other, other.shape[::-1] if surely else (None, None))
    return with_shape(rows, concatenated("cov", [rows.shape, other.shape], 0))


def _weights(cx: Context, name: str, weights: Any, count: Dim) -> ShapedArray:
    array = as_operand(cx, weights, "cov", name)
    shape = array.shape
    if shape == ():
        raise DimError(f"cov: {name} is a number; give one for each sample", IndexError)
    if shape is not None and len(shape) > 1:
        raise ShapeError(f"cov: {name} has more than 1 dimension: its shape is {shape_tuple_str(shape)}", RuntimeError)
    if shape is not None and differ(shape[0], count):
        raise ShapeError(f"cov: there are {count} samples, and {name} has {shape[0]} items", RuntimeError)
    if name == "fweights" and array.dtype is not None and array.dtype not in ANY_INTEGER:
        raise DtypeError(f"cov: fweights must be integers, got {array.dtype}; aweights may be others")
    absolute = on_abstract_values(cx)("numpy.abs", array)
    assert isinstance(absolute, ShapedArray)
    return absolute


@rule("numpy.cov")
def cov(
    cx: Context, m: Any, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None, fweights: Any = None,
    aweights: Any = None, dtype: Any = None,
) -> Any:  # fmt: skip
    """`jax.numpy.cov`: a matrix, or of a single variable a number."""
    check_hashable("cov", rowvar=rowvar, bias=bias, ddof=ddof, dtype=dtype)
    ops = on_abstract_values(cx)
    rows = _variables(cx, m, y, rowvar)
    _check_dtype(cx, "cov", dtype)
    if rows.shape is not None and rows.shape[0] == 0:
        return ShapedArray((0, 0), cx.default("float"), False)
    if rows.shape is None or UNKNOWN in (fweights, aweights, dtype, y):
        return UNKNOWN
    variables, count = rows.shape
    size = covariances(variables)
    if not at_least(variables, 1):
        return UNKNOWN
    if count == 0:
        return ShapedArray(size, rows.dtype, False)
    if not at_least(count, 1):
        return UNKNOWN
    weights = reliabilities = None
    if fweights is not None:
        weights = _weights(cx, "fweights", fweights, count)
    if aweights is not None:
        reliabilities = _weights(cx, "aweights", aweights, count)
        weights = reliabilities if weights is None else ops("numpy.multiply", weights, reliabilities)
    if dtype is not None:
        chosen = requested_dtype(cx, dtype, "cov")
        rows = ShapedArray(rows.shape, chosen, False)
        weights = None if weights is None else ShapedArray(weights.shape, chosen, False)
    mean = ops("numpy.average", rows, axis=1, weights=weights)
    divisor: Any = 1
    if weights is not None:
        total = with_shape(mean, ())
        free = (0 if as_flag(bias) else 1) if ddof is None else ddof
        divisor = total
        if free != 0:
            divisor = ops("numpy.subtract", total, free)
        if free != 0 and reliabilities is not None:
            products = ops("numpy.sum", ops("numpy.multiply", weights, reliabilities))
            divisor = ops(
                "numpy.subtract", total, ops("numpy.true_divide", ops("numpy.multiply", free, products), total)
            )
        elif as_flag(bias) is None and ddof is None:
            return UNKNOWN
    centered = ops("numpy.subtract", rows, with_shape(mean, ()))
    other = centered if weights is None else ops("numpy.multiply", centered, with_shape(weights, ()))
    two = [with_shape(a, (2, 2)) for a in (centered, ops("numpy.conj", other))]
    return with_shape(ops("numpy.true_divide", ops("numpy.dot", *two), divisor), size)


@rule("numpy.corrcoef")
def corrcoef(cx: Context, x: Any, y: Any = None, rowvar: Any = True, dtype: Any = None) -> Any:
    """`jax.numpy.corrcoef`: of a single variable a number."""
    check_hashable("corrcoef", rowvar=rowvar, dtype=dtype)
    as_operand(cx, x, "corrcoef")
    _check_dtype(cx, "corrcoef", dtype)
    ops = on_abstract_values(cx)
    whole = cov(cx, x, y, rowvar, dtype=dtype)
    if not isinstance(whole, ShapedArray) or whole.shape is None:
        return UNKNOWN
    if not whole.shape:
        return ops("numpy.true_divide", whole, whole)
    root = ops("numpy.sqrt", ops("numpy.real", ops("numpy.diag", whole)))
    deviation = ShapedArray((whole.shape[0], 1), whole.dtype, False)
    if root.dtype is None:
        return UNKNOWN
    result = ops("numpy.true_divide", ops("numpy.true_divide", whole, deviation), deviation)
    part = ops("numpy.clip", ops("numpy.real", result), -1, 1)
    if result.dtype in ANY_COMPLEX:
        return ops("lax.complex", part, part)
    return part
