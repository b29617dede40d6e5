"""Reductions of windows.

Source: https://openxla.org/stablehlo/spec#reduce_window, https://openxla.org/stablehlo/spec#select_and_scatter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.lax import windows
from arraytyping.runtime.lax.limits import extreme
from arraytyping.runtime.xla.lowerings.reductions import compare, greater, lesser, padding_attribute, reduce_window_with
from arraytyping.runtime.xla.types import int_array, splat, tensor_type, zeros
from arraytyping.semantics.avals import ShapedArray


def _reducing(build: Callable[[Any, Any], Any], initial: Callable[[str], Any]) -> Callable[..., Any]:
    def lowering(
        cx: Any, avals_in: Any, aval_out: Any, x: Any, *, window_dimensions: Any, window_strides: Any, padding: Any,
        base_dilation: Any, window_dilation: Any,
    ) -> Any:  # fmt: skip
        (aval,) = avals_in
        return reduce_window_with(
            cx, build, initial(aval.dtype), x, aval, aval_out, window_dimensions, window_strides, padding,
            base_dilation, window_dilation,
        )  # fmt: skip

    return lowering


windows.reduce_window_sum_p.lowering = _reducing(hlo.add, lambda dtype: 0)
windows.reduce_window_max_p.lowering = _reducing(greater, lambda dtype: extreme(dtype, lowest=True))
windows.reduce_window_min_p.lowering = _reducing(lesser, lambda dtype: extreme(dtype, lowest=False))


def _operation(avals_out: Any, operands: Any, initial: Any, params: dict[str, Any]) -> tuple[Any, Any]:
    """The operation on several arrays, and the block of its body, which takes two scalars for each."""
    op = hlo.ReduceWindowOp(
        [tensor_type(a) for a in avals_out], list(operands), list(initial), int_array(params["window_dimensions"]),
        window_strides=int_array(params["window_strides"]), base_dilations=int_array(params["base_dilation"]),
        window_dilations=int_array(params["window_dilation"]), padding=padding_attribute(params["padding"]),
    )  # fmt: skip
    kinds = [tensor_type(ShapedArray((), a.dtype)) for a in avals_out]
    return op, op.regions[0].blocks.append(*kinds, *kinds)


def _reduce_window(cx: Any, avals_in: Any, avals_out: Any, *operands: Any, jaxpr: Any, **params: Any) -> Any:
    n = len(operands) // 2
    op, block = _operation(avals_out, operands[:n], operands[n:], params)
    with ir.InsertionPoint(block):
        hlo.return_(cx.closed(jaxpr, list(block.arguments)))
    return op.results


def _select_and_gather_add(
    cx: Any, avals_in: Any, aval_out: Any, tangents: Any, x: Any, *, select: str, **params: Any
) -> Any:
    _, aval = avals_in
    keys, scalar = ShapedArray(aval_out.shape, aval.dtype), ShapedArray((), aval.dtype)
    start = splat(extreme(aval.dtype, lowest=select == "ge"), scalar)
    op, block = _operation([keys, aval_out], [x, tangents], [start, zeros(ShapedArray((), aval_out.dtype))], params)
    with ir.InsertionPoint(block):
        a, s, b, t = block.arguments
        which = compare(a, b, select.upper(), aval.dtype)
        hlo.return_([hlo.select(which, a, b), hlo.select(which, s, t)])
    return op.results[1]


def _select_and_scatter_add(
    cx: Any, avals_in: Any, aval_out: Any, source: Any, x: Any, *, select: str, window_dimensions: Any,
    window_strides: Any, padding: Any,
) -> Any:  # fmt: skip
    """On the padded array, since XLA does not pad as StableHLO says on every platform."""
    _, aval = avals_in
    low, high = zip(*padding) if padding else ((), ())
    scalar = ShapedArray((), aval.dtype)
    worst = splat(extreme(aval.dtype, lowest=select == "ge"), scalar)
    padded = hlo.pad(x, worst, int_array(low), int_array(high), int_array((0,) * len(padding)))
    shape = tuple(n + a + b for n, a, b in zip(aval.shape, low, high))
    op = hlo.SelectAndScatterOp(
        tensor_type(ShapedArray(shape, aval_out.dtype)), padded, source, zeros(ShapedArray((), aval_out.dtype)),
        window_dimensions=int_array(window_dimensions), window_strides=int_array(window_strides),
        padding=padding_attribute(((0, 0),) * len(padding)),
    )  # fmt: skip
    kind = tensor_type(scalar)
    with ir.InsertionPoint(op.select.blocks.append(kind, kind)) as point:
        a, b = point.block.arguments
        hlo.return_([compare(a, b, select.upper(), aval.dtype)])
    total = tensor_type(ShapedArray((), aval_out.dtype))
    with ir.InsertionPoint(op.scatter.blocks.append(total, total)) as point:
        hlo.return_([hlo.add(*point.block.arguments)])
    starts, limits = low, [a + n for a, n in zip(low, aval.shape)]
    return hlo.slice(op.result, int_array(starts), int_array(limits), int_array((1,) * len(starts)))


windows.reduce_window_p.lowering = _reduce_window
windows.select_and_gather_add_p.lowering = _select_and_gather_add
windows.select_and_scatter_add_p.lowering = _select_and_scatter_add
