"""`scatter` and its kin: an array with updates at places that are traced.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.scatter.html; https://openxla.org/stablehlo/spec#scatter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_tangents, mul_p, neg_p
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.gathering import GatherScatterMode, default_fill, gather_p, scatter_numbers
from arraytyping.runtime.lax.structure import moveaxis
from arraytyping.runtime.tracing.batching import Axis, move_batch_dim
from arraytyping.runtime.tracing.tangents import Zero, instantiate, is_zero
from arraytyping.runtime.tracing.transposing import is_linear
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dimension_numbers import GatherDimensionNumbers, ScatterDimensionNumbers
from arraytyping.semantics.rules.named import named

__all__ = [
    "ScatterDimensionNumbers", "batch_scatter", "gathered_back", "scatter_add_p", "scatter_max_p", "scatter_min_p",
    "scatter_mul_p", "scatter_p", "scatter_sub_p",
]  # fmt: skip

scatter_p: Final = Primitive("scatter", named("lax.scatter"))
scatter_add_p: Final = Primitive("scatter_add", named("lax.scatter_add"))
scatter_sub_p: Final = Primitive("scatter_sub", named("lax.scatter_sub"))
scatter_mul_p: Final = Primitive("scatter_mul", named("lax.scatter_mul"))
scatter_min_p: Final = Primitive("scatter_min", named("lax.scatter_min"))
scatter_max_p: Final = Primitive("scatter_max", named("lax.scatter_max"))


def gathered_back(
    x: Any, indices: Any, updates_shape: tuple[int, ...], numbers: ScatterDimensionNumbers, *,
    mode: GatherScatterMode = GatherScatterMode.FILL_OR_DROP, fill_value: Any = None,
    **params: Any,
) -> Any:  # fmt: skip
    """For each update, what stands in `x` where it goes: the gather that a scatter undoes."""
    taken = {*numbers.inserted_window_dims, *numbers.operand_batching_dims}
    window = iter(numbers.update_window_dims)
    sizes = tuple(1 if d in taken else updates_shape[next(window)] for d in range(len(x.aval.shape)))
    gather_numbers = GatherDimensionNumbers(
        offset_dims=tuple(numbers.update_window_dims),
        collapsed_slice_dims=tuple(numbers.inserted_window_dims),
        start_index_map=tuple(numbers.scatter_dims_to_operand_dims),
        operand_batching_dims=tuple(numbers.operand_batching_dims),
        start_indices_batching_dims=tuple(numbers.scatter_indices_batching_dims),
    )
    if mode is not GatherScatterMode.FILL_OR_DROP:
        fill_value = None
    elif fill_value is None:
        fill_value = default_fill(x.aval.dtype)
    return gather_p.bind(
        x, indices, dimension_numbers=gather_numbers, slice_sizes=sizes, unique_indices=False,
        indices_are_sorted=False, mode=mode, fill_value=fill_value, **params,
    )  # fmt: skip


def _linear_jvp(primitive: Primitive) -> Callable[..., Any]:
    def jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
        x, indices, updates = primals
        result = primitive.bind(x, indices, updates, **params)
        dx, _, du = tangents
        if is_zero(dx) and is_zero(du):
            return result, Zero(result.aval)
        return result, primitive.bind(instantiate(dx), indices, instantiate(du), **params)

    return jvp


def _linear_transpose(primitive: Primitive) -> Callable[..., Any]:
    def transpose(
        ct: Any, x: Any, indices: Any, updates: Any, *, dimension_numbers: ScatterDimensionNumbers,
        mode: GatherScatterMode, **params: Any,
    ) -> list[Any]:  # fmt: skip
        of_updates = None
        if is_linear(updates):
            of_updates = gathered_back(ct, indices, updates.aval.shape, dimension_numbers, mode=mode, fill_value=0)
            if primitive is scatter_sub_p:
                of_updates = neg_p.bind(of_updates)
        return [ct if is_linear(x) else None, None, of_updates]

    return transpose


for _p in (scatter_add_p, scatter_sub_p):
    _p.jvp_rule = _linear_jvp(_p)
    _p.transpose_rule = _linear_transpose(_p)


def _check_unique(unique_indices: bool) -> None:
    """Refuse to differentiate where two updates may go to one place.

    Raises:
        NotImplementedError: as JAX does.
    """
    if not unique_indices:
        raise NotImplementedError("scatter_mul gradients are only implemented if `unique_indices=True`")


def _mul_jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
    x, indices, updates = primals
    dx, _, du = tangents
    result = scatter_mul_p.bind(x, indices, updates, **params)
    total: Any = Zero(result.aval)
    if not is_zero(dx):
        total = scatter_mul_p.bind(dx, indices, updates, **params)
    if not is_zero(du):
        _check_unique(params["unique_indices"])
        total = add_tangents(total, mul_p.bind(x, scatter_add_p.bind(zeros_of(x.aval), indices, du, **params)))
    return result, total


def _mul_transpose(
    ct: Any, x: Any, indices: Any, updates: Any, *, dimension_numbers: ScatterDimensionNumbers, mode: GatherScatterMode,
    unique_indices: bool, indices_are_sorted: bool,
) -> list[Any]:  # fmt: skip
    if is_linear(x):
        params = {"unique_indices": unique_indices, "indices_are_sorted": indices_are_sorted, "mode": mode}
        return [scatter_mul_p.bind(ct, indices, updates, dimension_numbers=dimension_numbers, **params), None, None]
    _check_unique(unique_indices)
    product = mul_p.bind(ct, x)
    return [
        None, None,
        gathered_back(product, indices, updates.aval.shape, dimension_numbers, mode=mode, fill_value=0),
    ]  # fmt: skip


scatter_mul_p.jvp_rule = _mul_jvp
scatter_mul_p.transpose_rule = _mul_transpose


def batch_scatter(primitive: Primitive) -> Callable[..., Any]:
    """The batching rule of a scatter: operand and updates go through the batch, and the indices, if they do."""

    def rule(
        axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, dimension_numbers: ScatterDimensionNumbers,
        **params: Any,
    ) -> tuple[Any, int]:  # fmt: skip
        x, updates = (move_batch_dim(axis, args[i], dims[i], 0) for i in (0, 2))
        indices, n = args[1], dimension_numbers
        window, inserted, index_map, batching, indices_batching = (tuple(d + 1 for d in dims_) for dims_ in n)
        if dims[1] is None:
            window, indices_batching = (0, *window), tuple(n.scatter_indices_batching_dims)
        else:
            indices = moveaxis(indices, dims[1], 0)
            batching, indices_batching = (0, *batching), (0, *indices_batching)
        numbers = ScatterDimensionNumbers(window, inserted, index_map, batching, indices_batching)
        return primitive.bind(x, indices, updates, dimension_numbers=numbers, **params), 0

    return rule


for _p in (scatter_p, scatter_add_p, scatter_sub_p, scatter_mul_p, scatter_min_p, scatter_max_p):
    _p.batching_rule = batch_scatter(_p)


def _transpose_gather(
    ct: Any, x: Any, indices: Any, *, dimension_numbers: GatherDimensionNumbers, slice_sizes: Any, fill_value: Any,
    **params: Any,
) -> list[Any]:  # fmt: skip
    numbers = scatter_numbers(dimension_numbers)
    aval = x.aval  # a custom backward pass may give cotangents of another dtype
    aval = aval if aval.dtype == ct.aval.dtype else ShapedArray(aval.shape, ct.aval.dtype, False)
    return [scatter_add_p.bind(zeros_of(aval), indices, ct, dimension_numbers=numbers, **params), None]


gather_p.transpose_rule = _transpose_gather
