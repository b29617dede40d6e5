"""Broadcasting, reshaping, transposing, reductions, constants."""

from __future__ import annotations

from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.lax.creation import iota_p
from arraytyping.runtime.lax.reductions import reduce_sum_p
from arraytyping.runtime.lax.slicing import concatenate_p, pad_p, rev_p, slice_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, reshape_p, transpose_p
from arraytyping.runtime.xla.lowerings.building import reduce_with
from arraytyping.runtime.xla.types import int_array, tensor_type


def _broadcast_in_dim(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, shape: Any, broadcast_dimensions: Any) -> Any:
    return hlo.broadcast_in_dim(tensor_type(aval_out), x, int_array(broadcast_dimensions))


def _reshape(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, new_sizes: Any) -> Any:
    return hlo.reshape(tensor_type(aval_out), x)


def _transpose(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, permutation: Any) -> Any:
    return hlo.transpose(x, int_array(permutation))


def _iota(cx: Any, avals_in: Any, aval_out: Any, *, shape: Any, dtype: str, dimension: int) -> Any:
    return hlo.iota(tensor_type(aval_out), ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dimension))


def _reduce_sum(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, axes: Any) -> Any:
    return reduce_with(hlo.add, 0, x, avals_in[0], aval_out, axes)


broadcast_in_dim_p.lowering = _broadcast_in_dim
reshape_p.lowering = _reshape
transpose_p.lowering = _transpose
iota_p.lowering = _iota
reduce_sum_p.lowering = _reduce_sum


def _slice(
    cx: Any, avals_in: Any, aval_out: Any, x: Any, *, start_indices: Any, limit_indices: Any, strides: Any
) -> Any:
    steps = strides or (1,) * len(start_indices)
    return hlo.slice(x, int_array(start_indices), int_array(limit_indices), int_array(steps))


def _pad(cx: Any, avals_in: Any, aval_out: Any, x: Any, value: Any, *, padding_config: Any) -> Any:
    low, high, interior = zip(*padding_config) if padding_config else ((), (), ())
    return hlo.pad(x, value, int_array(low), int_array(high), int_array(interior))


def _rev(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, dimensions: Any) -> Any:
    return hlo.reverse(x, int_array(dimensions))


def _concatenate(cx: Any, avals_in: Any, aval_out: Any, *xs: Any, dimension: int) -> Any:
    return hlo.concatenate(list(xs), ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dimension))


slice_p.lowering = _slice
pad_p.lowering = _pad
rev_p.lowering = _rev
concatenate_p.lowering = _concatenate
