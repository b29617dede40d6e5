"""Functions that join arrays: concatenation along an axis, stacking along a new one, blocks.

Source: https://docs.jax.dev/en/latest/jax.numpy.html and
https://data-apis.org/array-api/latest/API_specification/generated/array_api.concat.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.semantics.avals import Dim, NumPyArray, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import ANY_ARRAY, as_operand, requested_dtype
from arraytyping.semantics.rules.reshaping import at_least, raveled
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import is_unknown
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, any_differ, known_dim, multiply_dims

__all__ = ["concatenated", "joined_dtype"]


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


def concatenated(operation: str, shapes: Sequence[Shape | None], axis: Any) -> Shape | None:
    """The shape of arrays concatenated along an axis of the first.

    Raises:
        DimError: if the first has no such axis.
        ShapeError: if the ranks differ, or the other sizes certainly do (`TypeError`).
    """
    first = shapes[0]
    if first == ():
        raise DimError(f"{operation}: arrays of 0 dimensions cannot be concatenated; stack them, or ravel them first")
    known = [s for s in shapes if s is not None]
    number = canonicalize_axis(operation, axis, len(known[0]) if known else None)
    shown = " and ".join(map(shape_tuple_str, known[:4])) + (" ..." if len(known) > 4 else "")
    if len({len(s) for s in known}) > 1:
        raise ShapeError(f"{operation}: the arrays differ in their number of dimensions: {shown}", TypeError)
    if not known:
        return None
    dims: list[Dim] = []
    for i in range(len(known[0])):
        sizes = [s[i] for s in known]
        if i == number:
            dims.append(add_dims(sizes) if len(known) == len(shapes) else None)
            continue
        if number is not None and any_differ(sizes):
            raise ShapeError(
                f"{operation}: arrays of shape {shown} cannot be joined along axis {number}: their sizes along axis "
                f"{i} differ",
                TypeError,
            )
        # All sizes are the same, so one that is known is that of the others.
        dims.append(None if number is None else known_dim(sizes))
    return tuple(dims)


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
    if is_unknown(axis):
        joined = joined_dtype(cx, operation, operands, dtype)
        return ShapedArray(None, *joined)
    if axis is None:
        operands = [raveled(a) for a in operands]
        axis = 0
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
    shape = array.shape
    if shape is None:
        return with_shape(array, None)
    if not shape or shape[0] == 0:
        raise ShapeError(f"{operation}: at least one array is needed, got shape {shape_tuple_str(shape)}", ValueError)
    if is_unknown(axis):
        return with_shape(array, None)
    if axis is None:
        return raveled(array)
    if len(shape) == 1:
        raise DimError(f"{operation}: arrays of 0 dimensions cannot be concatenated; stack them, or ravel them first")
    number = canonicalize_axis(operation, axis, len(shape) - 1)
    if number is None:
        return with_shape(array, (None,) * (len(shape) - 1))
    dims = list(shape[1:])
    dims[number] = multiply_dims((shape[0], dims[number]))
    return with_shape(array, tuple(dims))


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
        shape = operands.shape
        number = canonicalize_axis("stack", axis, operands.ndim)
        joined = (
            (operands.dtype, operands.weak_type) if dtype is None else joined_dtype(cx, "stack", (operands,), dtype)
        )
        if shape is None or number is None:
            return ShapedArray(None if shape is None else (None,) * len(shape), *joined)
        rest = shape[1:]
        return ShapedArray((*rest[:number], shape[0], *rest[number:]), *joined)
    joined = joined_dtype(cx, "stack", operands, dtype)
    known = [a.shape for a in operands if a.shape is not None]
    first = operands[0].shape
    number = canonicalize_axis("stack", axis, None if first is None else len(first) + 1)
    dims = _same_shape("stack", known)
    if dims is None:
        return ShapedArray(None, *joined)
    if number is None and not is_unknown(axis) and first is None:
        number = canonicalize_axis("stack", axis, len(dims) + 1)
    if number is None:
        return ShapedArray((None,) * (len(dims) + 1), *joined)
    return ShapedArray((*dims[:number], len(operands), *dims[number:]), *joined)


def _same_shape(operation: str, shapes: Sequence[Shape]) -> Shape | None:
    """The one shape that all these are; None if there are none.

    Raises:
        ShapeError: if they certainly differ.
    """
    if not shapes:
        return None
    if len({len(s) for s in shapes}) > 1 or any(any_differ(sizes) for sizes in zip(*shapes)):
        shown = " and ".join(map(shape_tuple_str, shapes[:4]))
        raise ShapeError(f"{operation}: all arrays have to have the same shape, got {shown}", ValueError)
    return tuple([known_dim(sizes) for sizes in zip(*shapes)])


def _stack_to(cx: Context, operation: str, tup: Any, rank: int, axis: int | None, dtype: Any) -> ShapedArray:
    """`vstack` and its kin: each array is brought to a rank, then they are concatenated."""
    operands = _operands(cx, operation, tup)
    if operands is None:
        return ANY_ARRAY
    if isinstance(operands, ShapedArray):
        shape = operands.shape
        if shape is None:
            return ShapedArray(None, *joined_dtype(cx, operation, (operands,), dtype))
        if not shape:
            raise DimError(f"{operation}: an array of 0 dimensions is no sequence of arrays", ValueError)
        rows = at_least(shape[1:], rank)
        assert rows is not None
        if axis is None:
            axis = 0 if len(rows) == 1 else 1
        return _rows(cx, operation, with_shape(operands, (shape[0], *rows)), axis, dtype)
    if not operands:
        raise ShapeError(
            f"{operation}: at least one array is needed", IndexError if operation == "hstack" else ValueError
        )
    shaped = [with_shape(a, at_least(a.shape, rank)) for a in operands]
    if axis is None:
        first = shaped[0].shape
        if first is None:
            return ShapedArray(None, *joined_dtype(cx, operation, shaped, dtype))
        axis = 0 if len(first) == 1 else 1
    return _concatenate(cx, operation, shaped, axis, dtype)


@rule("numpy.vstack")
def vstack(cx: Context, tup: Any, dtype: Any = None) -> ShapedArray:
    """`jax.numpy.vstack`."""
    return _stack_to(cx, "vstack", tup, 2, 0, dtype)


@rule("numpy.hstack")
def hstack(cx: Context, tup: Any, dtype: Any = None) -> ShapedArray:
    """`jax.numpy.hstack`: along axis 1, of vectors along axis 0."""
    return _stack_to(cx, "hstack", tup, 1, None, dtype)


@rule("numpy.dstack")
def dstack(cx: Context, tup: Any, dtype: Any = None) -> ShapedArray:
    """`jax.numpy.dstack`."""
    return _stack_to(cx, "dstack", tup, 3, 2, dtype)


@rule("numpy.column_stack")
def column_stack(cx: Context, tup: Any) -> ShapedArray:
    """`jax.numpy.column_stack`: vectors become columns."""
    operands = _operands(cx, "column_stack", tup)
    if operands is None:
        return ANY_ARRAY
    if isinstance(operands, ShapedArray):
        shape = operands.shape
        if shape is None:
            return with_shape(operands, None)
        if not shape:
            raise DimError("column_stack: an array of 0 dimensions is no sequence of arrays")
        return _rows(cx, "column_stack", with_shape(operands, (shape[0], *_column(shape[1:]))), 1, None)
    if not operands:
        raise ShapeError("column_stack: at least one array is needed", ValueError)
    columns = [with_shape(a, None if a.shape is None else _column(a.shape)) for a in operands]
    return _concatenate(cx, "column_stack", columns, 1, None)


def _column(shape: Shape) -> Shape:
    """The shape of an array as a column, if it has fewer than 2 dimensions."""
    return shape if len(shape) >= 2 else (*shape, 1) if shape else (1, 1)


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
