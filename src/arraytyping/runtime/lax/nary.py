"""What elementwise primitives have in common: derivatives by operand, transposes that undo broadcasting, batching.

The operands of one are of one dtype, and of one shape but for sizes of 1 and operands without dimensions, which are
repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.semantics.avals import ShapedArray, static_shape
from arraytyping.semantics.operations import OPERATIONS
from arraytyping.semantics.rules.named import named

__all__ = ["batch_elementwise", "elementwise", "no_tangent", "unbroadcast"]

Derivative = Callable[..., Any]
"""`derivative(tangent, result, *operands, **params)`: what the tangent of one operand adds to that of the result."""


def elementwise(name: str, *derivatives: Derivative | None, rule: str | None = None) -> Primitive:
    """An elementwise primitive with the rule `lax.<name>`.

    `derivatives` has one for each operand; without any the result has no tangent (it is of integers or bools, or is
    constant in pieces).
    """
    primitive = Primitive(name, named(rule or f"lax.{name}"))
    primitive.is_elementwise = True
    primitive.batching_rule = lambda axis, args, dims, **params: batch_elementwise(primitive, axis, args, dims, params)
    if not derivatives:
        primitive.jvp_rule = lambda primals, tangents, **params: no_tangent(primitive, primals, params)
        return primitive

    def jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
        result = primitive.bind(*primals, **params)
        total: Any = Zero(result.aval)
        for derivative, tangent in zip(derivatives, tangents):
            if derivative is not None and not is_zero(tangent):
                part = derivative(tangent, result, *primals, **params)
                part = broadcast_tangent(part, result.aval)
                total = part if is_zero(total) else total if is_zero(part) else OPERATIONS.add(total, part)
        return result, total

    primitive.jvp_rule = jvp
    return primitive


def no_tangent(primitive: Primitive, primals: Sequence[Any], params: dict[str, Any]) -> tuple[Any, Any]:
    """The result of a primitive through which no tangent goes."""
    result = primitive.bind(*primals, **params)
    if primitive.multiple_results:
        return result, [Zero(r.aval) for r in result]
    return result, Zero(result.aval)


def broadcast_tangent(tangent: Any, aval: ShapedArray) -> Any:
    """The tangent of an operand that is repeated, in the shape of the result."""
    if is_zero(tangent) or tangent.aval.shape == aval.shape:
        return tangent
    return OPERATIONS.broadcast_to(tangent, static_shape(aval))


def unbroadcast(cotangent: Any, aval: ShapedArray) -> Any:
    """The cotangent of an operand that was repeated: the sum over where it went."""
    if is_zero(cotangent) or cotangent.aval.shape == aval.shape:
        return Zero(aval) if is_zero(cotangent) else cotangent
    assert aval.shape is not None
    shape = cotangent.aval.shape
    if not aval.shape:
        return OPERATIONS.reduce_sum(cotangent, tuple(range(len(shape))))
    axes = tuple(i for i, (a, b) in enumerate(zip(aval.shape, shape)) if a != b)
    return OPERATIONS.reshape(OPERATIONS.reduce_sum(cotangent, axes), static_shape(aval))


def batch_elementwise(
    primitive: Primitive, axis: Axis, args: Sequence[Any], dims: Sequence[int | None], params: dict[str, Any]
) -> tuple[Any, int]:
    """The batch goes to dimension 0 of all operands; those of fewer dimensions get as many."""
    ranks = [len(a.aval.shape) - (d is not None) for a, d in zip(args, dims)]
    rank = max(ranks)
    batched = {d for d in dims if d is not None}
    same = len(batched) == 1 and all(r == rank if d is not None else r in (0, rank) for r, d in zip(ranks, dims))
    if same and all(d is not None or not a.aval.shape for a, d in zip(args, dims)):
        return primitive.bind(*args, **params), batched.pop()
    operands = []
    for arg, dim, r in zip(args, dims, ranks):
        if dim is None:
            operands.append(arg if r == 0 else OPERATIONS.reshape(arg, (1, *arg.aval.shape)))
            continue
        moved = OPERATIONS.moveaxis(arg, dim, 0)
        operands.append(moved if r == rank else OPERATIONS.reshape(moved, (axis.size, *(1,) * rank)))
    return primitive.bind(*operands, **params), 0
