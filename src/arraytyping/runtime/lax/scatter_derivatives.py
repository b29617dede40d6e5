"""The tangents of scatters that replace elements, or take the greater or lesser ones.

Where two updates go to one place it is not said which one stays; the tangent is that of the one that did, found by
numbering the updates.  Of updates that are as great as the result, each has an equal share of the tangent.

Source: `_scatter_jvp` and `_scatter_extremal_jvp` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/slicing.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, mul_p, sub_p
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import eq_p
from arraytyping.runtime.lax.creation import full_of, iota_of, zeros_of
from arraytyping.runtime.lax.gathering import GatherScatterMode
from arraytyping.runtime.lax.scattering import gathered_back, scatter_add_p, scatter_max_p, scatter_min_p, scatter_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, reshape
from arraytyping.runtime.tracing.tangents import Zero, instantiate, is_zero
from arraytyping.runtime.tracing.transposing import is_linear
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dimension_numbers import ScatterDimensionNumbers

__all__: list[str] = []


def _where(condition: Any, x: Any, y: Any) -> Any:
    return select_n_p.bind(condition, y, x)


def _replacing_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, dimension_numbers: ScatterDimensionNumbers,
    unique_indices: bool, **params: Any,
) -> tuple[Any, Any]:  # fmt: skip
    x, indices, updates = primals
    dx, _, du = tangents
    params = {"dimension_numbers": dimension_numbers, "unique_indices": unique_indices, **params}
    if is_zero(dx) and is_zero(du):
        result = scatter_p.bind(x, indices, updates, **params)
        return result, Zero(result.aval)
    dx, du = instantiate(dx), instantiate(du)
    if unique_indices:
        return scatter_p.bind(x, indices, updates, **params), scatter_p.bind(dx, indices, du, **params)
    # number the updates from 1, and see which number stays where
    shape = updates.aval.shape
    places = tuple(1 if d in dimension_numbers.update_window_dims else n for d, n in enumerate(shape))
    count = math.prod(places)
    dtype = "uint32" if count < 1 << 32 else "uint64"
    counted = reshape(iota_of(dtype, (count,), 0), places)
    numbers = broadcast_in_dim_p.bind(
        add_p.bind(counted, constant_like(counted, 1)), shape=shape, broadcast_dimensions=tuple(range(len(shape)))
    )
    nothing = zeros_of(ShapedArray(x.aval.shape, dtype, False))
    placed = scatter_p.bind(nothing, indices, numbers, **params)
    stayed = eq_p.bind(numbers, gathered_back(placed, indices, shape, dimension_numbers, mode=params["mode"]))
    untouched = eq_p.bind(placed, nothing)
    results = [
        scatter_add_p.bind(
            _where(untouched, old, zeros_of(old.aval)), indices, _where(stayed, new, zeros_of(new.aval)), **params
        )
        for old, new in ((x, updates), (dx, du))
    ]
    return results[0], results[1]


def _replacing_transpose(
    ct: Any, x: Any, indices: Any, updates: Any, *, dimension_numbers: ScatterDimensionNumbers, unique_indices: bool,
    mode: GatherScatterMode, **params: Any,
) -> list[Any]:  # fmt: skip
    if not unique_indices:
        raise NotImplementedError("scatter transpose is only implemented where unique_indices=True")
    shape = updates.aval.shape
    of_x = of_updates = None
    if is_linear(x):
        of_x = scatter_p.bind(
            ct, indices, zeros_of(ShapedArray(shape, ct.aval.dtype, False)), dimension_numbers=dimension_numbers,
            unique_indices=True, mode=mode, **params,
        )  # fmt: skip
    if is_linear(updates):
        of_updates = gathered_back(ct, indices, shape, dimension_numbers, mode=mode, fill_value=0)
    return [of_x, None, of_updates]


scatter_p.jvp_rule = _replacing_jvp
scatter_p.transpose_rule = _replacing_transpose


def _extreme_jvp(primitive: Primitive) -> Callable[..., Any]:
    def jvp(
        primals: Sequence[Any], tangents: Sequence[Any], *, dimension_numbers: ScatterDimensionNumbers, **params: Any
    ) -> tuple[Any, Any]:
        x, indices, updates = primals
        dx, _, du = tangents
        params = {"dimension_numbers": dimension_numbers, **params}
        result = primitive.bind(x, indices, updates, **params)
        if is_zero(dx) and is_zero(du):
            return result, Zero(result.aval)
        dx, du = instantiate(dx), instantiate(du)
        mode = params["mode"]
        plain = {**params, "unique_indices": False, "indices_are_sorted": False}

        def back(values: Any) -> Any:
            return gathered_back(values, indices, updates.aval.shape, dimension_numbers, mode=mode)

        zeros, ones = zeros_of(updates.aval), full_of(1, updates.aval)
        target = back(result)
        succeeded, retained = eq_p.bind(updates, target), eq_p.bind(back(x), target)
        base = zeros_of(x.aval)
        winners = back(scatter_add_p.bind(base, indices, _where(succeeded, ones, zeros), **plain))
        rivals = back(scatter_add_p.bind(base, indices, ones, **plain))
        shared = div_p.bind(ones, add_p.bind(winners, ones))
        of_updates = _where(succeeded, _where(retained, shared, div_p.bind(ones, winners)), zeros)
        of_x = div_p.bind(sub_p.bind(_where(retained, shared, zeros), ones), rivals)
        changes = add_p.bind(mul_p.bind(back(dx), of_x), mul_p.bind(du, of_updates))
        return result, scatter_add_p.bind(dx, indices, changes, **params)

    return jvp


scatter_min_p.jvp_rule = _extreme_jvp(scatter_min_p)
scatter_max_p.jvp_rule = _extreme_jvp(scatter_max_p)
