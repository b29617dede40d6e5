"""Reductions of windows: sums, maxima, minima, and those by any function of two scalars.

The tangent of a maximum over a window is that of the element which it takes; going back, a cotangent goes to it.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.reduce_window.html;
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/windowed_reductions.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.runtime.core import EVAL, Primitive, use_trace
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.lax.arithmetic import constant_like
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.lax.limits import extreme
from arraytyping.runtime.lax.slicing import pad_p, slice_p
from arraytyping.runtime.lax.structure import linear_unary
from arraytyping.runtime.tracing.batching import Axis, move_batch_dim
from arraytyping.runtime.tracing.forward import jvp_jaxpr
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, instantiate, is_zero
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.lax_windows import windowed_shape
from arraytyping.semantics.rules.refusals import BOOL, refuse
from arraytyping.semantics.rules.shapes.convolutions import dilated

__all__ = [
    "reduce_window_max_p", "reduce_window_min_p", "reduce_window_p", "reduce_window_sum_p", "select_and_gather_add_p",
    "select_and_scatter_add_p",
]  # fmt: skip

Dims = tuple[int, ...]
Pads = tuple[tuple[int, int], ...]


def _shape(
    x: ShapedArray, window_dimensions: Dims, window_strides: Dims, padding: Pads, base_dilation: Dims,
    window_dilation: Dims,
) -> Any:  # fmt: skip
    return windowed_shape(
        "lax.reduce_window", x.shape, window_dimensions, window_strides, padding, base_dilation, window_dilation
    )


def _sum_rule(cx: Any, x: ShapedArray, **params: Any) -> ShapedArray:
    refuse("lax.reduce_window", x.dtype, (BOOL,))
    return _extreme_rule(cx, x, **params)


def _extreme_rule(cx: Any, x: ShapedArray, **params: Any) -> ShapedArray:
    return ShapedArray(_shape(x, **params), x.dtype, x.weak_type)


def _any_rule(cx: Any, *operands: ShapedArray, jaxpr: ClosedJaxpr, **params: Any) -> list[ShapedArray]:
    arrays = operands[: len(operands) // 2]
    return [ShapedArray(_shape(x, **params), x.dtype, False) for x in arrays]


reduce_window_sum_p: Final = Primitive("reduce_window_sum", _sum_rule)
reduce_window_max_p: Final = Primitive("reduce_window_max", _extreme_rule)
reduce_window_min_p: Final = Primitive("reduce_window_min", _extreme_rule)
reduce_window_p: Final = Primitive("reduce_window", _any_rule, multiple_results=True)


def _widened(
    window_dimensions: Dims, window_strides: Dims, padding: Pads, base_dilation: Dims, window_dilation: Dims
) -> dict[str, Any]:
    """The parameters with one more dimension, first, that the windows do not reach along."""
    return {
        "window_dimensions": (1, *window_dimensions), "window_strides": (1, *window_strides),
        "padding": ((0, 0), *padding), "base_dilation": (1, *base_dilation), "window_dilation": (1, *window_dilation),
    }  # fmt: skip


def _batching(primitive: Primitive) -> Callable[..., Any]:
    def rule(axis: Axis, args: Sequence[Any], dims: Sequence[int | None], **params: Any) -> tuple[Any, int]:
        moved = [move_batch_dim(axis, x, d, 0) for x, d in zip(args, dims)]
        own = {k: v for k, v in params.items() if k == "select"}
        return primitive.bind(*moved, **_widened(**{k: v for k, v in params.items() if k not in own}), **own), 0

    return rule


for _p in (reduce_window_sum_p, reduce_window_max_p, reduce_window_min_p):
    _p.batching_rule = _batching(_p)

linear_unary(reduce_window_sum_p)


def _sum_transpose(
    ct: Any, x: Any, *, window_dimensions: Dims, window_strides: Dims, padding: Pads, base_dilation: Dims,
    window_dilation: Dims,
) -> list[Any]:  # fmt: skip
    config = []
    for size, window, stride, out, (low, _), base, hole in zip(
        x.aval.shape, window_dimensions, window_strides, ct.aval.shape, padding, base_dilation, window_dilation
    ):
        reach = dilated(window, hole)
        before = reach - low - 1
        after = dilated(size, base) + reach - 1 - dilated(out, stride) - before
        config.append((before, after, stride - 1))
    padded = pad_p.bind(ct, constant_like(ct, 0), padding_config=tuple(config))
    ones = (1,) * len(config)
    return [
        reduce_window_sum_p.bind(
            padded, window_dimensions=window_dimensions, window_strides=base_dilation, padding=((0, 0),) * len(config),
            base_dilation=ones, window_dilation=window_dilation,
        )
    ]  # fmt: skip


reduce_window_sum_p.transpose_rule = _sum_transpose


def _gather_rule(cx: Any, tangents: ShapedArray, x: ShapedArray, *, select: str, **params: Any) -> ShapedArray:
    return ShapedArray(_shape(x, **params), tangents.dtype, False)


def _scatter_rule(
    cx: Any, source: ShapedArray, x: ShapedArray, *, select: str, window_dimensions: Dims, window_strides: Dims,
    padding: Pads,
) -> ShapedArray:  # fmt: skip
    return ShapedArray(x.shape, source.dtype, False)


select_and_gather_add_p: Final = Primitive("select_and_gather_add", _gather_rule)
select_and_scatter_add_p: Final = Primitive("select_and_scatter_add", _scatter_rule)


def _selecting_jvp(primitive: Primitive) -> Callable[..., Any]:
    """The tangent goes where the element is; where that is does not change."""

    def jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
        result = primitive.bind(*primals, **params)
        if is_zero(tangents[0]):
            return result, Zero(result.aval)
        return result, primitive.bind(tangents[0], primals[1], **params)

    return jvp


def _gather_transpose(
    ct: Any, tangents: Any, x: Any, *, select: str, window_dimensions: Dims, window_strides: Dims, padding: Pads,
    base_dilation: Dims, window_dilation: Dims,
) -> list[Any]:  # fmt: skip
    if any(d != 1 for d in window_dilation):
        raise NotImplementedError(
            "VJP not implemented for select_and_gather (MaxPool) with window dilation, got "
            f"window_dilation={window_dilation}."
        )
    spread = any(d != 1 for d in base_dilation)
    if spread:
        worst = full_of(extreme(x.aval.dtype, lowest=select == "ge"), ShapedArray((), x.aval.dtype, False))
        x = pad_p.bind(x, worst, padding_config=tuple((0, 0, d - 1) for d in base_dilation))
    result = select_and_scatter_add_p.bind(
        ct, x, select=select, window_dimensions=window_dimensions, window_strides=window_strides, padding=padding
    )
    if spread:
        shape = result.aval.shape
        result = slice_p.bind(result, start_indices=(0,) * len(shape), limit_indices=shape, strides=base_dilation)
    return [result, None]


def _scatter_transpose(ct: Any, source: Any, x: Any, *, window_dimensions: Dims, **params: Any) -> list[Any]:
    ones = (1,) * len(window_dimensions)
    params = {**params, "window_dimensions": window_dimensions, "base_dilation": ones, "window_dilation": ones}
    return [select_and_gather_add_p.bind(ct, x, **params), None]


def _scatter_batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, select: str, window_dimensions: Dims,
    window_strides: Dims, padding: Pads,
) -> tuple[Any, int]:  # fmt: skip
    moved = [move_batch_dim(axis, x, d, 0) for x, d in zip(args, dims)]
    return select_and_scatter_add_p.bind(
        *moved, select=select, window_dimensions=(1, *window_dimensions), window_strides=(1, *window_strides),
        padding=((0, 0), *padding),
    ), 0  # fmt: skip


select_and_gather_add_p.jvp_rule = _selecting_jvp(select_and_gather_add_p)
select_and_gather_add_p.transpose_rule = _gather_transpose
select_and_gather_add_p.batching_rule = _batching(select_and_gather_add_p)
select_and_scatter_add_p.jvp_rule = _selecting_jvp(select_and_scatter_add_p)
select_and_scatter_add_p.transpose_rule = _scatter_transpose
select_and_scatter_add_p.batching_rule = _scatter_batch


def _extreme_jvp(primitive: Primitive, select: str) -> Callable[..., Any]:
    def jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
        result = primitive.bind(*primals, **params)
        (tangent,) = tangents
        if is_zero(tangent):
            return result, Zero(result.aval)
        return result, select_and_gather_add_p.bind(tangent, primals[0], select=select, **params)

    return jvp


reduce_window_max_p.jvp_rule = _extreme_jvp(reduce_window_max_p, "ge")
reduce_window_min_p.jvp_rule = _extreme_jvp(reduce_window_min_p, "le")


def _any_jvp(primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: ClosedJaxpr, **params: Any) -> tuple[Any, Any]:
    """The reduction of elements with their tangents, by the function with its tangent."""
    n = len(primals) // 2
    if not all(map(is_zero, tangents[n:])):
        raise TypeError("reduce_window jvp does not support non-zero init_value_tangent.")
    moves = [has_tangent(x.aval) for x in primals[:n]]
    with_tangents, _ = jvp_jaxpr(jaxpr, moves * 2, moves)
    m = sum(moves)

    def combine(*values: Any) -> Sequence[Any]:
        left, right = values[: n + m], values[n + m :]
        return eval_jaxpr(with_tangents.jaxpr, with_tangents.consts, *left[:n], *right[:n], *left[n:], *right[n:])

    dots = [instantiate(t) for t, moving in zip(tangents[:n], moves) if moving]
    zeros = [instantiate(t) for t, moving in zip(tangents[n:], moves) if moving]
    results = windowed(combine, [*primals[:n], *dots], [*primals[n:], *zeros], **params)
    found = iter(results[n:])
    return results[:n], [next(found) if moving else Zero(r.aval) for r, moving in zip(results, moves)]


def _any_batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, jaxpr: ClosedJaxpr, **params: Any
) -> tuple[list[Any], list[int]]:
    n = len(args) // 2
    if any(d is not None for d in dims[n:]):
        raise NotImplementedError("reduce_window batching is not implemented for initial values")
    moved = [move_batch_dim(axis, x, d, 0) for x, d in zip(args[:n], dims[:n])]
    return reduce_window_p.bind(*moved, *args[n:], jaxpr=jaxpr, **_widened(**params)), [0] * n


reduce_window_p.jvp_rule = _any_jvp
reduce_window_p.batching_rule = _any_batch


def windowed(
    combine: Callable[..., Sequence[Any]], arrays: Sequence[Any], initial: Sequence[Any], **params: Any
) -> Any:
    """The reduction of windows of several arrays together by a function of two scalars for each."""
    avals = [ShapedArray((), x.aval.dtype, False) for x in arrays] * 2
    with use_trace(EVAL):
        jaxpr = stage(combine, avals)
    return reduce_window_p.bind(*arrays, *initial, jaxpr=jaxpr, **params)
