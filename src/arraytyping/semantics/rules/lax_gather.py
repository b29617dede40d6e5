"""The rule of `jax.lax.gather`.

Source: `_gather_shape_rule` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/slicing.py;
https://openxla.org/stablehlo/spec#gather.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import Dim, Shape, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.lax_index_dimensions import (
    Ints,
    check_batching,
    check_index_map,
    check_integers,
    check_mode,
    check_sorted,
    check_vectors,
    read_dimension_numbers,
)
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_shape
from arraytyping.semantics.rules.table import rule

_FIELDS = (
    "offset_dims",
    "collapsed_slice_dims",
    "start_index_map",
    "operand_batching_dims",
    "start_indices_batching_dims",
)


@rule("lax.gather")
def gather(
    cx: Context,
    operand: Any,
    start_indices: Any,
    dimension_numbers: Any,
    slice_sizes: Any,
    *,
    unique_indices: Any = False,
    indices_are_sorted: Any = False,
    mode: Any = None,
    fill_value: Any = None,
) -> ShapedArray:
    """`jax.lax.gather`."""
    operation = "lax.gather"
    array, indices = as_operand(cx, operand, operation), as_operand(cx, start_indices, operation, 1)
    check_mode(operation, mode)
    sizes = as_shape(operation, slice_sizes)
    numbers = read_dimension_numbers(operation, dimension_numbers, *_FIELDS)
    result = None if numbers is None else _gathered(operation, array.shape, indices.shape, sizes, *numbers)
    check_integers(operation, indices.dtype)
    return with_shape(array, result)


def _gathered(
    operation: str,
    shape: Shape | None,
    indices: Shape | None,
    sizes: Shape | None,
    offset: Ints,
    collapsed: Ints,
    index_map: Ints,
    batching: Ints,
    indices_batching: Ints,
) -> Shape | None:
    """The shape of the result; None if its rank is unknown.

    Raises:
        RuleError: (TypeError) if the dimension numbers do not go with the shapes.
    """
    rank = len(sizes) if shape is None and sizes is not None else None if shape is None else len(shape)
    check_vectors(operation, indices)
    result_rank = None if indices is None else len(offset) + len(indices) - 1
    for i, d in enumerate(offset):
        if d < 0 or (result_rank is not None and d >= result_rank and list(offset) == sorted(set(offset))):
            raise DimError(
                f"{operation}: Offset dimension {i} in gather op is out of bounds; got {d}, but should have been in "
                f"[0, {'rank' if result_rank is None else result_rank})",
                TypeError,
            )
    check_sorted(operation, "offset_dims", offset, result_rank)
    check_index_map(operation, "start_index_map", index_map, rank, indices)
    check_sorted(operation, "collapsed_slice_dims", collapsed, rank)
    others = {"collapsed_slice_dims": collapsed, "start_index_map": index_map}
    check_batching(operation, batching, "start_indices_batching_dims", indices_batching, others, shape, indices)
    taken = len(offset) + len(collapsed) + len(batching)
    if rank is not None and sizes is not None and len(sizes) != rank:
        raise DimError(
            f"{operation}: Gather op must have one slice size for every input dimension; got {len(sizes)} for "
            f"{rank} dimensions",
            TypeError,
        )
    if rank is not None and rank != taken:
        raise DimError(
            f"{operation}: All components of the offset index in a gather op must either be a offset dimension or "
            f"explicitly collapsed/batching; got {taken} of these for {rank} dimensions",
            TypeError,
        )
    given: Shape = (None,) * taken if sizes is None else sizes
    _check_slices(operation, shape, indices, given, collapsed, batching)
    if indices is None or result_rank is None:
        return None
    kept = iter([d for i, d in enumerate(given) if i not in collapsed and i not in batching])
    batch = iter(indices[:-1])
    return tuple([next(kept) if i in offset else next(batch) for i in range(result_rank)])


def _check_slices(
    operation: str, shape: Shape | None, indices: Shape | None, sizes: Shape, collapsed: Ints, batching: Ints
) -> None:
    """Check the slice sizes; where there are no indices, there are no slices that could be too large.

    Raises:
        ShapeError: (TypeError) if one is larger than the operand, or than 1 where no dimension is left.
    """
    if indices is not None and all(isinstance(d, int) and d > 0 for d in indices):
        most: Shape = (None,) * len(sizes) if shape is None else shape
        for i, (d, m) in enumerate(zip(sizes, most)):
            if isinstance(d, int) and (d < 0 or (isinstance(m, int) and d > m)):
                raise ShapeError(
                    f"{operation}: Slice size at index {i} in gather op is out of range, must be within [0, {m}], got "
                    f"{d}"
                )
    for place, i in enumerate(collapsed):
        if _is_not(sizes[i], 1, 1):
            raise ShapeError(
                f"{operation}: Gather op can only collapse slice dims with bound 1, but bound is {sizes[i]} for index "
                f"{i} at position {place}."
            )
    for place, i in enumerate(batching):
        if _is_not(sizes[i], None, 1):
            raise ShapeError(
                f"{operation}: Gather op can only have operand batching dims with bound 0/1, but bound is {sizes[i]} "
                f"for index {i} at position {place}."
            )


def _is_not(size: Dim, least: int | None, most: int) -> bool:
    return isinstance(size, int) and (size > most or (least is not None and size < least))
