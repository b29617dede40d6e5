"""Reductions over dimensions, the places of extremes, and cumulative reductions.

Source: https://openxla.org/stablehlo/spec#reduce, https://openxla.org/stablehlo/spec#reduce_window.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.lax import aggregates, cumulative, extremes, folding
from arraytyping.runtime.lax.limits import extreme
from arraytyping.runtime.lax.logaddexp import logaddexp_of
from arraytyping.runtime.xla.lowerings.building import reduce_with
from arraytyping.runtime.xla.lowerings.composing import built
from arraytyping.runtime.xla.types import int_array, splat, tensor_type
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import integer_limits

__all__ = ["compare", "greater", "lesser", "padding_attribute", "reduce_window_with"]


def _first_if(direction: str, x: Any, y: Any) -> Any:
    """Of two complex numbers the one that compares so, by the real part and then by the imaginary part."""
    kind = hlo.ComparisonTypeAttr.get("FLOAT")

    def compared(a: Any, b: Any, how: str) -> Any:
        return hlo.compare(a, b, hlo.ComparisonDirectionAttr.get(how), compare_type=kind)

    real, imaginary = (hlo.real(x), hlo.real(y)), (hlo.imag(x), hlo.imag(y))
    first = hlo.select(compared(*real, "EQ"), compared(*imaginary, direction), compared(*real, direction))
    return hlo.select(first, x, y)


def _is_complex(x: Any) -> bool:
    return isinstance(ir.RankedTensorType(x.type).element_type, ir.ComplexType)


def greater(x: Any, y: Any) -> Any:
    """The greater of two elements, or NaN."""
    return _first_if("GT", x, y) if _is_complex(x) else hlo.maximum(x, y)


def lesser(x: Any, y: Any) -> Any:
    """The lesser of two elements, or NaN."""
    return _first_if("LT", x, y) if _is_complex(x) else hlo.minimum(x, y)


def _reducing(build: Callable[[Any, Any], Any], initial: Callable[[str], Any]) -> Callable[..., Any]:
    def lowering(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, axes: tuple[int, ...]) -> Any:
        return reduce_with(build, initial(avals_in[0].dtype), x, avals_in[0], aval_out, axes)

    return lowering


def _all_ones(dtype: str) -> bool | int:
    return True if dtype == "bool" else -1 if KINDS[dtype] == "i" else integer_limits(dtype)[1]


extremes.reduce_max_p.lowering = _reducing(greater, lambda dtype: extreme(dtype, lowest=True))
extremes.reduce_min_p.lowering = _reducing(lesser, lambda dtype: extreme(dtype, lowest=False))
aggregates.reduce_prod_p.lowering = _reducing(hlo.multiply, lambda dtype: 1)
aggregates.reduce_and_p.lowering = _reducing(hlo.and_, _all_ones)
aggregates.reduce_or_p.lowering = _reducing(hlo.or_, lambda dtype: 0)
aggregates.reduce_xor_p.lowering = _reducing(hlo.xor, lambda dtype: 0)


def compare(x: Any, y: Any, direction: str, dtype: str, *, total_order: bool = False) -> Any:
    """A comparison of two arrays of one shape and dtype; of floats perhaps in the total order of their bits."""
    kind = KINDS[dtype]
    how = ("TOTALORDER" if total_order else "FLOAT") if kind in "fc" else "SIGNED" if kind == "i" else "UNSIGNED"
    return hlo.compare(x, y, hlo.ComparisonDirectionAttr.get(direction), compare_type=hlo.ComparisonTypeAttr.get(how))


def _place(direction: str) -> Callable[..., Any]:
    """The reduction of values with their indices: the one that is greater or NaN, of equal ones the first."""

    def lowering(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, axes: tuple[int, ...], index_dtype: str) -> Any:
        (aval,) = avals_in
        if KINDS[aval.dtype] == "c":
            raise TypeError(
                f"argmax and argmin take no {aval.dtype}; take them of the magnitudes, or of the real parts"
            )
        value, index = ShapedArray((), aval.dtype), ShapedArray((), index_dtype)
        indices = hlo.iota(
            tensor_type(ShapedArray(aval.shape, index_dtype)),
            ir.IntegerAttr.get(ir.IntegerType.get_signless(64), axes[0]),
        )
        start = splat(extreme(aval.dtype, lowest=direction == "GT"), value)
        op = hlo.ReduceOp(
            [tensor_type(ShapedArray(aval_out.shape, aval.dtype)), tensor_type(aval_out)],
            [x, indices], [start, splat(0, index)], int_array(axes),
        )  # fmt: skip
        kinds = tensor_type(value), tensor_type(index)
        block = op.regions[0].blocks.append(*kinds, *kinds)
        with ir.InsertionPoint(block):
            a, i, b, j = block.arguments
            better = hlo.or_(compare(a, b, direction, aval.dtype), compare(a, a, "NE", aval.dtype))
            first = hlo.and_(compare(a, b, "EQ", aval.dtype), compare(i, j, "LT", index_dtype))
            hlo.return_([hlo.select(better, a, b), hlo.select(hlo.or_(better, first), i, j)])
        return op.results[1]

    return lowering


extremes.argmax_p.lowering = _place("GT")
extremes.argmin_p.lowering = _place("LT")


def padding_attribute(padding: Sequence[tuple[int, int]]) -> Any:
    """The attribute that holds widths before and after each dimension."""
    widths: Any = np.asarray(padding, np.int64).reshape(-1, 2)
    return ir.DenseIntElementsAttr.get(widths, shape=widths.shape)


def reduce_window_with(
    cx: Any, build: Callable[[Any, Any], Any], initial: Any, x: Any, aval: ShapedArray, aval_out: ShapedArray,
    window: tuple[int, ...], strides: tuple[int, ...], padding: tuple[tuple[int, int], ...],
    base_dilation: tuple[int, ...] | None = None, window_dilation: tuple[int, ...] | None = None,
) -> Any:  # fmt: skip
    """Reduce every window of one array by an operation of two scalars; `initial` is what it starts from."""
    scalar = ShapedArray((), aval.dtype)
    ones = (1,) * len(window)
    op = hlo.ReduceWindowOp(
        [tensor_type(aval_out)],
        [x],
        [splat(initial, scalar)],
        int_array(window),
        window_strides=int_array(strides),
        base_dilations=int_array(base_dilation or ones),
        window_dilations=int_array(window_dilation or ones),
        padding=padding_attribute(padding),
    )
    kind = tensor_type(scalar)
    block = op.regions[0].blocks.append(kind, kind)
    with ir.InsertionPoint(block):
        hlo.return_([build(*block.arguments)])
    return op.results[0]


def _cumulative(build: Callable[..., Any], initial: Callable[[str], Any]) -> Callable[..., Any]:
    """A reduction of the window of everything up to each element, which XLA rewrites to a tree."""

    def lowering(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, axis: int, reverse: bool) -> Any:
        (aval,) = avals_in
        n, rank = aval.shape[axis], len(aval.shape)
        if 0 in aval.shape:
            return x
        ones = (1,) * rank
        before = (0, n - 1) if reverse else (n - 1, 0)
        return reduce_window_with(
            cx, lambda a, b: build(cx, aval.dtype, a, b), initial(aval.dtype), x, aval, aval_out,
            tuple(n if d == axis else 1 for d in range(rank)), ones,
            tuple(before if d == axis else (0, 0) for d in range(rank)),
        )  # fmt: skip

    return lowering


def _logaddexp(cx: Any, dtype: str, a: Any, b: Any) -> Any:
    return built(cx, logaddexp_of, [ShapedArray((), dtype)] * 2, [a, b])


cumulative.cumsum_p.lowering = _cumulative(lambda cx, dtype, a, b: hlo.add(a, b), lambda dtype: 0)
cumulative.cumprod_p.lowering = _cumulative(lambda cx, dtype, a, b: hlo.multiply(a, b), lambda dtype: 1)
cumulative.cummax_p.lowering = _cumulative(
    lambda cx, dtype, a, b: greater(a, b), lambda dtype: extreme(dtype, lowest=True)
)
cumulative.cummin_p.lowering = _cumulative(
    lambda cx, dtype, a, b: lesser(a, b), lambda dtype: extreme(dtype, lowest=False)
)
cumulative.cumlogsumexp_p.lowering = _cumulative(_logaddexp, lambda dtype: -np.inf)


def _reduce(cx: Any, avals_in: Any, avals_out: Any, *operands: Any, jaxpr: Any, dimensions: tuple[int, ...]) -> Any:
    n = len(operands) // 2
    op = hlo.ReduceOp([tensor_type(a) for a in avals_out], operands[:n], operands[n:], int_array(dimensions))
    kinds = [tensor_type(ShapedArray((), a.dtype)) for a in avals_out]
    with ir.InsertionPoint(op.regions[0].blocks.append(*kinds, *kinds)) as point:
        hlo.return_(cx.closed(jaxpr, list(point.block.arguments)))
    return op.results


folding.reduce_p.lowering = _reduce
