"""Rules of the family: functions of `jax.lax` that cut out or replace a part of an array, at a place that is traced.

Source: `_dynamic_slice_indices` and the rules of `dynamic_slice_p` and `dynamic_update_slice_p` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/slicing.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Scalar, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, DtypeError, NotArrayLikeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.lax_dimensions import axis_in_list, truncated_axis
from arraytyping.semantics.rules.lax_operands import NOT_INTEGER, all_weak, same_dtype, shaped
from arraytyping.semantics.rules.operands import as_array, as_operand, is_python_scalar
from arraytyping.semantics.rules.refusals import refuse
from arraytyping.semantics.rules.shapes.reshaping import expanded
from arraytyping.semantics.rules.sizes import with_shape, without_axis
from arraytyping.semantics.rules.static_arguments import as_flag, as_shape, as_size
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import exceeds


class Start(NamedTuple):
    """Where a part starts along one dimension: the index, as an array, and its weak type once it is in bounds."""

    array: ShapedArray
    weak_type: bool | None


def _start(cx: Context, operation: str, index: Any, allow_negative: bool | None, *, traced: bool = False) -> Start:
    """One start index.  `traced` says that it is one inside of a jitted function, whatever is given.

    Raises:
        RuleError: (ValueError) for None, and for a negative int where none is allowed.
        DtypeError: for what is no array-like.
    """
    if index is None:
        raise RuleError(f"{operation}: a start index is an integer, got None", ValueError)
    array = as_operand(cx, index, operation) if traced else as_array(cx, index, operation)
    if is_python_scalar(index) and not traced:  # it is converted to what it is, and strong then
        if isinstance(index, int) and index < 0 and allow_negative is False:
            raise DimError(f"{operation}: the start index {index} is negative, and none is allowed")
        return Start(array, False)
    if array.dtype is None:
        return Start(array, None)
    if not array.weak_type or KINDS[array.dtype] == "u":
        return Start(array, array.weak_type)
    return Start(array, None if allow_negative is None else not allow_negative)  # what is added is strong


def _starts(
    cx: Context, operation: str, rank: int | None, start_indices: Any, allow_negative: Any
) -> list[Start] | None:
    """The start index of each dimension; None if it is not known how many there are.

    Raises:
        RuleError: if they are no sequence of one for each dimension.
    """
    if start_indices is UNKNOWN:
        return None
    if isinstance(start_indices, ShapedArray | NumPyArray):
        array = as_array(cx, start_indices, operation)
        shape = array.shape
        if not shape:
            return None
        count = shape[0] if isinstance(shape[0], int) else rank
        _check_count(operation, shape[0], rank)
        if len(shape) != 1:
            raise DimError(f"{operation}: the start indices have 1 dimension, got {array}")
        if count is None:
            return None
        given: Sequence[Any] = [with_shape(array, ())] * count
    elif isinstance(start_indices, tuple | list):
        _check_count(operation, len(start_indices), rank)
        given = start_indices
    else:
        return None
    return [_start(cx, operation, i, a) for i, a in zip(given, _allowed(operation, allow_negative, len(given)))]


def _check_sequence(operation: str, start_indices: Any) -> None:
    """Refuse start indices that are certainly no sequence.

    Raises:
        DimError: (TypeError) for a scalar and for None.
    """
    scalar = is_python_scalar(start_indices) or start_indices is None
    if scalar or (isinstance(start_indices, ShapedArray | NumPyArray) and start_indices.shape == ()):
        raise DimError(f"{operation}: a start index for each dimension is required, got {start_indices}", TypeError)


def _check_count(operation: str, count: Dim, rank: int | None) -> None:
    if isinstance(count, int) and rank is not None and count != rank:
        raise DimError(f"{operation}: {count} start indices for an array of {rank} dimensions; give one for each")


def _allowed(operation: str, allow_negative: Any, count: int) -> list[bool | None]:
    """Whether the index of each dimension may be negative.

    Raises:
        RuleError: for what is neither a bool nor a sequence of one for each.
    """
    if allow_negative is UNKNOWN or isinstance(allow_negative, bool) or allow_negative == Scalar("bool"):
        return [allow_negative if isinstance(allow_negative, bool) else None] * count
    if isinstance(allow_negative, tuple | list):
        if len(allow_negative) != count:
            raise DimError(f"{operation}: allow_negative_indices has {len(allow_negative)} entries for {count} indices")
        return [as_flag(a) for a in allow_negative]
    if is_python_scalar(allow_negative) or allow_negative is None:
        raise RuleError(f"{operation}: allow_negative_indices is a bool or several, got {allow_negative}")
    return [None] * count


def _check_starts(operation: str, starts: Sequence[Start] | None) -> None:
    """Check that the start indices are scalars of one integer type.

    Raises:
        DimError: (TypeError) if one is no scalar.
        DtypeError: if they are not of one integer type.
    """
    if not starts:
        return
    for start in starts:
        if start.array.ndim not in (None, 0):
            raise DimError(f"{operation}: a start index is a scalar, got {start.array}", TypeError)
        refuse(operation, start.array.dtype, (NOT_INTEGER,))
    same_dtype(operation, [start.array for start in starts])


def _cut(operation: str, array: ShapedArray, sizes: Shape | None, starts: Sequence[Start] | None) -> ShapedArray:
    """A part of an array."""
    shape = array.shape
    if sizes is not None:
        if shape is not None and len(shape) != len(sizes):
            raise ShapeError(
                f"{operation}: {len(sizes)} sizes of a part of an array of {len(shape)} dimensions; give one for each",
                ValueError,
            )
        for i, size in enumerate(sizes):
            most = None if shape is None else shape[i]
            if exceeds(0, size) or exceeds(size, most):
                raise ShapeError(
                    f"{operation}: the sizes {shape_tuple_str(sizes)} are not those of a part of an array of shape "
                    f"{'?' if shape is None else shape_tuple_str(shape)}"
                )
    _check_starts(operation, starts)
    if sizes is None:
        rank = array.ndim if starts is None else len(starts)
        return with_shape(array, None if rank is None else (None,) * rank)
    return with_shape(array, sizes)


@rule("lax.dynamic_slice")
def dynamic_slice(
    cx: Context, operand: Any, start_indices: Any, slice_sizes: Any, *, allow_negative_indices: Any = True
) -> ShapedArray:
    """`jax.lax.dynamic_slice`."""
    operation = "lax.dynamic_slice"
    _check_sequence(operation, start_indices)
    array = shaped(cx, operand, operation)
    starts = _starts(cx, operation, array.ndim, start_indices, allow_negative_indices)
    return _cut(operation, array, as_shape(operation, slice_sizes), starts)


@rule("lax.dynamic_slice_in_dim")
def dynamic_slice_in_dim(
    cx: Context, operand: Any, start_index: Any, slice_size: Any, axis: Any = 0, *, allow_negative_indices: Any = True
) -> ShapedArray:
    """`jax.lax.dynamic_slice_in_dim`."""
    operation = "lax.dynamic_slice_in_dim"
    if start_index is None:
        raise RuleError(f"{operation}: a start index is an integer, got None", ValueError)
    array = shaped(cx, operand, operation)
    number = axis_in_list(operation, truncated_axis(operation, axis), array.ndim)
    size = as_size(operation, "the size", slice_size)
    start = _start(cx, operation, start_index, as_flag(allow_negative_indices))
    return _cut(operation, array, _with_size(array.shape, number, size), [start] if array.ndim else None)


def _with_size(shape: Shape | None, axis: int | None, size: Dim) -> Shape | None:
    """A shape with another size at an axis; without any if the axis is unknown."""
    if shape is None:
        return None
    if axis is None:
        return (None,) * len(shape)
    return (*shape[:axis], size, *shape[axis + 1 :])


def _jitted(cx: Context, operation: str, value: Any) -> ShapedArray:
    """The operand of a function that JAX compiles: a Python scalar is an array there.

    Raises:
        NotArrayLikeError: (AttributeError at run time) for None and sequences, which JAX takes for trees of arrays.
    """
    if value is None or isinstance(value, tuple | list):
        what = "None" if value is None else type(value).__name__
        raise NotArrayLikeError(f"{operation} requires an array, got {what}; make one of it first", AttributeError)
    return as_operand(cx, value, operation)


@rule("lax.dynamic_index_in_dim")
def dynamic_index_in_dim(
    cx: Context, operand: Any, index: Any, axis: Any = 0, keepdims: Any = True, *, allow_negative_indices: Any = True
) -> ShapedArray:
    """`jax.lax.dynamic_index_in_dim`."""
    operation = "lax.dynamic_index_in_dim"
    check_hashable(operation, axis=axis, keepdims=keepdims, allow_negative_indices=allow_negative_indices)
    start = _start(cx, operation, index, as_flag(allow_negative_indices), traced=True)
    array = _jitted(cx, operation, operand)
    number = axis_in_list(operation, truncated_axis(operation, axis), array.ndim)
    part = _cut(operation, array, _with_size(array.shape, number, 1), [start] if array.ndim else None)
    keep = as_flag(keepdims)
    if keep or part.shape is None:
        return part
    if keep is None:
        return with_shape(array, None)
    number = canonicalize_axis(operation, axis, len(part.shape))
    return with_shape(array, (None,) * (len(part.shape) - 1) if number is None else without_axis(part.shape, number))


def _updated(
    operation: str, array: ShapedArray, update: ShapedArray, starts: Sequence[Start] | None, others: bool | None
) -> ShapedArray:
    """The array with a part of it replaced; `others` says whether the indices not among `starts` are weak."""
    shape = array.shape
    if shape is None:
        shape = None if update.shape is None else (None,) * len(update.shape)
    elif update.shape is not None and (len(update.shape) != len(shape) or any(map(exceeds, update.shape, shape))):
        raise ShapeError(
            f"{operation}: an update of shape {shape_tuple_str(update.shape)} is no part of an array of shape "
            f"{shape_tuple_str(shape)}"
        )
    _check_starts(operation, starts)
    dtype = same_dtype(operation, (array, update))
    weak = all_weak((array, update))
    for start in [others] if starts is None else [others, *(s.weak_type for s in starts)]:
        if start is False:
            weak = False
        elif start is None and weak:
            weak = None
    return ShapedArray(shape, dtype, weak)


@rule("lax.dynamic_update_slice")
def dynamic_update_slice(
    cx: Context, operand: Any, update: Any, start_indices: Any, *, allow_negative_indices: Any = True
) -> ShapedArray:
    """`jax.lax.dynamic_update_slice`: a weak type is kept if the indices are weak too, and not changed on the way."""
    operation = "lax.dynamic_update_slice"
    _check_sequence(operation, start_indices)
    array = shaped(cx, operand, operation)
    starts = _starts(cx, operation, array.ndim, start_indices, allow_negative_indices)
    new = as_operand(cx, update, operation, 1)
    return _updated(operation, array, new, starts, None if starts is None and array.ndim != 0 else True)


@rule("lax.dynamic_update_slice_in_dim")
def dynamic_update_slice_in_dim(
    cx: Context, operand: Any, update: Any, start_index: Any, axis: Any, *, allow_negative_indices: Any = True
) -> ShapedArray:
    """`jax.lax.dynamic_update_slice_in_dim`."""
    operation = "lax.dynamic_update_slice_in_dim"
    return _updated_in_dim(cx, operation, operand, update, start_index, axis, allow_negative_indices, traced=False)


def _updated_in_dim(
    cx: Context, operation: str, operand: Any, update: Any, index: Any, axis: Any, allow_negative: Any, *, traced: bool
) -> ShapedArray:
    given = truncated_axis(operation, axis)
    scalar = operand is None or is_python_scalar(operand)  # of which JAX asks the number of dimensions first
    array = ShapedArray((), None) if scalar else shaped(cx, operand, operation)
    axis_in_list(operation, given, array.ndim)
    start = _start(cx, operation, index, as_flag(allow_negative), traced=traced)
    new = as_operand(cx, update, operation, 1)
    others = None if array.ndim is None else array.ndim == 1  # the others are strong zeros
    return _updated(operation, array, new, [start], others)


@rule("lax.dynamic_update_index_in_dim")
def dynamic_update_index_in_dim(
    cx: Context, operand: Any, update: Any, index: Any, axis: Any, *, allow_negative_indices: Any = True
) -> ShapedArray:
    """`jax.lax.dynamic_update_index_in_dim`: an update without the dimension is given it, of size 1."""
    operation = "lax.dynamic_update_index_in_dim"
    check_hashable(operation, axis=axis, allow_negative_indices=allow_negative_indices)
    for value in (operand, update):
        if isinstance(value, tuple | list):
            raise DtypeError(f"{operation} requires arrays, got a {type(value).__name__}; make one of it first")
    array, new = _jitted(cx, operation, operand), _jitted(cx, operation, update)
    number = truncated_axis(operation, axis)
    shape = new.shape
    if shape is None or array.shape is None:
        new = with_shape(new, None)
    elif len(shape) != len(array.shape):
        if len(shape) + 1 != len(array.shape):
            raise ShapeError(
                f"{operation}: an update of {len(shape)} dimensions for an array of {len(array.shape)}; it has as "
                "many, or one less",
                AssertionError,
            )
        wide = (None,) * len(array.shape) if number is None else expanded(operation, shape, (number,))
        new = with_shape(new, wide)
    return _updated_in_dim(cx, operation, array, new, index, axis, allow_negative_indices, traced=True)
