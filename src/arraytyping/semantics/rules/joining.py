"""Functions that join arrays: concatenation along an axis, stacking along a new one, blocks.

Source: https://docs.jax.dev/en/latest/jax.numpy.html and
https://data-apis.org/array-api/latest/API_specification/generated/array_api.concat.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import ANY_ARRAY, as_operand, requested_dtype
from arraytyping.semantics.rules.shapes.joining import (
    arranged,
    arranged_rows,
    concatenated,
    concatenated_rows,
    stacked,
    stacked_rows,
)
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import is_unknown
from arraytyping.semantics.rules.table import rule

__all__ = ["joined_dtype"]


def _operands(cx: Context, operation: str, arrays: Any) -> list[ShapedArray] | ShapedArray | None:
    """The arrays of a sequence; an array in the place of a sequence as it is; None for what may be either.

    Raises:
        RuleError: for what is neither (`TypeError`).
    """
    if is_unknown(arrays):
        return None
    if isinstance(arrays, ShapedArray | NumPyArray):
        return as_operand(cx, arrays, operation)
    if isinstance(arrays, tuple | list):
        return [as_operand(cx, a, operation, i) for i, a in enumerate(arrays)]
    raise RuleError(f"{operation}: arrays are joined from a sequence, got {arrays!r}; put them into a tuple or a list")


def joined_dtype(
    cx: Context, operation: str, arrays: Sequence[ShapedArray], dtype: Any = None
) -> tuple[str | None, bool | None]:
    """The dtype of joined arrays: the one asked for, or that to which they are promoted."""
    if is_unknown(dtype):
        return None, None
    if dtype is not None:
        return requested_dtype(cx, dtype, operation), False
    return cx.join(operation, arrays)


@rule("numpy.concatenate")
def concatenate(cx: Context, arrays: Any, axis: Any = 0, dtype: Any = None) -> ShapedArray:
    """`jax.numpy.concatenate`; an array in the place of a sequence is one of its rows."""
    return _concatenate(cx, "concatenate", arrays, axis, dtype)


@rule("numpy.concat")
def concat(cx: Context, arrays: Any, /, *, axis: Any = 0) -> ShapedArray:
    """`jax.numpy.concat`, from the array API standard."""
    if isinstance(arrays, ShapedArray) and arrays.shape == ():
        raise DimError("concat: an array of 0 dimensions is no sequence of arrays", TypeError)
    return _concatenate(cx, "concat", arrays, axis, None)


def _concatenate(cx: Context, operation: str, arrays: Any, axis: Any, dtype: Any) -> ShapedArray:
    operands = _operands(cx, operation, arrays)
    if isinstance(operands, ShapedArray):
        return _rows(cx, operation, operands, axis, dtype)
    if operands is None:
        return ANY_ARRAY
    if not operands:
        raise ShapeError(f"{operation}: at least one array is needed", ValueError)
    shape = None
    error: RuleError | None = None
    try:
        shape = concatenated(operation, [a.shape for a in operands], axis)
    except DimError:
        raise
    except RuleError as late:  # JAX compares the shapes last
        error = late
    joined = joined_dtype(cx, operation, operands, dtype)
    if error is not None:
        raise error
    return ShapedArray(shape, *joined)


def _rows(cx: Context, operation: str, array: ShapedArray, axis: Any, dtype: Any) -> ShapedArray:
    """The rows of one array, concatenated."""
    if dtype is not None:
        array = ShapedArray(array.shape, *joined_dtype(cx, operation, (array,), dtype))
    return with_shape(array, None if array.shape is None else concatenated_rows(operation, array.shape, axis))


@rule("numpy.stack")
def stack(cx: Context, arrays: Any, axis: Any = 0, out: Any = None, dtype: Any = None) -> ShapedArray:
    """`jax.numpy.stack`."""
    if isinstance(arrays, ShapedArray | NumPyArray) and arrays.shape == ():
        raise DimError("stack: an array of 0 dimensions is no sequence of arrays", TypeError)
    operands = _operands(cx, "stack", arrays)
    if operands == [] or (isinstance(operands, ShapedArray) and operands.shape is not None and operands.shape[0] == 0):
        raise ShapeError("stack: at least one array is needed", ValueError)
    if out is not None and not is_unknown(out):
        raise RuleError(
            "stack: the argument out is not supported; arrays are not changed in place", NotImplementedError
        )
    if operands is None:
        return ANY_ARRAY
    if isinstance(operands, ShapedArray):
        canonicalize_axis("stack", axis, operands.ndim)
        shape = None if operands.shape is None else stacked_rows("stack", operands.shape, axis)
        joined = (
            (operands.dtype, operands.weak_type) if dtype is None else joined_dtype(cx, "stack", (operands,), dtype)
        )
        return ShapedArray(shape, *joined)
    joined = joined_dtype(cx, "stack", operands, dtype)
    return ShapedArray(stacked("stack", [a.shape for a in operands], axis, len(operands)), *joined)


def _arrange(cx: Context, operation: str, tup: Any, dtype: Any) -> ShapedArray:
    """`vstack` and its kin: each array is brought to a rank, then they are concatenated."""
    operands = _operands(cx, operation, tup)
    if operands is None:
        return ANY_ARRAY
    if isinstance(operands, ShapedArray):
        if operands.shape is None:
            return ShapedArray(None, *joined_dtype(cx, operation, (operands,), dtype))
        if not operands.shape:
            raise DimError(f"{operation}: an array of 0 dimensions is no sequence of arrays")
        rows, axis = arranged_rows(operation, operands.shape)
        return _rows(cx, operation, with_shape(operands, rows), axis, dtype)
    if not operands:
        raise ShapeError(
            f"{operation}: at least one array is needed", IndexError if operation == "hstack" else ValueError
        )
    shapes, axis = arranged(operation, [a.shape for a in operands])
    return _concatenate(cx, operation, list(map(with_shape, operands, shapes)), axis, dtype)


@rule("numpy.vstack")
def vstack(cx: Context, tup: Any, dtype: Any = None) -> ShapedArray:
    """`jax.numpy.vstack`."""
    return _arrange(cx, "vstack", tup, dtype)


@rule("numpy.hstack")
def hstack(cx: Context, tup: Any, dtype: Any = None) -> ShapedArray:
    """`jax.numpy.hstack`: along axis 1, of vectors along axis 0."""
    return _arrange(cx, "hstack", tup, dtype)


@rule("numpy.dstack")
def dstack(cx: Context, tup: Any, dtype: Any = None) -> ShapedArray:
    """`jax.numpy.dstack`."""
    return _arrange(cx, "dstack", tup, dtype)


@rule("numpy.column_stack")
def column_stack(cx: Context, tup: Any) -> ShapedArray:
    """`jax.numpy.column_stack`: vectors become columns."""
    return _arrange(cx, "column_stack", tup, None)


@rule("numpy.append")
def append(cx: Context, arr: Any, values: Any, axis: Any = None) -> ShapedArray:
    """`jax.numpy.append`."""
    check_hashable("append", axis=axis)
    arrays = [as_operand(cx, arr, "append", 0), as_operand(cx, values, "append", 1)]
    return _concatenate(cx, "append", arrays, axis, None)


@rule("numpy.block")
def block(cx: Context, arrays: Any) -> ShapedArray:
    """`jax.numpy.block`: lists of arrays, joined from the innermost list along the last axis outwards."""
    made = _block(cx, arrays)
    return ANY_ARRAY if made is None else made[0]


def _block(cx: Context, arrays: Any) -> tuple[ShapedArray, int] | None:
    """The array that nested lists make, and their depth counted from 1; None if nothing is known."""
    if is_unknown(arrays):
        return None
    if isinstance(arrays, tuple):
        raise ShapeError("block: a tuple is given; arrays are nested in lists", ValueError)
    if arrays is None:
        raise RuleError("block: None is no array; give arrays in nested lists", ValueError)
    if not isinstance(arrays, list):
        return as_operand(cx, arrays, "block"), 1
    if not arrays:
        raise ShapeError("block: an empty list is given; each holds at least one array", ValueError)
    made = [_block(cx, a) for a in arrays]
    known = [m for m in made if m is not None]
    if len({depth for _, depth in known}) > 1:
        raise ShapeError("block: the lists are not nested to the same depth everywhere", ValueError)
    if len(known) < len(made):
        return None
    depth = known[0][1]
    shapes = [a.shape for a, _ in known]
    joined = cx.join("block", [a for a, _ in known])
    if any(s is None for s in shapes):
        return ShapedArray(None, *joined), depth + 1
    rank = max(depth, *(len(s) for s in shapes if s is not None))
    shapes = [None if s is None else (1,) * (rank - len(s)) + s for s in shapes]
    return ShapedArray(concatenated("block", shapes, -depth), *joined), depth + 1
