"""What the dimension numbers of a gather and of a scatter have in common, and the modes of both.

Source: `_gather_shape_rule` and `_scatter_shape_rule` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/slicing.py; https://openxla.org/stablehlo/spec#gather.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Shape, shape_tuple_str
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.lax_dimensions import as_ints
from arraytyping.semantics.rules.lax_operands import NOT_INTEGER
from arraytyping.semantics.rules.refusals import refuse
from arraytyping.semantics.rules.selecting import GATHER_MODES
from arraytyping.semantics.sizes.dims import differ

__all__ = [
    "Ints",
    "check_batching",
    "check_index_map",
    "check_integers",
    "check_mode",
    "check_once",
    "check_sorted",
    "check_vectors",
    "kind_of",
    "read_dimension_numbers",
]

Ints = tuple[int, ...]


def read_dimension_numbers(operation: str, numbers: Any, *fields: str) -> tuple[Ints, ...] | None:
    """The fields of dimension numbers, all of them known; None if one is not.

    Raises:
        RuleError: for what has no such fields (AttributeError), and for fields that are no sequences of integers or
            cannot be hashed (TypeError).
    """
    if numbers is UNKNOWN:
        return None
    # A checker tells a tuple of a class of its own by its items alone.
    given_in_order = numbers if type(numbers) is tuple and len(numbers) == len(fields) else None
    read: list[Ints] = []
    known = True
    for i, field in enumerate(fields):
        if given_in_order is None and not hasattr(numbers, field):
            raise RuleError(
                f"{operation}: the dimension numbers have a field {field}, got {numbers!r}; give a "
                f"{'Gather' if 'offset_dims' in fields else 'Scatter'}DimensionNumbers",
                AttributeError,
            )
        given = getattr(numbers, field) if given_in_order is None else given_in_order[i]
        dims = as_ints(operation, f"a dimension of {field}", given)
        if isinstance(given, list):
            raise DimError(f"{operation}: {field} is a list, which cannot be hashed; give a tuple", TypeError)
        known = known and dims is not None and all(isinstance(d, int) for d in dims)
        read.append(dims or ())  # type: ignore[arg-type]
    return tuple(read) if known else None


def kind_of(operation: str) -> str:
    """Which of the two it is, as the sentences name it."""
    return "gather" if operation == "lax.gather" else "scatter"


def check_once(operation: str, name: str, dims: Ints) -> None:
    """Check that each dimension is given once.

    Raises:
        DimError: (TypeError) if not.
    """
    if len(set(dims)) < len(dims):
        raise DimError(
            f"{operation}: {name} in {kind_of(operation)} op must not repeat, got {shape_tuple_str(dims)}", TypeError
        )


def check_sorted(operation: str, name: str, dims: Ints, rank: int | None) -> None:
    """Check that dimensions ascend, each given once, among so many.

    Raises:
        DimError: (TypeError) if not.
    """
    if list(dims) != sorted(dims):
        raise DimError(
            f"{operation}: {name} in {kind_of(operation)} op must be sorted, got {shape_tuple_str(dims)}", TypeError
        )
    check_once(operation, name, dims)
    _check_range(operation, name, dims, rank)


def _check_range(operation: str, name: str, dims: Ints, rank: int | None) -> None:
    if any(d < 0 or (rank is not None and d >= rank) for d in dims):
        raise DimError(
            f"{operation}: Invalid {name} set in {kind_of(operation)} op; valid range is [0, "
            f"{'rank' if rank is None else rank}), got {shape_tuple_str(dims)}",
            TypeError,
        )


def check_vectors(operation: str, indices: Shape | None) -> None:
    """Check that there are index vectors, along the last dimension of the indices.

    Raises:
        DimError: (TypeError) if not.
    """
    if indices == ():
        raise DimError(
            f"{operation}: the indices have a last dimension, that of the index vectors; got none", TypeError
        )


def check_index_map(operation: str, name: str, dims: Ints, rank: int | None, indices: Shape | None) -> None:
    """Check the dimensions that the components of an index vector index, one for each.

    Raises:
        DimError: (TypeError) if they are none of the operand's, or as many as the last dimension of the indices has.
    """
    if indices is not None and differ(indices[-1], len(dims)):
        raise DimError(
            f"{operation}: {kind_of(operation).capitalize()} op has {len(dims)} elements in {name} and the bound of "
            f"dimension index_vector_dim={len(indices) - 1} of indices is {indices[-1]}. These two numbers must be "
            "equal.",
            TypeError,
        )
    mapping = "" if kind_of(operation) == "gather" else " mapping"
    for i, d in enumerate(dims):
        if d < 0 or (rank is not None and d >= rank):
            raise DimError(
                f"{operation}: Invalid {name}{mapping}; domain is [0, {'rank' if rank is None else rank}), got: "
                f"{i}->{d}.",
                TypeError,
            )
    check_once(operation, name, dims)


def check_batching(
    operation: str, batching: Ints, name: str, indices_batching: Ints, others: dict[str, Ints], shape: Shape | None,
    indices: Shape | None
) -> None:  # fmt: skip
    """Check the dimensions that operand and indices go through together; `others` are taken by something else.

    Raises:
        DimError: (TypeError) if they overlap with others, or there is no such pair.
        ShapeError: (TypeError) if the sizes of a pair differ.
    """
    kind = kind_of(operation)
    check_sorted(operation, "operand_batching_dims", batching, None if shape is None else len(shape))
    for other, dims in others.items():
        if not set(dims).isdisjoint(batching):
            raise DimError(
                f"{operation}: {other} and operand_batching_dims in {kind} op must be disjoint, got "
                f"{shape_tuple_str(dims)} and {shape_tuple_str(batching)}",
                TypeError,
            )
    check_once(operation, name, indices_batching)
    _check_range(operation, name, indices_batching, None if indices is None else len(indices))
    if indices is not None and len(indices) - 1 in indices_batching:
        raise DimError(
            f"{operation}: {kind.capitalize()} op cannot have the index vector dimension as a batching dimension, got "
            f"{shape_tuple_str(indices_batching)}",
            TypeError,
        )
    if len(batching) != len(indices_batching):
        raise DimError(
            f"{operation}: {kind.capitalize()} op requires equal numbers of operand_batching_dims and {name}, got "
            f"{shape_tuple_str(batching)} and {shape_tuple_str(indices_batching)}",
            TypeError,
        )
    for i, j in zip(batching, indices_batching):
        if shape is not None and indices is not None and differ(shape[i], indices[j]):
            raise ShapeError(
                f"{operation}: {kind.capitalize()} op requires operand batching dimensions and indices batching "
                f"dimensions to have the same shape, but dimension {i} of the operand has size {shape[i]}, dimension "
                f"{j} of the indices {indices[j]}"
            )


def check_mode(operation: str, mode: Any) -> None:
    """Refuse a mode that JAX does not know; an object that is no Python value may be one of its enumeration.

    Raises:
        RuleError: (ValueError) for a wrong one.
    """
    if mode is None or (isinstance(mode, str) and mode in GATHER_MODES):
        return
    if isinstance(mode, str | bool | int | float | complex | tuple | list):
        raise RuleError(f"{operation}: mode is one of {', '.join(GATHER_MODES)}, got {mode!r}", ValueError)


def check_integers(operation: str, dtype: str | None) -> None:
    """Refuse indices that are no integers.

    Raises:
        DtypeError: (ValueError) naming the dtype.
    """
    try:
        refuse(f"{operation}, for its indices,", dtype, (NOT_INTEGER,))
    except DtypeError as error:
        raise DtypeError(error.message, ValueError) from None
