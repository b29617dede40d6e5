"""Sorting.

Floats are in the order -inf ... 0 ... inf, NaN, in which the zeros are equal and all NaNs too; complex numbers by the
real part, then by the imaginary part.

Source: https://openxla.org/stablehlo/spec#sort; https://docs.jax.dev/en/latest/_autosummary/jax.lax.sort.html.
"""

from __future__ import annotations

import math
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import chlo, stablehlo as hlo

from arraytyping.runtime.lax.sorting import sort_p, top_k_p
from arraytyping.runtime.xla.lowerings.reductions import compare
from arraytyping.runtime.xla.types import int_array, splat, tensor_type
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray


def _keys(x: Any, dtype: str) -> list[tuple[Any, str]]:
    """The scalars by which an element is ordered, each with its dtype."""
    kind = KINDS[dtype]
    if kind == "c":
        part = "float32" if dtype == "complex64" else "float64"
        return [*_keys(hlo.real(x), part), *_keys(hlo.imag(x), part)]
    if kind != "f":
        return [(x, dtype)]
    scalar = ShapedArray((), dtype)
    x = hlo.select(compare(x, splat(0, scalar), "EQ", dtype), splat(0, scalar), x)
    return [(hlo.select(compare(x, x, "NE", dtype), splat(math.nan, scalar), x), dtype)]


def _sort(
    cx: Any, avals_in: Any, avals_out: Any, *operands: Any, dimension: int, is_stable: bool, num_keys: int
) -> Any:
    op = hlo.SortOp(
        [tensor_type(a) for a in avals_out], list(operands),
        dimension=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dimension), is_stable=ir.BoolAttr.get(is_stable),
    )  # fmt: skip
    kinds = [tensor_type(ShapedArray((), a.dtype)) for a in avals_in for _ in range(2)]
    block = op.comparator.blocks.append(*kinds)
    with ir.InsertionPoint(block):
        pairs: list[tuple[Any, Any, str]] = []
        for i, aval in enumerate(avals_in[:num_keys]):
            x, y = (_keys(block.arguments[2 * i + side], aval.dtype) for side in range(2))
            pairs.extend((a, b, dtype) for (a, dtype), (b, _) in zip(x, y))
        less: Any = None
        for a, b, dtype in reversed(pairs):
            here = compare(a, b, "LT", dtype, total_order=True)
            if less is not None:
                here = hlo.or_(here, hlo.and_(compare(a, b, "EQ", dtype, total_order=True), less))
            less = here
        hlo.return_([less])
    return op.results


sort_p.lowering = _sort


def _top_k(cx: Any, avals_in: Any, avals_out: Any, x: Any, *, k: int, axis: int) -> Any:
    """Along the last dimension, which is the one that CHLO knows."""
    (aval,) = avals_in
    rank = len(aval.shape)
    if axis == rank - 1:
        return chlo.top_k(x, ir.IntegerAttr.get(ir.IntegerType.get_signless(64), k))
    swap = list(range(rank))
    swap[axis], swap[-1] = swap[-1], swap[axis]
    moved = hlo.transpose(x, int_array(swap))
    results = chlo.top_k(moved, ir.IntegerAttr.get(ir.IntegerType.get_signless(64), k))
    return [hlo.transpose(r, int_array(swap)) for r in results]


top_k_p.lowering = _top_k
