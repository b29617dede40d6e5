"""The rules of `jax.lax.scatter` and its kin: the operand keeps its shape, dtype and weak type.

Source: `_scatter_shape_rule` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/slicing.py;
https://openxla.org/stablehlo/spec#scatter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.semantics.avals import Shape, ShapedArray, shape_tuple_str
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
from arraytyping.semantics.rules.lax_operands import same_dtype, shaped
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import BOOL, Refusal, refuse
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_shape, non_negative
from arraytyping.semantics.rules.table import register, rule
from arraytyping.semantics.sizes.dims import differ, exceeds

_FIELDS = (
    "update_window_dims",
    "inserted_window_dims",
    "scatter_dims_to_operand_dims",
    "operand_batching_dims",
    "scatter_indices_batching_dims",
)


def _scatter_rule(operation: str, *refusals: Refusal) -> Callable[..., ShapedArray]:
    """The rule of a function that combines updates with the operand in a way that does not take some dtypes."""

    def scatter(
        cx: Context,
        operand: Any,
        scatter_indices: Any,
        updates: Any,
        dimension_numbers: Any,
        *,
        indices_are_sorted: Any = False,
        unique_indices: Any = False,
        mode: Any = None,
    ) -> ShapedArray:
        array = as_operand(cx, operand, operation)
        refuse(operation, array.dtype, refusals)
        return _scattered(cx, operation, array, scatter_indices, updates, dimension_numbers, mode)

    scatter.__doc__ = f"`jax.{operation}`."
    return scatter


register("lax.scatter", _scatter_rule("lax.scatter"))
register("lax.scatter_add", _scatter_rule("lax.scatter_add", BOOL))
register("lax.scatter_sub", _scatter_rule("lax.scatter_sub", BOOL))
register("lax.scatter_mul", _scatter_rule("lax.scatter_mul", BOOL))
register("lax.scatter_min", _scatter_rule("lax.scatter_min"))
register("lax.scatter_max", _scatter_rule("lax.scatter_max"))


@rule("lax.scatter_apply")
def scatter_apply(
    cx: Context,
    operand: Any,
    scatter_indices: Any,
    func: Any,
    dimension_numbers: Any,
    *,
    update_shape: Any = (),
    indices_are_sorted: Any = False,
    unique_indices: Any = False,
    mode: Any = None,
) -> ShapedArray:
    """`jax.lax.scatter_apply`; what the function returns is not looked at."""
    operation = "lax.scatter_apply"
    array = shaped(cx, operand, operation)
    dims = non_negative(operation, as_shape(operation, update_shape))
    return _scattered(cx, operation, array, scatter_indices, ShapedArray(dims, array.dtype), dimension_numbers, mode)


def _scattered(
    cx: Context, operation: str, array: ShapedArray, scatter_indices: Any, updates: Any, dimension_numbers: Any,
    mode: Any
) -> ShapedArray:  # fmt: skip
    """The operand after the updates."""
    indices, new = as_operand(cx, scatter_indices, operation, 1), as_operand(cx, updates, operation, 2)
    check_mode(operation, mode)
    numbers = read_dimension_numbers(operation, dimension_numbers, *_FIELDS)
    if numbers is not None:
        _check_scatter(operation, array.shape, indices.shape, new.shape, *numbers)
    check_integers(operation, indices.dtype)
    same_dtype(operation, (array, new))
    return with_shape(array, array.shape)


def _check_scatter(
    operation: str,
    shape: Shape | None,
    indices: Shape | None,
    updates: Shape | None,
    window: Ints,
    inserted: Ints,
    index_map: Ints,
    batching: Ints,
    indices_batching: Ints,
) -> None:
    """Check that the dimension numbers go with the shapes.

    Raises:
        RuleError: (TypeError) if not.
    """
    rank = None if shape is None else len(shape)
    check_vectors(operation, indices)
    if indices is not None and updates is not None and len(updates) != len(indices) - 1 + len(window):
        raise DimError(
            f"{operation}: Updates tensor must be of rank {len(indices) - 1 + len(window)}; got {len(updates)}.",
            TypeError,
        )
    check_sorted(operation, "update_window_dims", window, None if updates is None else len(updates))
    check_sorted(operation, "inserted_window_dims", inserted, rank)
    others = {"inserted_window_dims": inserted, "scatter_dims_to_operand_dims": index_map}
    check_batching(operation, batching, "scatter_indices_batching_dims", indices_batching, others, shape, indices)
    size_of_window = len(window) + len(inserted) + len(batching)
    if rank is not None and rank != size_of_window:
        raise DimError(
            f"{operation}: Scatter op has window of size {size_of_window}; doesn't match operand of rank {rank}.",
            TypeError,
        )
    check_index_map(operation, "scatter_dims_to_operand_dims", index_map, rank, indices)
    if updates is None:
        return
    if shape is not None:
        most = [d for i, d in enumerate(shape) if i not in inserted and i not in batching]
        for i, limit in zip(window, most):
            size = updates[i]
            if exceeds(size, limit):
                raise ShapeError(
                    f"{operation}: Bounds of the window dimensions of updates must not exceed the bounds of the "
                    f"corresponding dimensions of operand. For dimension {i}, updates bound is {size}, operand "
                    f"bound is {limit}."
                )
    if indices is not None:
        places = [d for i, d in enumerate(updates) if i not in window]
        if any(differ(a, b) for a, b in zip(places, indices)):
            raise ShapeError(
                f"{operation}: Bounds of the scatter dimensions of updates must be same as the bounds of the "
                f"corresponding dimensions of scatter indices, got {shape_tuple_str(tuple(places))} and "
                f"{shape_tuple_str(indices[:-1])}"
            )
