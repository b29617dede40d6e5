"""Cumulative sums, products, extremes and logarithms of sums of exponentials.

All but the sum, which is linear, are differentiated as a scan of elements with their tangents.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.cumsum.html and its kin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p, mul_p, sub_p
from arraytyping.runtime.lax.comparisons import max_p, min_p
from arraytyping.runtime.lax.elementary import exp_p
from arraytyping.runtime.lax.logaddexp import logaddexp_of, without_infinity
from arraytyping.runtime.lax.prefix_scans import prefix_scan
from arraytyping.runtime.lax.structure import linear_unary
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.runtime.tracing.forward import jvp_flat
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.semantics.rules.named import named

__all__ = [
    "cumlogsumexp", "cumlogsumexp_p", "cummax", "cummax_p", "cummin", "cummin_p", "cumprod", "cumprod_p", "cumsum",
    "cumsum_p",
]  # fmt: skip

cumsum_p: Final = Primitive("cumsum", named("lax.cumsum"))
cumprod_p: Final = Primitive("cumprod", named("lax.cumprod"))
cummax_p: Final = Primitive("cummax", named("lax.cummax"))
cummin_p: Final = Primitive("cummin", named("lax.cummin"))
cumlogsumexp_p: Final = Primitive("cumlogsumexp", named("lax.cumlogsumexp"))


def _batching(primitive: Primitive) -> Callable[..., Any]:
    def rule(mapped: Axis, args: Sequence[Any], dims: Sequence[int], *, axis: int, reverse: bool) -> tuple[Any, int]:
        (x,), (place,) = args, dims
        return primitive.bind(x, axis=axis + (place <= axis), reverse=reverse), place

    return rule


for _p in (cumsum_p, cumprod_p, cummax_p, cummin_p, cumlogsumexp_p):
    _p.batching_rule = _batching(_p)

linear_unary(cumsum_p)
cumsum_p.transpose_rule = lambda ct, x, *, axis, reverse: [cumsum_p.bind(ct, axis=axis, reverse=not reverse)]


def _scanned_jvp(primitive: Primitive, combine: Primitive) -> Callable[..., Any]:
    def jvp(primals: Sequence[Any], tangents: Sequence[Any], *, axis: int, reverse: bool) -> tuple[Any, Any]:
        if is_zero(tangents[0]):
            result = primitive.bind(*primals, axis=axis, reverse=reverse)
            return result, Zero(result.aval)
        (result,), (tangent,) = jvp_flat(
            lambda x: prefix_scan(lambda a, b: [combine.bind(a[0], b[0])], [x], axis, reverse), primals, tangents
        )
        return result, tangent

    return jvp


cumprod_p.jvp_rule = _scanned_jvp(cumprod_p, mul_p)
cummax_p.jvp_rule = _scanned_jvp(cummax_p, max_p)
cummin_p.jvp_rule = _scanned_jvp(cummin_p, min_p)


def _logaddexp_with_tangents(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    (x, dx), (y, dy) = a, b
    result = logaddexp_of(x, y)
    finite = without_infinity(result)
    parts = [mul_p.bind(d, exp_p.bind(sub_p.bind(without_infinity(v), finite))) for v, d in ((x, dx), (y, dy))]
    return [result, add_p.bind(*parts)]


def _cumlogsumexp_jvp(primals: Sequence[Any], tangents: Sequence[Any], *, axis: int, reverse: bool) -> tuple[Any, Any]:
    if is_zero(tangents[0]):
        result = cumlogsumexp_p.bind(*primals, axis=axis, reverse=reverse)
        return result, Zero(result.aval)
    result, tangent = prefix_scan(_logaddexp_with_tangents, [*primals, *tangents], axis, reverse)
    return result, tangent


cumlogsumexp_p.jvp_rule = _cumlogsumexp_jvp


def _cumulative_function(primitive: Primitive, what: str) -> Callable[..., Any]:
    def function(operand: Any, axis: int = 0, reverse: bool = False) -> Any:
        return primitive.bind(operand, axis=int(axis), reverse=bool(reverse))

    function.__name__ = function.__qualname__ = primitive.name
    function.__doc__ = f"`jax.lax.{primitive.name}`: {what} along one dimension, from the end if `reverse`."
    return operation(f"lax.{primitive.name}", "operand", how="inline")(function)


cumsum: Final = _cumulative_function(cumsum_p, "the sum of all elements up to each")
cumprod: Final = _cumulative_function(cumprod_p, "the product of all elements up to each")
cummax: Final = _cumulative_function(cummax_p, "the greatest of all elements up to each")
cummin: Final = _cumulative_function(cummin_p, "the least of all elements up to each")
cumlogsumexp: Final = _cumulative_function(
    cumlogsumexp_p, "the logarithm of the sum of exponentials of all elements up to each"
)
