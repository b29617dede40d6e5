"""Collectives within groups of the examples of a mapped axis (`axis_index_groups`).

Each example gets the values of all, and uses those of its group.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.psum.html.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.collectives import Groups, axis_index, axis_size, times
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.dynamic_slicing import dynamic_index_in_dim, dynamic_slice_in_dim
from arraytyping.runtime.lax.exchanges import all_gather
from arraytyping.runtime.lax.extremes import reduce_max_p, reduce_min_p
from arraytyping.runtime.lax.index_taking import index_take
from arraytyping.runtime.lax.reductions import reduce_sum
from arraytyping.runtime.lax.structure import broadcast_at, broadcast_in_dim_p, moveaxis, reshape

__all__ = ["grouped_all_to_all", "grouped_extreme", "grouped_gather", "grouped_scatter", "grouped_sum"]


def _whole(x: Any, names: Sequence[Any]) -> Any:
    """The values of all examples along a first dimension."""
    shape, size = x.aval.shape, axis_size(names)
    for name in reversed(names):
        x = all_gather(x, name)
    return reshape(x, (size, *shape))


def _of_mine(table: Any, names: Sequence[Any]) -> Any:
    """The row of a table that belongs to this example."""
    rows = materialized(array_from(np.asarray(table)))
    return dynamic_index_in_dim(rows, axis_index(tuple(names)), 0, keepdims=False)


def _members(x: Any, names: Sequence[Any], groups: Groups) -> Any:
    """The values of the group of this example, in its order, along a first dimension."""
    group_of = {i: group for group in groups for i in group}
    table = np.array([group_of[i] for i in range(len(group_of))], np.int32)
    return index_take(_whole(x, names), [_of_mine(table, names)], (0,))


def _place(names: Sequence[Any], groups: Groups) -> Any:
    """The number of this example in its group."""
    places = {i: place for group in groups for place, i in enumerate(group)}
    return _of_mine(np.array([places[i] for i in range(len(places))], np.int32), names)


def _selected(x: Any, names: Sequence[Any], groups: Groups, otherwise: Any) -> Any:
    """The values of all examples, with another in the place of those that are of other groups."""
    number = {i: n for n, group in enumerate(groups) for i in group}
    same = np.array([[number[i] == number[j] for j in range(len(number))] for i in range(len(number))])
    whole = _whole(x, names)
    mask = broadcast_in_dim_p.bind(_of_mine(same, names), shape=whole.aval.shape, broadcast_dimensions=(0,))
    return select_n_p.bind(mask, broadcast_at(otherwise, whole.aval.shape[0], 0), whole)


def grouped_sum(x: Any, names: Sequence[Any], groups: Groups) -> Any:
    """The sum over the group of each example."""
    return reduce_sum(_selected(x, names, groups, zeros_of(x.aval)), (0,))


def grouped_extreme(x: Any, names: Sequence[Any], groups: Groups, is_greatest: bool) -> Any:
    """The greatest, or least, of the group of each example."""
    return (reduce_max_p if is_greatest else reduce_min_p).bind(_selected(x, names, groups, x), axes=(0,))


def grouped_gather(x: Any, names: Sequence[Any], groups: Groups, axis: int, tiled: bool) -> Any:
    """The values of the group of each example, stacked along a new dimension, or joined along one."""
    place = operator.index(axis) % (len(x.aval.shape) + (not tiled))
    made = moveaxis(_members(x, names, groups), 0, place)
    if not tiled:
        return made
    shape = made.aval.shape
    return reshape(made, (*shape[:place], shape[place] * shape[place + 1], *shape[place + 2 :]))


def grouped_all_to_all(x: Any, names: Sequence[Any], groups: Groups, split: int, to: int, tiled: bool) -> Any:
    """A dimension split among the group of each example, and what each gets put along another."""
    members, place = _members(x, names, groups), _place(names, groups)
    if not tiled:
        return moveaxis(dynamic_index_in_dim(members, place, split + 1, keepdims=False), 0, to)
    width = x.aval.shape[split] // len(groups[0])
    joined = moveaxis(dynamic_slice_in_dim(members, times(place, width), width, split + 1), 0, to)
    sizes = joined.aval.shape
    return reshape(joined, (*sizes[:to], sizes[to] * sizes[to + 1], *sizes[to + 2 :]))


def grouped_scatter(x: Any, names: Sequence[Any], groups: Groups, dimension: int, tiled: bool) -> Any:
    """The sum over the group of each example, of which it gets its part along a dimension."""
    total, place = grouped_sum(x, names, groups), _place(names, groups)
    if not tiled:
        return dynamic_index_in_dim(total, place, dimension, keepdims=False)
    width = x.aval.shape[dimension] // len(groups[0])
    return dynamic_slice_in_dim(total, times(place, width), width, dimension)
