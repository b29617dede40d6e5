"""Gather, scatter, and slices at traced places.

Source: https://openxla.org/stablehlo/spec#gather, https://openxla.org/stablehlo/spec#scatter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.lax import dynamic_slicing, scattering
from arraytyping.runtime.lax.gathering import GatherDimensionNumbers, GatherScatterMode, gather_p
from arraytyping.runtime.lax.scatter_apply import scatter_apply_p
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.xla.lowerings.building import reduce_with
from arraytyping.runtime.xla.lowerings.reductions import compare, greater, lesser
from arraytyping.runtime.xla.types import constant, int_array, splat, tensor_type, zeros
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import integer_limits


def _bounds(indices: Any, aval: ShapedArray, bounds: list[int], dtype: str) -> Any:
    """For each component of the index vectors the last start at which a slice fits, in the shape of the indices."""
    assert aval.shape is not None
    most = integer_limits(dtype)[1]
    vector = constant(np.asarray([min(b, most) for b in bounds], np_dtype(dtype)), dtype)
    shape = tensor_type(ShapedArray(aval.shape, dtype))
    return hlo.broadcast_in_dim(shape, vector, int_array((len(aval.shape) - 1,)))


def _gather(
    cx: Any, avals_in: Any, aval_out: Any, x: Any, indices: Any, *, dimension_numbers: GatherDimensionNumbers,
    slice_sizes: tuple[int, ...], unique_indices: bool, indices_are_sorted: bool, mode: GatherScatterMode,
    fill_value: Any,
) -> Any:  # fmt: skip
    operand, at = avals_in
    n = dimension_numbers
    if 0 in aval_out.shape:
        return zeros(aval_out)
    fills = mode is GatherScatterMode.FILL_OR_DROP
    if fills:
        wide = "int64" if any(d >= 1 << 31 for d in operand.shape) else "int32"
        if at.dtype != wide:
            at = ShapedArray(at.shape, wide)
            indices = hlo.convert(tensor_type(at), indices)
    numbers = hlo.GatherDimensionNumbers.get(
        offset_dims=list(n.offset_dims),
        collapsed_slice_dims=list(n.collapsed_slice_dims),
        operand_batching_dims=list(n.operand_batching_dims),
        start_indices_batching_dims=list(n.start_indices_batching_dims),
        start_index_map=list(n.start_index_map),
        index_vector_dim=len(at.shape) - 1,
    )
    result = hlo.gather(
        x, indices, numbers, int_array(slice_sizes), indices_are_sorted=ir.BoolAttr.get(indices_are_sorted)
    )
    if not fills:
        return result
    last = _bounds(indices, at, [operand.shape[d] - slice_sizes[d] for d in n.start_index_map], at.dtype)
    inside = hlo.and_(compare(indices, zeros(at), "GE", at.dtype), compare(indices, last, "LE", at.dtype))
    mask, whole = ShapedArray(at.shape, "bool"), ShapedArray(at.shape[:-1], "bool")
    inside = reduce_with(hlo.and_, True, inside, mask, whole, (len(at.shape) - 1,))
    places = [d for d in range(len(aval_out.shape)) if d not in n.offset_dims]
    spread = hlo.broadcast_in_dim(tensor_type(ShapedArray(aval_out.shape, "bool")), inside, int_array(places))
    return hlo.select(spread, result, splat(fill_value, aval_out))


gather_p.lowering = _gather


def _scatter(build: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def lowering(
        cx: Any, avals_in: Any, aval_out: Any, x: Any, indices: Any, updates: Any, *, dimension_numbers: Any,
        indices_are_sorted: bool, unique_indices: bool, mode: GatherScatterMode,
    ) -> Any:  # fmt: skip
        operand, at, new = avals_in
        n = dimension_numbers
        if mode is GatherScatterMode.CLIP and at.shape[-1]:
            window = iter(n.update_window_dims)
            taken = {*n.inserted_window_dims, *n.operand_batching_dims}
            sizes = [1 if d in taken else new.shape[next(window)] for d in range(len(operand.shape))]
            bounds = [operand.shape[d] - sizes[d] for d in n.scatter_dims_to_operand_dims]
            indices = hlo.clamp(zeros(at), indices, _bounds(indices, at, bounds, at.dtype))
        numbers = hlo.ScatterDimensionNumbers.get(
            update_window_dims=list(n.update_window_dims),
            inserted_window_dims=list(n.inserted_window_dims),
            input_batching_dims=list(n.operand_batching_dims),
            scatter_indices_batching_dims=list(n.scatter_indices_batching_dims),
            scattered_dims_to_operand_dims=list(n.scatter_dims_to_operand_dims),
            index_vector_dim=len(at.shape) - 1,
        )
        op = hlo.ScatterOp(
            (tensor_type(aval_out),), [x], indices, [updates], numbers,
            indices_are_sorted=ir.BoolAttr.get(indices_are_sorted), unique_indices=ir.BoolAttr.get(unique_indices),
        )  # fmt: skip
        scalar = tensor_type(ShapedArray((), operand.dtype))
        block = op.update_computation.blocks.append(scalar, scalar)
        with ir.InsertionPoint(block):
            hlo.return_([build(*block.arguments)])
        return op.results[0]

    return lowering


for _primitive, _build in (
    (scattering.scatter_p, lambda old, new: new),
    (scattering.scatter_add_p, hlo.add),
    (scattering.scatter_sub_p, hlo.subtract),
    (scattering.scatter_mul_p, hlo.multiply),
    (scattering.scatter_min_p, lesser),
    (scattering.scatter_max_p, greater),
):
    _primitive.lowering = _scatter(_build)


def _dynamic_slice(cx: Any, avals_in: Any, aval_out: Any, x: Any, *starts: Any, slice_sizes: tuple[int, ...]) -> Any:
    return hlo.dynamic_slice(x, list(starts), int_array(slice_sizes)) if starts else x


def _dynamic_update_slice(cx: Any, avals_in: Any, aval_out: Any, x: Any, update: Any, *starts: Any) -> Any:
    return hlo.dynamic_update_slice(x, update, list(starts)) if starts else update


dynamic_slicing.dynamic_slice_p.lowering = _dynamic_slice
dynamic_slicing.dynamic_update_slice_p.lowering = _dynamic_update_slice


def _scatter_apply(cx: Any, avals_in: Any, aval_out: Any, *operands: Any, jaxpr: Any, **params: Any) -> Any:
    build = _scatter(lambda old, new: cx.closed(jaxpr, [old])[0])
    return build(cx, avals_in, aval_out, *operands, **params)


scatter_apply_p.lowering = _scatter_apply
