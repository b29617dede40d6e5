"""Static arguments that are no axes and no dtypes: flags, integers, sizes, and shapes.

Source: `canonicalize_shape` and `concrete_or_error` of https://github.com/jax-ml/jax/blob/main/jax/_src/core.py;
JAX takes whatever `operator.index` takes, also an integer array of rank 0 that is not traced.
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
from arraytyping.semantics.rules.dtype_kinds import ANY_INTEGER
from arraytyping.semantics.rules.errors import DimError, IntegerError, ShapeError

__all__ = ["as_flag", "as_index", "as_shape", "as_size", "as_sizes", "is_constant", "is_unknown", "non_negative"]


def as_flag(value: Any) -> bool | None:
    """Whether a flag is set, by its truth as Python sees it; None if unknown."""
    if value is UNKNOWN or isinstance(value, Scalar | SymbolicDim | ShapedArray | NumPyArray):
        return None
    return bool(value)


def as_size(operation: str, name: str, value: Any) -> Dim:
    """An integer argument that is a size, or is compared with one; None if unknown.

    Raises:
        IntegerError: for what is no integer.
    """
    if isinstance(value, int):
        return int(value)
    if isinstance(value, SymbolicDim):
        return value
    if value is UNKNOWN or (isinstance(value, Scalar) and value.kind in ("bool", "int")):
        return None
    if isinstance(value, ShapedArray | NumPyArray) and not value.shape and value.dtype in (None, *ANY_INTEGER):
        held = value.value if isinstance(value, ShapedArray) else None
        return held if isinstance(held, int) else None
    shown = value if isinstance(value, str | int | float | complex | type(None)) else str(value)
    raise IntegerError(f"{operation}: {name} must be an integer, got {shown!r}; give an int")


def as_index(operation: str, name: str, value: Any) -> int | None:
    """An integer argument as a number; None if it is not known as one.

    Raises:
        DimError: (TypeError) for what is no integer.
    """
    size = as_size(operation, name, value)
    return size if isinstance(size, int) else None


def as_shape(operation: str, shape: Any) -> Shape | None:
    """A shape argument: one size, or a sequence of them, which may be an array of rank 1; None if its rank is unknown.

    Raises:
        ShapeError: (TypeError) for what is no shape.
    """
    if shape is UNKNOWN or (isinstance(shape, ShapedArray | NumPyArray) and shape.shape is None):
        return None
    if isinstance(shape, ShapedArray | NumPyArray) and shape.shape:
        sizes = shape.shape[0]
        if len(shape.shape) > 1 or (shape.dtype not in (None, *ANY_INTEGER) and sizes != 0):
            raise ShapeError(f"{operation}: a shape is an int or a sequence of ints, got {shape}; give a tuple")
        return (None,) * sizes if isinstance(sizes, int) and sizes <= 100 else None
    entries = tuple(shape) if isinstance(shape, tuple | list) else (shape,)
    try:
        return tuple(as_size(operation, "a size", entry) for entry in entries)
    except DimError as error:
        raise ShapeError(f"{error.message}, or a tuple of ints", TypeError) from None


def non_negative(operation: str, shape: Shape | None, exception: type[Exception] = TypeError) -> Shape | None:
    """The same shape.

    Raises:
        ShapeError: if a size is known to be negative.
    """
    if shape is not None and any(isinstance(d, int) and d < 0 for d in shape):
        raise ShapeError(f"{operation}: sizes must not be negative, got {shape_tuple_str(shape)}", exception)
    return shape


def is_unknown(value: Any) -> bool:
    """Whether nothing at all is known of an argument."""
    return value is UNKNOWN


def is_constant(value: Any) -> bool:
    """Whether an argument such as the order of a norm is a constant, with which one can compare."""
    return value is None or isinstance(value, int | float | complex | str)


def as_sizes(operation: str, name: str, value: Any) -> tuple[Dim, ...] | None:
    """One integer or several, which may be an array of rank 1; None if it is not known how many.

    Raises:
        DimError: (TypeError) for what is no integer.
    """
    if is_unknown(value) or (isinstance(value, ShapedArray | NumPyArray) and value.shape is None):
        return None
    if isinstance(value, ShapedArray | NumPyArray) and value.shape:
        count = value.shape[0]
        return (None,) * count if len(value.shape) == 1 and isinstance(count, int) and count <= 100 else None
    entries = tuple(value) if isinstance(value, tuple | list) else (value,)
    return tuple(as_size(operation, name, entry) for entry in entries)
