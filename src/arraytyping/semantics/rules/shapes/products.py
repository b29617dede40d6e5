"""The shapes of products of arrays: those that sum over dimensions which two share, and outer ones.

Source: https://numpy.org/doc/stable/reference/routines.linalg.html and
https://data-apis.org/array-api/latest/API_specification/linear_algebra_functions.html.
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
    SymbolicDim,
    dim_str,
    shape_tuple_str,
)
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.sizes import size_dim
from arraytyping.semantics.sizes.dims import differ, multiply_dims

__all__ = [
    "check_contracted", "cross_part", "crossed", "dot_product", "inner_product", "kronecker_product", "matrix_product",
    "outer_product",
    "pairs_of_axes", "tensor_product", "vector_product",
]  # fmt: skip


def check_contracted(
    operation: str, a: Shape, b: Shape, axes: Sequence[tuple[int, int]], exception: type[Exception] = TypeError
) -> None:
    """Refuse contracted dimensions, given as pairs of an axis of `a` and one of `b`, whose sizes differ.

    Raises:
        ShapeError: naming the dimensions and their sizes.
    """
    for i, j in axes:
        if differ(a[i], b[j]):
            raise ShapeError(
                f"{operation}: contracted dimensions differ: dimension {i % len(a)} of {shape_tuple_str(a)} is "
                f"{dim_str(a[i])}, dimension {j % len(b)} of {shape_tuple_str(b)} is {dim_str(b[j])}; "
                "they must be equal",
                exception,
            )


def _broadcast(operation: str, a: Shape, a_batch: Shape, b: Shape, b_batch: Shape) -> Shape:
    """The dimensions that are not contracted, broadcast; a clash is a ValueError, unlike in elementwise operations."""
    try:
        batch = broadcast_shapes(operation, a_batch, b_batch)
    except ShapeError as error:
        shapes = f"{shape_tuple_str(a)} and {shape_tuple_str(b)}"
        raise ShapeError(f"{error.message}, the batch dimensions of {shapes}", ValueError) from None
    assert batch is not None
    return batch


def dot_product(operation: str, a: Shape | None, b: Shape | None) -> Shape | None:
    """The shape of `dot`: it sums over the last dimension of the one and the last but one of the other.

    Raises:
        ShapeError: (TypeError) if their sizes differ.
    """
    if a is None or b is None:
        return None
    if not a or not b:
        return a + b
    j = max(len(b) - 2, 0)
    check_contracted(operation, a, b, [(len(a) - 1, j)])
    return a[:-1] + b[:j] + b[j + 1 :]


def matrix_product(operation: str, a: Shape | None, b: Shape | None) -> Shape | None:
    """The shape of products of matrices, for each of the leading dimensions broadcast; a vector is a row or a column.

    Raises:
        DimError: if an operand has no dimensions.
        ShapeError: if the sizes do not fit; (ValueError) if the leading dimensions do not.
    """
    for position, shape in enumerate((a, b)):
        if shape == ():
            raise DimError(
                f"{operation}: operand {position} has no dimensions, and at least one is needed; multiply by a scalar "
                "with *"
            )
    if a is None or b is None:
        return None
    batch = _broadcast(operation, a, a[:-2], b, b[:-2])
    check_contracted(operation, a, b, [(len(a) - 1, max(len(b) - 2, 0))])
    return batch + a[-2:-1] + (b[-1:] if len(b) > 1 else ())


def vector_product(
    operation: str, a: Shape | None, b: Shape | None, i: int | None, j: int | None, kept: tuple[int, int] = (0, 0)
) -> Shape | None:
    """The shape of products of vectors along an axis of each, for each of the other dimensions broadcast.

    `kept` says of which one the vectors are those of a matrix, whose other dimension comes last: that before the axis
    of the first, that behind the axis of the second.

    Raises:
        DimError: if an operand has too few dimensions.
        ShapeError: (ValueError) if the sizes do not fit.
    """
    for position, shape in enumerate((a, b)):
        least = 1 + kept[position]
        if shape is not None and len(shape) < least:
            raise DimError(
                f"{operation}: operand {position} has shape {shape_tuple_str(shape)}, and at least {least} "
                f"dimension{'s are' if least > 1 else ' is'} needed",
                ValueError if any(kept) else IndexError,
            )
    if a is None or b is None:
        return None
    if i is None or j is None:
        return (None,) * (max(len(a), len(b)) - 1)
    check_contracted(operation, a, b, [(i, j)], ValueError)
    if not any(kept):
        return _broadcast(operation, a, a[:i] + a[i + 1 :], b, b[:j] + b[j + 1 :])
    batch = _broadcast(operation, a, a[: len(a) - 1 - kept[0]], b, b[: len(b) - 1 - kept[1]])
    return (*batch, a[-2] if kept[0] else b[-1])


def outer_product(a: Shape | None, b: Shape | None) -> tuple[Dim, Dim]:
    """The shape of each element of one array times each of the other, both flattened."""
    return size_dim(a), size_dim(b)


def kronecker_product(a: Shape | None, b: Shape | None) -> Shape | None:
    """The shape of each element of one array times all of the other, laid out in blocks."""
    if a is None or b is None:
        return None
    rank = max(len(a), len(b))
    return tuple(map(multiply_dims, zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b)))


def pairs_of_axes(operation: str, axes: Any, a: int | None, b: int | None) -> list[tuple[int, int]] | int | None:
    """The pairs of axes that arrays of these ranks are contracted over; only how many; None if not even that is known.

    Raises:
        DimError: for axes that do not fit these ranks, or are none.
    """
    if _unknown(axes):
        return None
    if type(axes) is int:
        if any(rank is not None and axes > rank for rank in (a, b)):
            raise DimError(
                f"{operation}: {axes} axes to contract are more than an operand has, of ranks "
                f"{' and '.join('?' if rank is None else str(rank) for rank in (a, b))}",
                TypeError,
            )
        return None if a is None or b is None else [(a - axes + k, k) for k in range(axes)]
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
    i = [None if isinstance(k, NumPyArray) else canonicalize_axis(operation, k, a) for k in first]
    j = [None if isinstance(k, NumPyArray) else canonicalize_axis(operation, k, b) for k in second]
    pairs = [(p, q) for p, q in zip(i, j) if p is not None and q is not None]
    return pairs if len(pairs) == len(first) else len(first)


def _unknown(value: Any) -> bool:
    """Whether this may be an integer, or what else `axes` may hold, of unknown value."""
    return (
        value is UNKNOWN
        or isinstance(value, SymbolicDim)
        or (isinstance(value, Scalar) and value.kind in ("bool", "int"))
    )


def tensor_product(
    operation: str, a: Shape | None, b: Shape | None, pairs: list[tuple[int, int]] | int | None
) -> Shape | None:
    """The shape of a product contracted over pairs of axes: what is left of the one, then of the other.

    Raises:
        DimError: (TypeError) if an axis is given twice.
        ShapeError: (TypeError) if sizes differ.
    """
    if pairs is None or a is None or b is None:
        return None
    if isinstance(pairs, int):
        rank = len(a) + len(b) - 2 * pairs
        return (None,) * rank if rank >= 0 else None
    for name, numbers in (("first", [i for i, _ in pairs]), ("second", [j for _, j in pairs])):
        if len(set(numbers)) < len(numbers):
            raise DimError(f"{operation}: an axis of the {name} operand is given twice: {numbers}", TypeError)
    check_contracted(operation, a, b, pairs)
    left = tuple(d for i, d in enumerate(a) if i not in [p for p, _ in pairs])
    return left + tuple(d for j, d in enumerate(b) if j not in [q for _, q in pairs])


def inner_product(operation: str, a: Shape | None, b: Shape | None) -> Shape | None:
    """The shape of a product that sums over the last dimensions; by an array without any it is an elementwise one.

    Raises:
        ShapeError: (TypeError) if their sizes differ.
    """
    if a is None or b is None:
        return None
    return tensor_product(operation, a, b, [(len(a) - 1, len(b) - 1)] if a and b else [])


def cross_part(operation: str, shape: Shape | None, axis: int | None) -> tuple[Dim, Shape | None]:
    """The number of components of vectors along an axis, and the shape without it.

    Raises:
        ShapeError: (ValueError) if there are neither 2 nor 3.
    """
    if shape is None or axis is None:
        return None, None if shape is None else (None,) * (len(shape) - 1)
    size = shape[axis]
    if differ(size, 2) and differ(size, 3):
        raise ShapeError(
            f"{operation}: dimension {axis} of {shape_tuple_str(shape)} is {size}; it must be 2 or 3", ValueError
        )
    return size, shape[:axis] + shape[axis + 1 :]


def crossed(
    operation: str, a: tuple[Dim, Shape | None], b: tuple[Dim, Shape | None], axis: Any, vectors_of_3: bool = False
) -> tuple[Shape | None, Shape | None, bool | None]:
    """The shape that parts have as numbers, as vectors along an axis, and whether the cross product is of vectors.

    It is one number where both vectors have 2 components.

    Raises:
        ShapeError: if the other dimensions do not broadcast.
        DimError: if the result has no such axis.
    """
    rest: Shape | None = None
    if a[1] is not None and b[1] is not None:
        same_rank = len(a[1]) == len(b[1])  # only then does JAX leave the check to its primitive
        rest = broadcast_shapes(operation, a[1], b[1], exception=TypeError if same_rank else ValueError)
    if a[0] == b[0] == 2 and not vectors_of_3:
        return rest, None, False
    certain = vectors_of_3 or 3 in (a[0], b[0])
    try:
        vectors = _with_components(operation, rest, axis)
    except DimError:
        if certain:
            raise
        return rest, None, False
    return rest, vectors, True if certain else None


def _with_components(operation: str, rest: Shape | None, axis: Any) -> Shape | None:
    """The shape with a dimension of 3 put in."""
    number = canonicalize_axis(operation, axis, None if rest is None else len(rest) + 1)
    if rest is None or number is None:
        return None if rest is None else (None,) * (len(rest) + 1)
    return (*rest[:number], 3, *rest[number:])
