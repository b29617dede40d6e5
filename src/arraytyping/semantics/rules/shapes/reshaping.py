"""The shapes of arrays that keep their elements in order: reshaped, with dimensions of size 1 put in or taken out.

Source: https://data-apis.org/array-api/latest/API_specification/manipulation_functions.html.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.semantics.avals import Dim, Shape, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.static_arguments import as_sizes
from arraytyping.semantics.sizes.dims import (
    as_dim,
    at_least as is_at_least,
    differ,
    divides_never,
    multiply_dims,
    of_dim,
)
from arraytyping.semantics.sizes.operations import floor_division

__all__ = ["at_least", "expanded", "new_shape", "resized", "squeezed"]


def new_shape(operation: str, shape: Shape | None, new: Any, exception: type[Exception] = TypeError) -> Shape | None:
    """The shape that an array of a shape is given by the argument `new`, which may hold one -1.

    Raises:
        ShapeError: if the number of elements certainly differs.
    """
    dims = as_sizes(operation, "a size of the shape", new)
    if dims is None:
        return None
    if dims.count(-1) > 1:
        raise ShapeError(
            f"{operation}: the shape {_asked(dims)} has -1 more than once; only one size can be inferred", exception
        )
    known = math.prod(d for d in dims if isinstance(d, int) and d != -1)
    if known == 0 and -1 in dims:
        raise ShapeError(
            f"{operation}: the -1 in {_asked(dims)} cannot be inferred beside a size of 0; give the size itself",
            ZeroDivisionError if exception is TypeError else exception,
        )
    if any(isinstance(d, int) and d < -1 for d in dims):
        raise ShapeError(f"{operation}: sizes are not negative, got the shape {_asked(dims)}", exception)
    if shape is None:
        return tuple(None if d == -1 else d for d in dims)
    if not _may_fit(shape, dims):
        raise ShapeError(
            f"{operation}: cannot reshape an array of shape {shape_tuple_str(shape)} into {_asked(dims)}: "
            "the number of elements differs",
            exception,
        )
    if -1 in dims:
        i = dims.index(-1)
        return (*dims[:i], _quotient(shape, dims[:i] + dims[i + 1 :]), *dims[i + 1 :])
    if dims.count(None) == 1:
        # An integer of unknown value: it is what is left over, or -1, which comes to the same.
        i = dims.index(None)
        others = dims[:i] + dims[i + 1 :]
        if is_at_least(multiply_dims(others), 1):
            return (*dims[:i], _quotient(shape, others), *dims[i + 1 :])
    return dims


def _may_fit(shape: Shape, dims: Shape) -> bool:
    """Whether the elements of a shape may be those of another; a -1 in `dims`, as any unknown size, is free."""
    sizes = tuple(None if d == -1 else d for d in dims)
    for a, b in ((shape, sizes), (sizes, shape)):
        if all(isinstance(d, int) for d in a):
            size, known = math.prod(d for d in a if isinstance(d, int)), math.prod(d for d in b if isinstance(d, int))
            if all(isinstance(d, int) for d in b):
                return size == known
            if size == 0:
                return -1 not in dims or known != 0
            return known != 0 and size % known == 0
    size_before, size_after = multiply_dims(shape), multiply_dims(d for d in dims if d != -1)
    return not (divides_never(size_after, size_before) if -1 in dims else differ(size_before, size_after))


def _quotient(shape: Shape, others: Shape) -> Dim:
    """The size that is left for a -1 beside `others`, of which none is 0."""
    left = list(shape)
    remaining: list[Dim] = []
    for dim in others:
        if dim is not None and not isinstance(dim, int) and dim in left:
            left.remove(dim)
        else:
            remaining.append(dim)
    if 0 in shape:
        return 0
    total, known = multiply_dims(left), multiply_dims(remaining)
    if isinstance(total, int) and isinstance(known, int):
        return total // known
    size, divisor = of_dim(total), of_dim(known)
    if size is None or divisor is None:
        return None
    # There is neither a rest nor a 0 to divide by, or JAX would refuse.
    return as_dim(floor_division(size, divisor, positive=True))


def _asked(dims: Shape) -> str:
    return shape_tuple_str(dims)


def squeezed(operation: str, shape: Shape | None, axis: Any) -> Shape | None:
    """A shape without its dimensions of size 1, or without some that are named.

    Raises:
        DimError: if there is no such axis, or one is named twice.
        ShapeError: (ValueError) if one certainly has another size.
    """
    if axis is None:
        # A size that is unknown, even one that has a name, may be 1: then not even the rank is known.
        if shape is None or not all(isinstance(d, int) for d in shape):
            return None
        return tuple(d for d in shape if d != 1)
    given = as_sizes(operation, "an axis", axis)
    if given is None or shape is None:
        return None
    axes = [canonicalize_axis(operation, a, len(shape)) for a in given if isinstance(a, int)]
    numbers = [n for n in axes if n is not None]
    if len(set(numbers)) < len(numbers):
        raise DimError(f"{operation}: an axis is given twice in {shape_tuple_str(given)}; name each axis once")
    for n in numbers:
        if differ(shape[n], 1):
            raise ShapeError(
                f"{operation}: axis {n} of an array of shape {shape_tuple_str(shape)} has size {shape[n]}, not 1; "
                "only dimensions of size 1 can be removed",
                ValueError,
            )
    if len(given) > len(shape):
        raise DimError(f"{operation}: {len(given)} axes are given for an array of {len(shape)} dimensions")
    if len(numbers) < len(given):
        return (None,) * (len(shape) - len(given))
    return tuple(d for i, d in enumerate(shape) if i not in numbers)


def expanded(operation: str, shape: Shape | None, axes: Any) -> Shape | None:
    """A shape with new dimensions of size 1 at the axes (of the result); None if their number is unknown.

    Raises:
        DimError: if the result has no such axis, or one is named twice.
    """
    given = as_sizes(operation, "an axis", axes)
    if given is None or shape is None:
        return None
    rank = len(shape) + len(given)
    numbers = [canonicalize_axis(operation, a, rank) for a in given if isinstance(a, int)]
    if len(set(numbers)) < len(numbers):
        raise DimError(f"{operation}: an axis is given twice in {shape_tuple_str(given)}; name each axis once")
    if len(numbers) < len(given):
        return (None,) * rank
    rest = iter(shape)
    return tuple(1 if i in numbers else next(rest) for i in range(rank))


def at_least(shape: Shape | None, rank: int) -> Shape | None:
    """A shape brought to at least a rank, as `atleast_1d` to `atleast_3d` do."""
    if shape is None or len(shape) >= rank:
        return shape
    if rank == 3:  # a row becomes (1, n, 1), a matrix (m, n, 1)
        return {0: (1, 1, 1), 1: (1, *shape, 1), 2: (*shape, 1)}[len(shape)]
    return (1,) * (rank - len(shape)) + shape


def resized(operation: str, new: Any) -> Shape | None:
    """The shape that an array is given, whose elements are repeated or cut off.

    Raises:
        ShapeError: (ValueError) if a size is negative.
    """
    dims = as_sizes(operation, "a size of the shape", new)
    if dims is not None and any(isinstance(d, int) and d < 0 for d in dims):
        raise ShapeError(f"{operation}: sizes are not negative, got the shape {shape_tuple_str(dims)}", ValueError)
    return dims
