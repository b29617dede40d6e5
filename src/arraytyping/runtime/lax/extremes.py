"""Greatest and least elements over dimensions, and where they are.

The tangent of a greatest element is shared equally among all elements that are as great, as JAX has it.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.reduce_max.html, and argmax there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import div_p, mul_p
from arraytyping.runtime.lax.comparisons import eq_p
from arraytyping.runtime.lax.converting import convert_element_type_p
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.nary import no_tangent
from arraytyping.runtime.lax.reductions import batch_reduction, reduce_sum
from arraytyping.runtime.lax.structure import broadcast_in_dim_p
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.named import named

__all__ = ["argmax", "argmax_p", "argmin", "argmin_p", "reduce_max", "reduce_max_p", "reduce_min", "reduce_min_p"]

reduce_max_p: Final = Primitive("reduce_max", named("lax.reduce_max"))
reduce_min_p: Final = Primitive("reduce_min", named("lax.reduce_min"))


def _extreme_jvp(primitive: Primitive) -> Callable[..., Any]:
    def jvp(primals: Sequence[Any], tangents: Sequence[Any], *, axes: tuple[int, ...]) -> tuple[Any, Any]:
        (x,), (tangent,) = primals, tangents
        result = primitive.bind(x, axes=axes)
        if is_zero(tangent):
            return result, Zero(result.aval)
        shape = x.aval.shape
        kept = tuple(d for d in range(len(shape)) if d not in axes)
        spread = broadcast_in_dim_p.bind(result, shape=shape, broadcast_dimensions=kept)
        is_it = convert_element_type_p.bind(eq_p.bind(x, spread), new_dtype=x.aval.dtype, weak_type=False)
        share = reduce_sum(is_it, axes)
        return result, div_p.bind(reduce_sum(mul_p.bind(tangent, is_it), axes), share)

    return jvp


for _primitive in (reduce_max_p, reduce_min_p):
    _primitive.jvp_rule = _extreme_jvp(_primitive)
    batch_reduction(_primitive)


def _place_rule(name: str) -> Callable[..., ShapedArray]:
    """The rule of the public function, of which the one axis is a tuple here."""
    rule = named(name)

    def of_axes(cx: Any, x: ShapedArray, *, axes: tuple[int, ...], index_dtype: str) -> ShapedArray:
        result: ShapedArray = rule(cx, x, axes[0], index_dtype)
        return result

    return of_axes


argmax_p: Final = Primitive("argmax", _place_rule("lax.argmax"))
argmin_p: Final = Primitive("argmin", _place_rule("lax.argmin"))
argmax_p.jvp_rule = lambda primals, tangents, **params: no_tangent(argmax_p, primals, params)
argmin_p.jvp_rule = lambda primals, tangents, **params: no_tangent(argmin_p, primals, params)
batch_reduction(argmax_p)
batch_reduction(argmin_p)


@operation("lax.reduce_max", "operand", how="inline")
def reduce_max(operand: Any, axes: Sequence[int]) -> Any:
    """`jax.lax.reduce_max`: the greatest element over these dimensions; NaN where there is one."""
    return reduce_max_p.bind(operand, axes=tuple(map(int, axes)))


@operation("lax.reduce_min", "operand", how="inline")
def reduce_min(operand: Any, axes: Sequence[int]) -> Any:
    """`jax.lax.reduce_min`: the least element over these dimensions; NaN where there is one."""
    return reduce_min_p.bind(operand, axes=tuple(map(int, axes)))


@operation("lax.argmax", "operand", how="inline")
def argmax(operand: Any, axis: int, index_dtype: Any) -> Any:
    """`jax.lax.argmax`: the first place of the greatest element, or of the first NaN."""
    return argmax_p.bind(operand, axes=(int(axis),), index_dtype=canonical_dtype(index_dtype, "lax.argmax"))


@operation("lax.argmin", "operand", how="inline")
def argmin(operand: Any, axis: int, index_dtype: Any) -> Any:
    """`jax.lax.argmin`: the first place of the least element, or of the first NaN."""
    return argmin_p.bind(operand, axes=(int(axis),), index_dtype=canonical_dtype(index_dtype, "lax.argmin"))
