"""Gathers and scatters as functions of places along axes, which the functions that select and count need.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.gather.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.runtime.lax.gathering import GatherDimensionNumbers, GatherScatterMode, default_fill, gather_p
from arraytyping.runtime.lax.scattering import ScatterDimensionNumbers, scatter_add_p, scatter_p
from arraytyping.runtime.lax.structure import reshape

__all__ = ["put_at", "taken"]


def taken(
    x: Any, indices: Any, axis: int, mode: GatherScatterMode = GatherScatterMode.PROMISE_IN_BOUNDS, *,
    fill_value: Any = None, unique_indices: bool = False, indices_are_sorted: bool = False,
) -> Any:  # fmt: skip
    """What stands at indices along an axis, whose place their dimensions take."""
    shape, count = x.aval.shape, len(indices.aval.shape)
    numbers = GatherDimensionNumbers(
        offset_dims=(*range(axis), *range(axis + count, len(shape) + count - 1)),
        collapsed_slice_dims=(axis,),
        start_index_map=(axis,),
    )
    if mode is GatherScatterMode.FILL_OR_DROP and fill_value is None:
        fill_value = default_fill(x.aval.dtype)
    return gather_p.bind(
        x, reshape(indices, (*indices.aval.shape, 1)), dimension_numbers=numbers,
        slice_sizes=tuple(1 if d == axis else n for d, n in enumerate(shape)), unique_indices=unique_indices,
        indices_are_sorted=indices_are_sorted, mode=mode, fill_value=fill_value,
    )  # fmt: skip


def put_at(
    x: Any, indices: Any, values: Any, *, add: bool = False, unique_indices: bool = False,
) -> Any:  # fmt: skip
    """A vector with values at these indices, or with them added there; what is out of bounds is dropped."""
    return (scatter_add_p if add else scatter_p).bind(
        x, reshape(indices, (*indices.aval.shape, 1)), values,
        dimension_numbers=ScatterDimensionNumbers((), (0,), (0,)),
        indices_are_sorted=False, unique_indices=unique_indices, mode=GatherScatterMode.FILL_OR_DROP,
    )  # fmt: skip
