"""Operations across the devices of a mesh, within a function that is mapped over it.

Source: https://openxla.org/stablehlo/spec#all_reduce and its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy, stablehlo as hlo

from arraytyping.runtime.lax.collectives import axis_index_p, pmax_p, pmin_p, psum_p
from arraytyping.runtime.lax.exchanges import all_gather_p, ppermute_p
from arraytyping.runtime.lax.scattering_collectives import all_to_all_p, reduce_scatter_p
from arraytyping.runtime.lax.varying import pvary_p
from arraytyping.runtime.sharding import Mesh, PartitionSpec
from arraytyping.runtime.transformations.shard_mapping import shard_map_p
from arraytyping.runtime.varying import Axes
from arraytyping.runtime.xla.lowering import ManualMesh
from arraytyping.runtime.xla.types import constant, tensor_type
from arraytyping.semantics.avals import ShapedArray, static_shape

__all__ = ["device_index"]

_DENSE: Final[Any] = ir.DenseIntElementsAttr  # its stubs know fewer arguments than it takes


def _groups(cx: Any, names: Sequence[Any]) -> np.ndarray[Any, Any]:
    """The numbers of the devices that exchange, one row for each group, in the order of the axes."""
    mesh = cx.manual.mesh
    numbers = np.arange(mesh.size).reshape(mesh.devices.shape)
    axes = [mesh.axis_names.index(name) for name in names]
    moved = np.moveaxis(numbers, axes, range(-len(axes), 0))
    return moved.reshape(-1, math.prod(mesh.shape[name] for name in names))


def _dense(values: Any) -> Any:
    return _DENSE.get(np.ascontiguousarray(values, np.int64))


def _channel() -> Any:
    return hlo.ChannelHandle.get(1, 1)  # one of devices to devices


def _body(op: Any, aval: ShapedArray, build: Callable[[Any, Any], Any]) -> None:
    """Fill the region of a reduction."""
    scalar = tensor_type(ShapedArray((), aval.dtype))
    block = op.regions[0].blocks.append(scalar, scalar)
    with ir.InsertionPoint(block):
        hlo.return_([build(*block.arguments)])


def _reducing(build: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def lowering(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, axis_name: tuple[Any, ...]) -> Any:
        op = hlo.AllReduceOp(
            [x.type], [x], replica_groups=_dense(_groups(cx, axis_name)), channel_handle=_channel(),
            use_global_device_ids=True,
        )  # fmt: skip
        _body(op, aval_out, build)
        return op.results[0]

    return lowering


psum_p.lowering = _reducing(hlo.add)
pmax_p.lowering = _reducing(hlo.maximum)
pmin_p.lowering = _reducing(hlo.minimum)
pvary_p.lowering = lambda cx, avals_in, aval_out, x, *, axes: x


def _gather(
    cx: Any, avals_in: Any, aval_out: Any, x: Any, *, axis_name: tuple[Any, ...], size: int, axis: int, tiled: bool
) -> Any:
    if not tiled:
        shape = list(static_shape(avals_in[0]))
        shape.insert(axis, 1)
        x = hlo.reshape(tensor_type(ShapedArray(tuple(shape), avals_in[0].dtype)), x)
    op = hlo.AllGatherOp(
        [tensor_type(aval_out)], [x], all_gather_dim=axis, replica_groups=_dense(_groups(cx, axis_name)),
        channel_handle=_channel(), use_global_device_ids=True,
    )  # fmt: skip
    return op.results[0]


all_gather_p.lowering = _gather


def _permute(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, axis_name: Any, perm: Any) -> Any:
    pairs = [(group[a], group[b]) for group in _groups(cx, axis_name) for a, b in perm]
    op = hlo.CollectivePermuteOp(
        x, source_target_pairs=_dense(np.array(pairs).reshape(-1, 2)), channel_handle=_channel()
    )
    return op.results[0]


ppermute_p.lowering = _permute


def _exchange(
    cx: Any, avals_in: Any, aval_out: Any, x: Any, *, axis_name: Any, size: int, split_axis: int, concat_axis: int
) -> Any:
    op = hlo.AllToAllOp(
        [x], split_dimension=split_axis, concat_dimension=concat_axis, split_count=size,
        replica_groups=_dense(_groups(cx, axis_name)), channel_handle=_channel(),
    )  # fmt: skip
    return op.results[0]


all_to_all_p.lowering = _exchange


def _scatter(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, axis_name: Any, size: int, dimension: int) -> Any:
    op = hlo.ReduceScatterOp(
        tensor_type(aval_out), x, scatter_dimension=dimension, replica_groups=_dense(_groups(cx, axis_name)),
        channel_handle=_channel(), use_global_device_ids=True,
    )  # fmt: skip
    _body(op, aval_out, hlo.add)
    return op.results[0]


reduce_scatter_p.lowering = _scatter


def _index(cx: Any, avals_in: Any, aval_out: Any, *, axis_name: tuple[Any, ...]) -> Any:
    (name,) = axis_name
    if not cx.manual.free or not cx.is_partitioned:
        return device_index(cx.manual.mesh, aval_out, name)
    # XLA numbers the devices where all axes are mapped alone
    mesh = cx.manual.mesh
    free = [ir.StringAttr.get(str(one)) for one in cx.manual.free]
    lies = sdy.TensorShardingPerValueAttr.get([cx.sharding(mesh, PartitionSpec(), 0)])
    op = sdy.ManualComputationOp(
        [tensor_type(aval_out)], [], sdy.TensorShardingPerValueAttr.get([]), lies, sdy.ManualAxesAttr.get(free)
    )
    with ir.InsertionPoint(ir.Block.create_at_start(op.body, [])):
        sdy.ReturnOp([device_index(cx.manual.mesh, aval_out, name)])
    return op.results[0]


def device_index(mesh: Mesh, aval_out: ShapedArray, name: Any) -> Any:
    """The number of the device along an axis, where all axes are mapped."""
    axis = mesh.axis_names.index(name)
    step = math.prod(mesh.devices.shape[axis + 1 :])
    u32 = "uint32"
    number = hlo.divide(hlo.partition_id(), constant(np.asarray(step), u32))
    number = hlo.remainder(number, constant(np.asarray(mesh.devices.shape[axis]), u32))
    return hlo.convert(tensor_type(aval_out), number)


axis_index_p.lowering = _index


def _mapped(
    cx: Any,
    avals_in: Any,
    avals_out: Any,
    *args: Any,
    jaxpr: Any,
    mesh: Any,
    axes: Axes,
    in_specs: Any,
    out_specs: Any,
    check: bool,
) -> Any:
    around = cx.manual
    within = ManualMesh(mesh, axes if around is None else axes | around.axes)
    if not cx.is_partitioned or not axes:  # a mesh of one device
        cx.manual = within
        try:
            return cx.closed(jaxpr, args)
        finally:
            cx.manual = around

    is_partial = len(axes) < len(mesh.axis_names)

    def shardings(specs: Any, avals: Any) -> Any:
        return sdy.TensorShardingPerValueAttr.get(
            [cx.sharding(mesh, spec, len(static_shape(aval)), is_partial) for spec, aval in zip(specs, avals)]
        )

    op = sdy.ManualComputationOp(
        [tensor_type(a) for a in avals_out], list(args), shardings(in_specs, avals_in), shardings(out_specs, avals_out),
        sdy.ManualAxesAttr.get([ir.StringAttr.get(str(name)) for name in mesh.axis_names if name in axes]),
    )  # fmt: skip
    block = ir.Block.create_at_start(op.body, [tensor_type(a) for a in jaxpr.in_avals])
    cx.manual = within
    try:
        with ir.InsertionPoint(block):
            sdy.ReturnOp(cx.closed(jaxpr, list(block.arguments)))
    finally:
        cx.manual = around
    return list(op.results)


shard_map_p.lowering = _mapped
