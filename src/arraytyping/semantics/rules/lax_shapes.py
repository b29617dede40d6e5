"""Rules of the family: functions of `jax.lax` that broadcast an array, repeat it, or give it another shape.

Source: https://docs.jax.dev/en/latest/jax.lax.html; the shape rules of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import (
    UNKNOWN,
    Dim,
    NumPyArray,
    Scalar,
    Shape,
    ShapedArray,
    join_shapes,
    shape_tuple_str,
)
from arraytyping.semantics.rules.binary import promoted_shape
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, RuleError, ShapeError
from arraytyping.semantics.rules.lax_dimensions import as_ints, check_within
from arraytyping.semantics.rules.lax_operands import shaped
from arraytyping.semantics.rules.operands import as_dtype, as_operand, is_python_scalar
from arraytyping.semantics.rules.reshaping import squeeze as numpy_squeeze
from arraytyping.semantics.rules.shapes.broadcasting import stretched
from arraytyping.semantics.rules.shapes.reshaping import expanded, new_shape
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_shape, as_size, is_unknown, non_negative
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ, known_dim, multiply_dims

_WIDEST: Final = {"int": "int64", "float": "float64", "complex": "complex128"}


@rule("lax.broadcast")
def broadcast(cx: Context, operand: Any, sizes: Any, *, out_sharding: Any = None) -> ShapedArray:
    """`jax.lax.broadcast`: new dimensions before the others."""
    array = as_operand(cx, operand, "lax.broadcast")
    added = as_ints("lax.broadcast", "a size", sizes, 0)
    return with_shape(array, None if added is None or array.shape is None else added + array.shape)


@rule("lax.broadcast_in_dim")
def broadcast_in_dim(
    cx: Context, operand: Any, shape: Any, broadcast_dimensions: Any, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.lax.broadcast_in_dim`, which leaves an array of the rank asked for as it is if no dimensions are named."""
    operation = "lax.broadcast_in_dim"
    array = as_operand(cx, operand, operation)
    dims = as_ints(operation, "a dimension", broadcast_dimensions)
    rank, length = array.ndim, len(shape) if isinstance(shape, tuple | list) else None
    perhaps_array = not isinstance(operand, NumPyArray) and not is_python_scalar(operand)
    if length is not None and not dims and rank != 0 and perhaps_array and rank in (None, length):
        # It may be left as it is, whatever the sizes.
        if dims is not None and isinstance(operand, ShapedArray) and rank is not None:
            return array
        given = tuple([d if isinstance(d, int) else None for d in shape])
        return with_shape(array, (None,) * length if array.shape is None else join_shapes(array.shape, given))
    target = non_negative(operation, as_ints(operation, "a size of the shape", shape))
    return with_shape(array, None if target is None else _broadcast_in_dim(operation, array.shape, target, dims))


def _broadcast_in_dim(operation: str, shape: Shape | None, target: Shape, dims: Shape | None) -> Shape:
    """The shape asked for, with what the operand tells of it.

    Raises:
        ShapeError: (TypeError) if the dimensions or sizes do not fit.
    """
    if dims is not None and shape is not None and len(shape) != len(dims):
        raise ShapeError(
            f"{operation} broadcast_dimensions must have length equal to operand ndim; got {shape_tuple_str(dims)} "
            f"for operand ndim {len(shape)}"
        )
    if shape is not None and len(shape) > len(target):
        raise ShapeError(
            f"{operation} target broadcast shape must have equal or higher rank to the operand shape; got operand "
            f"shape {shape_tuple_str(shape)} and target broadcast shape {shape_tuple_str(target)}"
        )
    if any(isinstance(d, int) and not 0 <= d < len(target) for d in dims or ()):
        raise DimError(
            f"{operation} broadcast_dimensions must be a subset of output dimensions, got "
            f"{shape_tuple_str(dims or ())} for shape {shape_tuple_str(target)}",
            TypeError,
        )
    result = list(target)
    for size, dim in zip(shape or (), dims or ()):
        if not isinstance(dim, int) or not differ(size, 1):
            continue
        if differ(size, target[dim]):
            raise ShapeError(
                f"{operation} operand dimension sizes must either be 1, or be equal to their corresponding dimensions "
                f"in the target broadcast shape; got {size} for dimension {dim} of {shape_tuple_str(target)}"
            )
        result[dim] = known_dim((target[dim], size))
    numbers = [d for d in dims or () if isinstance(d, int)]
    if len(set(numbers)) < len(numbers):
        raise DimError(
            f"{operation} broadcast_dimensions must not contain duplicates, got {shape_tuple_str(dims or ())}",
            TypeError,
        )
    return tuple(result)


@rule("lax.broadcast_shapes")
def broadcast_shapes(cx: Context, *shapes: Any) -> Any:
    """`jax.lax.broadcast_shapes`; a single one is returned as it is, also an integer."""
    operation = "lax.broadcast_shapes"
    if not shapes:
        raise ShapeError(f"{operation}: at least one shape is required", AssertionError)
    if len(shapes) == 1:
        non_negative(operation, as_shape(operation, shapes[0]))
        return UNKNOWN if isinstance(shapes[0], ShapedArray | NumPyArray) else shapes[0]
    given = [as_ints(operation, "a size", s, 0) for s in shapes]
    shape = promoted_shape(operation, *given, exception=ValueError)
    return UNKNOWN if shape is None else tuple(Scalar("int") if d is None else d for d in shape)


@rule("lax.broadcast_to_rank")
def broadcast_to_rank(cx: Context, x: Any, rank: Any) -> ShapedArray:
    """`jax.lax.broadcast_to_rank`; an array of a higher rank stays as it is."""
    array = as_operand(cx, x, "lax.broadcast_to_rank")
    if (isinstance(rank, float) and array.ndim in (None, rank)) or rank == Scalar("float"):
        return array
    count = as_size("lax.broadcast_to_rank", "rank", rank)
    if array.shape is None or not isinstance(count, int):
        return with_shape(array, None)
    return with_shape(array, (1,) * (count - len(array.shape)) + array.shape)


@rule("lax.broadcast_like")
def broadcast_like(cx: Context, arr: Any, like_arr: Any) -> ShapedArray:
    """`jax.lax.broadcast_like`: the shape is that of the other array."""
    array, like = as_operand(cx, arr, "lax.broadcast_like"), as_operand(cx, like_arr, "lax.broadcast_like", 1)
    if array.shape is not None and like.shape is not None:
        stretched("lax.broadcast_like", array.shape, like.shape)
    return with_shape(array, like.shape)


@rule("lax.reshape")
def reshape(
    cx: Context, operand: Any, new_sizes: Any, dimensions: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.lax.reshape`, of the operand with its dimensions in another order; no size is left to be inferred."""
    operation = "lax.reshape"
    array = as_operand(cx, operand, operation)
    non_negative(operation, as_shape(operation, new_sizes))
    if dimensions is not None:
        given = (dimensions,) if is_python_scalar(dimensions) else dimensions
        order = as_ints(operation, "a dimension", given)
        rank = array.ndim
        if order is not None and rank is not None:
            check_within(operation, "a dimension", order, rank)
            if len(order) != rank:
                raise DimError(
                    f"{operation}: the dimensions are all {rank} of the operand in another order, got "
                    f"{shape_tuple_str(order)}",
                    TypeError,
                )
    return with_shape(array, new_shape(operation, array.shape, new_sizes, ValueError))


@rule("lax.squeeze")
def squeeze(cx: Context, array: Any, dimensions: Any) -> ShapedArray:
    """`jax.lax.squeeze`: the dimensions are named."""
    if as_ints("lax.squeeze", "a dimension", dimensions) is None:
        return with_shape(as_operand(cx, array, "lax.squeeze"), None)
    return numpy_squeeze(cx, array, dimensions)


@rule("lax.expand_dims")
def expand_dims(cx: Context, array: Any, dimensions: Any) -> ShapedArray:
    """`jax.lax.expand_dims`."""
    operand = as_operand(cx, array, "lax.expand_dims")
    if as_ints("lax.expand_dims", "a dimension", dimensions) is None or operand.shape is None:
        return with_shape(operand, None)
    return with_shape(operand, expanded("lax.expand_dims", operand.shape, dimensions))


@rule("lax.collapse")
def collapse(cx: Context, operand: Any, start_dimension: Any, stop_dimension: Any = None) -> ShapedArray:
    """`jax.lax.collapse`: a range of dimensions, given as a slice has it, becomes one; an empty range one of size 1."""
    array = shaped(cx, operand, "lax.collapse")
    bounds = [
        d if d is None or is_unknown(d) else as_size("lax.collapse", "a bound", d)
        for d in (start_dimension, stop_dimension)
    ]
    unknown = any(
        given is not None and not isinstance(b, int) for given, b in zip((start_dimension, stop_dimension), bounds)
    )
    if array.shape is None or unknown:
        return with_shape(array, None)
    first, last, _ = slice(*bounds).indices(len(array.shape))
    if last < first:
        raise DimError(
            f"lax.collapse: the range of dimensions {start_dimension}:{stop_dimension} of an array of "
            f"{len(array.shape)} dimensions ends before it starts"
        )
    return with_shape(array, (*array.shape[:first], multiply_dims(array.shape[first:last]), *array.shape[last:]))


@rule("lax.tile")
def tile(cx: Context, operand: Any, reps: Any) -> ShapedArray:
    """`jax.lax.tile`: one number of repetitions for each dimension."""
    array = as_operand(cx, operand, "lax.tile")
    counts = as_ints("lax.tile", "a number of repetitions", reps)
    shape = array.shape
    if counts is None:
        return with_shape(array, None if shape is None else (None,) * len(shape))
    sizes: Shape = (None,) * len(counts) if shape is None else shape
    if len(counts) != len(sizes):
        raise ShapeError(
            f"lax.tile: {len(counts)} numbers of repetitions for an array of {len(sizes)} dimensions; give one for each"
        )
    if any(isinstance(c, int) and c < 0 for c in counts):
        raise ShapeError(f"lax.tile: repetitions are not negative, got {shape_tuple_str(counts)}", ValueError)
    return with_shape(array, tuple([multiply_dims(pair) for pair in zip(sizes, counts)]))


@rule("lax.empty")
def empty(cx: Context, shape: Any, dtype: Any, *, out_sharding: Any = None) -> ShapedArray:
    """`jax.lax.empty`, which takes a dtype as it is, also one of 64 bits while x64 is off."""
    if isinstance(shape, list):
        raise RuleError("lax.empty: a list is no shape; give a tuple")
    dims: tuple[Dim, ...] | None = non_negative("lax.empty", as_shape("lax.empty", shape), ValueError)
    name = "float64" if dtype is None else as_dtype(dtype, "lax.empty")
    return ShapedArray(dims, _WIDEST.get(name, name) if name is not None else None, False)
