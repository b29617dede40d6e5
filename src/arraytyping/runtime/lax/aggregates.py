"""Sums, products and logical reductions over dimensions, as public functions; and the primitives but for the sum.

A product is differentiated as JAX does, by a tree of multiplications, which is right also where factors are zero.

Source: https://docs.jax.dev/en/latest/jax.lax.html; https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py,
`_reduce_jvp`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import constant_like, mul_p
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.lax.nary import no_tangent
from arraytyping.runtime.lax.reductions import batch_reduction, reduce_sum_p
from arraytyping.runtime.lax.slicing import pad_p, slice_p
from arraytyping.runtime.lax.structure import reshape, transpose
from arraytyping.runtime.tracing.forward import jvp_flat
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.named import named

__all__ = [
    "reduce_and", "reduce_and_p", "reduce_or", "reduce_or_p", "reduce_prod", "reduce_prod_p", "reduce_sum",
    "reduce_xor", "reduce_xor_p", "slice_along",
]  # fmt: skip

reduce_prod_p: Final = Primitive("reduce_prod", named("lax.reduce_prod"))
reduce_and_p: Final = Primitive("reduce_and", named("lax.reduce_and"))
reduce_or_p: Final = Primitive("reduce_or", named("lax.reduce_or"))
reduce_xor_p: Final = Primitive("reduce_xor", named("lax.reduce_xor"))

for _primitive in (reduce_prod_p, reduce_and_p, reduce_or_p, reduce_xor_p):
    batch_reduction(_primitive)
reduce_and_p.jvp_rule = lambda primals, tangents, **params: no_tangent(reduce_and_p, primals, params)
reduce_or_p.jvp_rule = lambda primals, tangents, **params: no_tangent(reduce_or_p, primals, params)
reduce_xor_p.jvp_rule = lambda primals, tangents, **params: no_tangent(reduce_xor_p, primals, params)


def slice_along(x: Any, start: int, limit: int, stride: int = 1, axis: int = 0) -> Any:
    """The elements from `start` to before `limit` along one dimension."""
    shape = x.aval.shape
    return slice_p.bind(
        x,
        start_indices=tuple(start if d == axis else 0 for d in range(len(shape))),
        limit_indices=tuple(limit if d == axis else n for d, n in enumerate(shape)),
        strides=None if stride == 1 else tuple(stride if d == axis else 1 for d in range(len(shape))),
    )


def _product_along_first(x: Any) -> Any:
    """The product over dimension 0, of two halves again and again."""
    rest = x.aval.shape[1:]
    if x.aval.shape[0] == 0:
        return full_of(1, ShapedArray(rest, x.aval.dtype, False))
    while (n := x.aval.shape[0]) > 1:
        half = (n + 1) // 2
        first, second = slice_along(x, 0, half), slice_along(x, half, n)
        if n % 2:
            second = pad_p.bind(second, constant_like(x, 1), padding_config=((0, 1, 0), *((0, 0, 0),) * len(rest)))
        x = mul_p.bind(first, second)
    return reshape(x, rest)


def _prod_jvp(primals: Sequence[Any], tangents: Sequence[Any], *, axes: tuple[int, ...]) -> tuple[Any, Any]:
    (x,) = primals
    if is_zero(tangents[0]):
        result = reduce_prod_p.bind(x, axes=axes)
        return result, Zero(result.aval)

    def product(x: Any) -> list[Any]:
        shape = x.aval.shape
        kept = tuple(d for d in range(len(shape)) if d not in axes)
        first = transpose(x, (*axes, *kept))
        flat = reshape(first, (math.prod(shape[a] for a in axes), *(shape[d] for d in kept)))
        return [_product_along_first(flat)]

    (result,), (tangent,) = jvp_flat(product, primals, tangents)
    return result, tangent


reduce_prod_p.jvp_rule = _prod_jvp


@operation("lax.reduce_sum", "operand", how="inline")
def reduce_sum(operand: Any, axes: Sequence[int], *, out_sharding: Any = None) -> Any:
    """`jax.lax.reduce_sum`: the sum over these dimensions."""
    return reduce_sum_p.bind(operand, axes=tuple(map(int, axes)))


@operation("lax.reduce_prod", "operand", how="inline")
def reduce_prod(operand: Any, axes: Sequence[int]) -> Any:
    """`jax.lax.reduce_prod`: the product over these dimensions."""
    return reduce_prod_p.bind(operand, axes=tuple(map(int, axes)))


def _from_front(operand: Any, axes: Sequence[int]) -> tuple[int, ...]:
    """Axes counted from the front, each once: those of logical reductions may count from the end."""
    rank = len(operand.aval.shape)
    return tuple(dict.fromkeys(int(a) % rank for a in axes))


@operation("lax.reduce_and", "operand", how="inline")
def reduce_and(operand: Any, axes: Sequence[int]) -> Any:
    """`jax.lax.reduce_and`: the conjunction, of integers bit by bit, over these dimensions."""
    return reduce_and_p.bind(operand, axes=_from_front(operand, axes))


@operation("lax.reduce_or", "operand", how="inline")
def reduce_or(operand: Any, axes: Sequence[int]) -> Any:
    """`jax.lax.reduce_or`: the disjunction, of integers bit by bit, over these dimensions."""
    return reduce_or_p.bind(operand, axes=_from_front(operand, axes))


@operation("lax.reduce_xor", "operand", how="inline")
def reduce_xor(operand: Any, axes: Sequence[int]) -> Any:
    """`jax.lax.reduce_xor`: the exclusive disjunction, of integers bit by bit, over these dimensions."""
    return reduce_xor_p.bind(operand, axes=_from_front(operand, axes))
