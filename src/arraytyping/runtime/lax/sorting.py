"""Sorting of one array or of several together, and the greatest elements.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.sort.html,
https://docs.jax.dev/en/latest/_autosummary/jax.lax.top_k.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.creation import iota_of
from arraytyping.runtime.lax.gathering import GatherDimensionNumbers, GatherScatterMode, gather_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.tracing.batching import Axis, move_batch_dim
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.named import named

__all__ = ["sort", "sort_key_val", "sort_p", "taken_along", "top_k", "top_k_p"]


def _sort_rule(
    cx: Any, *operands: ShapedArray, dimension: int, is_stable: bool, num_keys: int
) -> Sequence[ShapedArray]:
    result: Sequence[ShapedArray] = named("lax.sort")(cx, operands, dimension, is_stable, num_keys)
    return result


sort_p: Final = Primitive("sort", _sort_rule, multiple_results=True)
top_k_p: Final = Primitive("top_k", named("lax.top_k"), multiple_results=True)


def taken_along(x: Any, indices: Any, axis: int) -> Any:
    """The elements at these indices along one dimension; the others go together."""
    shape = indices.aval.shape
    others = tuple(d for d in range(len(shape)) if d != axis)
    return gather_p.bind(
        x, reshape(indices, (*shape, 1)),
        dimension_numbers=GatherDimensionNumbers((), (axis,), (axis,), others, others),
        slice_sizes=(1,) * len(shape), unique_indices=False, indices_are_sorted=False,
        mode=GatherScatterMode.PROMISE_IN_BOUNDS, fill_value=None,
    )  # fmt: skip


def _sort_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, dimension: int, is_stable: bool, num_keys: int
) -> tuple[Any, Any]:
    shape = primals[0].aval.shape
    places = iota_of("int32" if all(n < 1 << 31 for n in shape) else "int64", shape, dimension)
    *results, order = sort_p.bind(*primals, places, dimension=dimension, is_stable=is_stable, num_keys=num_keys)
    return results, [
        Zero(r.aval) if is_zero(t) else taken_along(t, order, dimension) for r, t in zip(results, tangents)
    ]


def _sort_batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, dimension: int, **params: Any
) -> tuple[list[Any], list[int]]:
    place = next(d for d in dims if d is not None)
    operands = [move_batch_dim(axis, x, d, place) for x, d in zip(args, dims)]
    results = sort_p.bind(*operands, dimension=dimension + (place <= dimension), **params)
    return results, [place] * len(results)


sort_p.jvp_rule = _sort_jvp
sort_p.batching_rule = _sort_batch


def _top_k_jvp(primals: Sequence[Any], tangents: Sequence[Any], *, k: int, axis: int) -> tuple[Any, Any]:
    values, indices = top_k_p.bind(*primals, k=k, axis=axis)
    (tangent,) = tangents
    of_values = Zero(values.aval) if is_zero(tangent) else taken_along(tangent, indices, axis)
    return [values, indices], [of_values, Zero(indices.aval)]


def _top_k_batch(
    mapped: Axis, args: Sequence[Any], dims: Sequence[int], *, k: int, axis: int
) -> tuple[list[Any], list[int]]:
    (x,), (place,) = args, dims
    return top_k_p.bind(x, k=k, axis=axis + (place <= axis)), [place, place]


top_k_p.jvp_rule = _top_k_jvp
top_k_p.batching_rule = _top_k_batch


@operation("lax.sort", "operand", how="inline")
def sort(operand: Any, dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Any:
    """`jax.lax.sort`: an array, or several by the first ones, along one dimension; NaN comes last."""
    operands = operand if isinstance(operand, tuple | list) else (operand,)
    along = int(dimension) % len(operands[0].aval.shape)
    results = sort_p.bind(*operands, dimension=along, is_stable=bool(is_stable), num_keys=int(num_keys))
    return tuple(results) if isinstance(operand, tuple | list) else results[0]


@operation("lax.sort_key_val", "keys", "values", how="inline")
def sort_key_val(keys: Any, values: Any, dimension: int = -1, is_stable: bool = True) -> Any:
    """`jax.lax.sort_key_val`: keys in order, and values with them."""
    along = int(dimension) % len(keys.aval.shape)
    return tuple(sort_p.bind(keys, values, dimension=along, is_stable=bool(is_stable), num_keys=1))


@operation("lax.top_k", "operand", how="inline")
def top_k(operand: Any, k: int, *, axis: int = -1) -> Any:
    """`jax.lax.top_k`: the greatest elements along one dimension, in descending order, and their indices."""
    return tuple(top_k_p.bind(operand, k=int(k), axis=int(axis) % len(operand.aval.shape)))
