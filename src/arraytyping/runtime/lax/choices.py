"""Choices among elements: `select_n`, `select`, `clamp`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.select_n.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_tangents
from arraytyping.runtime.lax.comparisons import lt_p
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.nary import broadcast_tangent
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, moveaxis
from arraytyping.runtime.tracing.batching import Axis, move_batch_dim
from arraytyping.runtime.tracing.tangents import Zero, instantiate, is_zero
from arraytyping.runtime.tracing.transposing import is_linear
from arraytyping.semantics.rules.named import named

__all__ = ["clamp", "clamp_p", "select", "select_n", "select_n_p"]

select_n_p: Final = Primitive("select_n", named("lax.select_n"))


def _jvp_select(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    which, *_ = primals
    result = select_n_p.bind(*primals)
    if all(map(is_zero, tangents[1:])):
        return result, Zero(result.aval)
    return result, select_n_p.bind(which, *map(instantiate, tangents[1:]))


def _transpose_select(ct: Any, which: Any, *cases: Any) -> list[Any]:
    zeros = zeros_of(ct.aval)
    found: list[Any] = [None]
    for i, case in enumerate(cases):
        chosen = (ct if i == j else zeros for j in range(len(cases)))
        found.append(select_n_p.bind(which, *chosen) if is_linear(case) else None)
    return found


def _batch_select(axis: Axis, args: Sequence[Any], dims: Sequence[int | None]) -> tuple[Any, int]:
    which, *cases = args
    if dims[0] is None and not which.aval.shape:  # one choice for the whole batch
        place = next(d for d in dims if d is not None)
        return select_n_p.bind(which, *(move_batch_dim(axis, c, d, place) for c, d in zip(cases, dims[1:]))), place
    moved = [move_batch_dim(axis, c, d, 0) for c, d in zip(cases, dims[1:])]
    which = which if dims[0] is None else moveaxis(which, dims[0], 0)
    shape = moved[0].aval.shape
    if which.aval.shape != shape:
        own = len(which.aval.shape)
        kept = range(own) if dims[0] is not None else range(len(shape) - own, len(shape))
        which = broadcast_in_dim_p.bind(which, shape=shape, broadcast_dimensions=tuple(kept))
    return select_n_p.bind(which, *moved), 0


select_n_p.jvp_rule = _jvp_select
select_n_p.transpose_rule = _transpose_select
select_n_p.batching_rule = _batch_select

clamp_p: Final = Primitive("clamp", named("lax.clamp"))


def _jvp_clamp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    least, x, greatest = primals
    result = clamp_p.bind(least, x, greatest)
    aval = result.aval
    total: Any = Zero(aval)
    # at a bound the tangent is zero, as in JAX
    conditions = (
        ((lt_p, x, least), (lt_p, least, greatest)),
        ((lt_p, least, x), (lt_p, x, greatest)),
        ((lt_p, greatest, x),),
    )
    for tangent, both in zip(tangents, conditions):
        if is_zero(tangent):
            continue
        part = broadcast_tangent(tangent, aval)
        zeros = zeros_of(part.aval)
        for compare, a, b in both:
            part = select_n_p.bind(compare.bind(a, b), zeros, part)
        total = add_tangents(total, part)
    return result, total


def _batch_clamp(axis: Axis, args: Sequence[Any], dims: Sequence[int | None]) -> tuple[Any, int]:
    least, x, greatest = args
    if dims[1] is not None and all(d is None and not a.aval.shape for a, d in zip(args[::2], dims[::2])):
        return clamp_p.bind(least, x, greatest), dims[1]
    x = move_batch_dim(axis, x, dims[1], 0)
    shape = x.aval.shape
    bounds = []
    for bound, dim in zip(args[::2], dims[::2]):
        moved = bound if dim is None and not bound.aval.shape else move_batch_dim(axis, bound, dim, 0)
        own = len(moved.aval.shape)
        if 0 < own < len(shape):
            moved = broadcast_in_dim_p.bind(moved, shape=shape, broadcast_dimensions=(0,))
        bounds.append(moved)
    return clamp_p.bind(bounds[0], x, bounds[1]), 0


clamp_p.jvp_rule = _jvp_clamp
clamp_p.batching_rule = _batch_clamp


@operation("lax.select_n", "which", "cases", how="inline")
def select_n(which: Any, *cases: Any) -> Any:
    """`jax.lax.select_n`: of each place, the element of the case that `which`, a bool or an int, selects."""
    return select_n_p.bind(which, *cases)


@operation("lax.select", "pred", "on_true", "on_false", how="inline")
def select(pred: Any, on_true: Any, on_false: Any) -> Any:
    """`jax.lax.select`: of each place, the element of the first array where `pred` holds, else of the second."""
    return select_n_p.bind(pred, on_false, on_true)


@operation("lax.clamp", "min", "x", "max", how="inline")
def clamp(min: Any, x: Any, max: Any) -> Any:
    """`jax.lax.clamp`: the elements, those outside of the bounds brought to them."""
    return clamp_p.bind(min, x, max)
