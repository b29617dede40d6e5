"""Callbacks: XLA calls back a function of the program by its number among those of the module.

A token goes from each call that is ordered to the next; `ModuleContext` has the last one.

Source: `emit_python_callback` of https://github.com/jax-ml/jax/blob/main/jax/_src/callback.py;
https://openxla.org/stablehlo/spec#custom_call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy, stablehlo as hlo

from arraytyping.runtime.callbacks.calling_back import io_callback_p, pure_callback_p
from arraytyping.runtime.callbacks.debugging import debug_callback_p
from arraytyping.runtime.callbacks.host_functions import host_function
from arraytyping.runtime.effects import Effect
from arraytyping.runtime.sharding import Mesh, PartitionSpec
from arraytyping.runtime.xla.lowering import ManualMesh
from arraytyping.runtime.xla.lowerings.collectives import device_index
from arraytyping.runtime.xla.types import constant, tensor_type
from arraytyping.semantics.avals import ShapedArray, static_shape
from arraytyping.semantics.shardings import axes_str

__all__: list[str] = []

_PLATFORMS: Final = ("cpu", "gpu")
_TYPED: Final = 4
"""The version of XLA's interface for custom calls."""


def _layout(rank: int) -> Any:
    """Row-major."""
    order: Any = np.arange(rank - 1, -1, -1, dtype=np.int64)
    return ir.DenseIntElementsAttr.get(order, type=ir.IndexType.get(), shape=(rank,))


def _call(
    cx: Any, function: Callable[..., Any], operands: Sequence[Any], avals_in: Sequence[ShapedArray],
    avals_out: Sequence[ShapedArray], *, has_effect: bool, ordered: bool, partitioned: bool = False,
) -> list[Any]:  # fmt: skip
    if cx.platform not in _PLATFORMS:
        raise NotImplementedError(f"callbacks are called on {' and '.join(_PLATFORMS)}, got the platform {cx.platform}")
    target = f"xla_ffi{'_partitioned' if partitioned else ''}_python_{cx.platform}_callback"
    called = (lambda token, *args: (token, *function(*args))) if ordered else function
    number = cx.add_callback(called)
    results = [tensor_type(a) for a in avals_out]
    in_ranks, out_ranks = ([len(a.shape or ()) for a in avals] for avals in (avals_in, avals_out))
    if ordered:
        operands, results = [cx.current_token(), *operands], [hlo.TokenType.get(), *results]
        in_ranks, out_ranks = [0, *in_ranks], [0, *out_ranks]
    unsigned = ir.IntegerType.get_unsigned(64)
    op = hlo.CustomCallOp.build_generic(
        results=results,
        operands=list(operands),
        attributes={
            "call_target_name": ir.StringAttr.get(target),
            "has_side_effect": ir.BoolAttr.get(has_effect),
            "backend_config": ir.DictAttr.get({"index": ir.IntegerAttr.get(unsigned, number)}),
            "api_version": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), _TYPED),
            "called_computations": ir.ArrayAttr.get([]),
            "operand_layouts": ir.ArrayAttr.get([_layout(n) for n in in_ranks]),
            "result_layouts": ir.ArrayAttr.get([_layout(n) for n in out_ranks]),
        },
    )
    if cx.is_partitioned:
        op.attributes["sdy.sharding"] = _where(cx, out_ranks)
    found = list(op.results)
    if ordered:
        cx.token = found.pop(0)
    return found


def _where(cx: Any, ranks: Sequence[int]) -> Any:
    """On which devices of a program of several the host is called back: on all that are mapped over, else on the first.

    Each gives its part of the arguments then; the first gives them whole.
    """
    numbers = [] if cx.manual is not None else [0]
    mesh = sdy.MeshAttr.get([], numbers)
    whole = [sdy.DimensionShardingAttr.get([], is_closed=True)]
    return sdy.TensorShardingPerValueAttr.get(
        [sdy.TensorShardingAttr.get(mesh, [] if numbers else whole * rank) for rank in ranks or [0]]
    )


def _by_all_axes(
    cx: Any, operands: Sequence[Any], avals_in: Sequence[ShapedArray], avals_out: Sequence[ShapedArray],
    call: Callable[[Sequence[Any]], Sequence[Any]], is_once: bool,
) -> list[Any]:  # fmt: skip
    """What a callback gives within a function that is mapped over some axes of a mesh alone.

    Along the others each device is given all of the mapped part; `is_once` has only the first of them call back.
    """
    manual = cx.manual
    mesh, free = manual.mesh, manual.free

    def whole(avals: Sequence[ShapedArray]) -> Any:
        return sdy.TensorShardingPerValueAttr.get(
            [cx.sharding(mesh, PartitionSpec(), len(static_shape(a))) for a in avals]
        )

    op = sdy.ManualComputationOp(
        [tensor_type(a) for a in avals_out], list(operands), whole(avals_in), whole(avals_out),
        sdy.ManualAxesAttr.get([ir.StringAttr.get(str(name)) for name in free]),
    )  # fmt: skip
    block = ir.Block.create_at_start(op.body, [tensor_type(a) for a in avals_in])
    cx.manual = ManualMesh(mesh, frozenset(mesh.axis_names))
    try:
        with ir.InsertionPoint(block):
            if is_once:
                _if_first(free, mesh, lambda: call(list(block.arguments)))
                sdy.ReturnOp([])
            else:
                sdy.ReturnOp(list(call(list(block.arguments))))
    finally:
        cx.manual = manual
    return list(op.results)


def _if_first(axes: Sequence[Any], mesh: Mesh, call: Callable[[], object]) -> None:
    """Call where the device is the first along these axes."""
    index = ShapedArray((), "int32")
    numbers = [device_index(mesh, index, name) for name in axes]
    total = numbers[0]
    for number in numbers[1:]:
        total = hlo.add(total, number)
    equal = ir.Attribute.parse("#stablehlo<comparison_direction EQ>")
    first = hlo.compare(total, constant(np.asarray(0), "int32"), equal)
    case = hlo.IfOp([], first)
    with ir.InsertionPoint(ir.Block.create_at_start(case.true_branch, [])):
        call()
        hlo.return_([])
    with ir.InsertionPoint(ir.Block.create_at_start(case.false_branch, [])):
        hlo.return_([])


def _is_partly_mapped(cx: Any) -> bool:
    return cx.is_partitioned and cx.manual is not None and bool(cx.manual.free)


def _pure(cx: Any, avals_in: Any, avals_out: Any, *operands: Any, callback: Any, **params: Any) -> list[Any]:
    function = host_function(callback, avals_out)

    def call(given: Sequence[Any]) -> list[Any]:
        return _call(cx, function, given, avals_in, avals_out, has_effect=False, ordered=False)

    if _is_partly_mapped(cx):
        return _by_all_axes(cx, operands, avals_in, avals_out, call, is_once=False)
    return call(operands)


def _io(cx: Any, avals_in: Any, avals_out: Any, *operands: Any, callback: Any, ordered: bool, **params: Any) -> Any:
    if _is_partly_mapped(cx):
        free, mapped = (axes_str(names) for names in (cx.manual.free, sorted(cx.manual.axes)))
        raise NotImplementedError(
            f"io_callback within shard_map over {mapped} alone is not there: of the devices along {free} one would "
            "have to call back, and all to have its results; map over them too, or call back outside of it"
        )
    function = host_function(callback, avals_out)
    return _call(cx, function, operands, avals_in, avals_out, has_effect=True, ordered=ordered)


def _debug(
    cx: Any, avals_in: Any, avals_out: Any, *operands: Any, callback: Any, effect: Effect, partitioned: bool
) -> list[Any]:
    if effect.ordered and cx.is_partitioned:
        raise ValueError(
            f"The following ordered effects are not supported for more than 1 device: [{effect}]; debug.print and "
            "debug.callback are called in any order with ordered=False"
        )
    function = host_function(lambda *args: callback(*args) or (), ())

    def call(given: Sequence[Any]) -> list[Any]:
        return _call(
            cx, function, given, avals_in, avals_out, has_effect=True, ordered=effect.ordered, partitioned=partitioned
        )

    if _is_partly_mapped(cx):
        return _by_all_axes(cx, operands, avals_in, avals_out, call, is_once=True)
    return call(operands)


pure_callback_p.lowering = _pure
io_callback_p.lowering = _io
debug_callback_p.lowering = _debug
