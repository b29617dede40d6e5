"""What lowering rules share: operands broadcast to one shape, a reduction whose body is one operation.

Source: https://openxla.org/stablehlo/spec.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.xla.types import int_array, splat, tensor_type
from arraytyping.semantics.avals import ShapedArray, static_shape

__all__ = ["broadcast", "nary", "reduce_with"]


def broadcast(value: Any, aval: ShapedArray, shape: Sequence[int]) -> Any:
    """An operand of an elementwise operation in the shape of the result, repeated where it is smaller."""
    assert aval.shape is not None
    if tuple(aval.shape) == tuple(shape):
        return value
    result = tensor_type(ShapedArray(tuple(shape), aval.dtype))
    if not aval.shape:
        return hlo.broadcast_in_dim(result, value, int_array(()))
    # StableHLO repeats dimensions of size 1
    return hlo.broadcast_in_dim(result, value, int_array(range(len(shape))))


def nary(primitive: Primitive, build: Callable[..., Any]) -> None:
    """Lower an elementwise primitive without parameters to one operation."""

    def lowering(cx: Any, avals_in: Sequence[ShapedArray], aval_out: ShapedArray, *operands: Any, **params: Any) -> Any:
        shape = static_shape(aval_out)
        return build(*[broadcast(v, a, shape) for v, a in zip(operands, avals_in)])

    primitive.lowering = lowering


def reduce_with(
    build: Callable[[Any, Any], Any], initial: Any, operand: Any, aval_in: ShapedArray, aval_out: ShapedArray,
    axes: Sequence[int],
) -> Any:  # fmt: skip
    """Reduce one array by an operation of two scalars; `initial` is the Python scalar that it starts from."""
    scalar = ShapedArray((), aval_in.dtype)
    kind = tensor_type(scalar)
    op = hlo.ReduceOp([tensor_type(aval_out)], [operand], [splat(initial, scalar)], int_array(axes))
    block = op.regions[0].blocks.append(kind, kind)
    with ir.InsertionPoint(block):
        hlo.return_([build(*block.arguments)])
    return op.result
