"""Sequences of sizes or dimensions, and single dimensions, as the functions of `jax.lax` take them.

They take fewer forms than those of `jax.numpy`: an integer is no sequence of one, and a dimension often counts from
the first one only.

Source: `_check_shapelike` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.static_arguments import as_size

__all__ = ["as_ints", "axis_in_list", "check_within", "truncated_axis"]

MOST = 100
"""The most integers of unknown value that are told apart."""


def as_ints(operation: str, name: str, value: Any, least: int | None = None) -> Shape | None:
    """The integers of a sequence, each of which may be unknown; None if it is not known how many they are.

    Raises:
        DimError: (TypeError) for what is no sequence of integers, and for one that is less than `least`.
    """
    if type(value) is tuple and all(type(d) is int for d in value):
        ints: Shape = value
    elif value is UNKNOWN:
        return None
    elif isinstance(value, ShapedArray | NumPyArray):
        shape = value.shape
        if shape == ():
            raise DimError(f"{operation}: {name} is one of a sequence, got {value}; give a tuple", TypeError)
        if shape is None or len(shape) > 1 or not isinstance(shape[0], int) or shape[0] > MOST:
            return None
        return (None,) * shape[0]
    elif isinstance(value, Sequence):
        ints = tuple([as_size(operation, name, d) for d in value])
    elif isinstance(value, Scalar | SymbolicDim | bool | int | float | complex | None):
        raise DimError(f"{operation}: {name} is one of a sequence, got {value}; give a tuple", TypeError)
    else:
        return None
    if least is not None and any(isinstance(d, int) and d < least for d in ints):
        raise DimError(f"{operation}: {name} is at least {least}, got {shape_tuple_str(ints)}", TypeError)
    return ints


def check_within(operation: str, name: str, dims: Shape, rank: int) -> None:
    """Check that dimensions are some of so many, counted from 0, and that none is given twice.

    Raises:
        DimError: (TypeError) if not.
    """
    known = [d for d in dims if isinstance(d, int)]
    if any(not 0 <= d < rank for d in known):
        raise DimError(f"{operation}: {name} is from 0 to {rank - 1}, got {shape_tuple_str(dims)}", TypeError)
    if len(set(known)) < len(known):
        raise DimError(f"{operation}: {name} is given twice, got {shape_tuple_str(dims)}", TypeError)


def truncated_axis(operation: str, axis: Any) -> int | None:
    """An axis of which JAX takes `int(axis)`, which turns 1.0 into 1; None if unknown.

    Raises:
        DimError: if it does not convert (`TypeError` or `ValueError`).
    """
    if type(axis) is int:
        return axis
    if isinstance(axis, float | str):
        try:
            return int(axis)
        except (ValueError, OverflowError) as error:
            raise DimError(f"{operation}: axis must be an integer, got {axis!r}; give an int", type(error)) from None
    if isinstance(axis, Scalar) and axis.kind == "float":
        return None
    size: Dim = as_size(operation, "axis", axis)
    return size if isinstance(size, int) else None


def axis_in_list(operation: str, axis: int | None, rank: int | None) -> int | None:
    """An axis by which JAX subscripts a list of all axes; None if it or the rank is unknown.

    Raises:
        DimError: (IndexError) if there is none of this number.
    """
    if rank == 0 or (axis is not None and rank is not None and not -rank <= axis < rank):
        raise DimError(
            f"{operation}: an array of {rank} dimensions has no axis {'to name' if axis is None else axis}", IndexError
        )
    return None if axis is None or rank is None else axis % rank
