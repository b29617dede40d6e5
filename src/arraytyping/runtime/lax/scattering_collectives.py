"""What each example of a mapped axis gets of all the others: `all_to_all`, `psum_scatter`, `pshuffle`, `pbroadcast`.

Source: https://docs.jax.dev/en/latest/jax.lax.html#parallel-operators.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.collectives import axis_index, axis_names, axis_size, groups_of, over_mesh, psum, times
from arraytyping.runtime.lax.dynamic_slicing import dynamic_index_in_dim, dynamic_slice_in_dim
from arraytyping.runtime.lax.exchanges import all_gather, ppermute
from arraytyping.runtime.lax.structure import linear_unary, moveaxis, reshape
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.semantics.avals import ShapedArray

__all__ = ["all_to_all", "all_to_all_p", "pbroadcast", "pshuffle", "psum_scatter", "reduce_scatter_p"]


def _exchanged_type(
    cx: Any, x: ShapedArray, *, axis_name: tuple[Any, ...], size: int, split_axis: int, concat_axis: int
) -> ShapedArray:
    shape = list(cast(tuple[int, ...], x.shape))
    shape[split_axis] //= size
    shape[concat_axis] *= size
    return ShapedArray(tuple(shape), x.dtype, x.weak_type)


all_to_all_p: Final = Primitive("all_to_all", _exchanged_type, is_collective=True)
"""Over axes of a mesh: a dimension is split into equal parts, those that a device gets are joined along another."""
linear_unary(all_to_all_p)
all_to_all_p.transpose_rule = lambda ct, x, *, axis_name, size, split_axis, concat_axis: [
    all_to_all_p.bind(ct, axis_name=axis_name, size=size, split_axis=concat_axis, concat_axis=split_axis)
]


def _batch_exchange(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, split_axis: int, concat_axis: int, **params: Any
) -> tuple[Any, int]:
    (x,), (dim,) = args, dims
    assert dim is not None
    moved = moveaxis(x, dim, 0)
    return all_to_all_p.bind(moved, split_axis=split_axis + 1, concat_axis=concat_axis + 1, **params), 0


all_to_all_p.batching_rule = _batch_exchange


def _scattered_type(cx: Any, x: ShapedArray, *, axis_name: tuple[Any, ...], size: int, dimension: int) -> ShapedArray:
    shape = list(cast(tuple[int, ...], x.shape))
    shape[dimension] //= size
    return ShapedArray(tuple(shape), x.dtype, x.weak_type)


reduce_scatter_p: Final = Primitive("reduce_scatter", _scattered_type, is_collective=True)
"""Over axes of a mesh: the sum, of which each device gets its part along a dimension."""
linear_unary(reduce_scatter_p)


def _transpose_scatter(ct: Any, x: Any, *, axis_name: tuple[Any, ...], size: int, dimension: int) -> list[Any]:
    for name in reversed(axis_name):
        ct = all_gather(ct, name, axis=dimension, tiled=True)
    return [ct]


def _batch_scatter(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, dimension: int, **params: Any
) -> tuple[Any, int]:
    (x,), (dim,) = args, dims
    assert dim is not None
    return reduce_scatter_p.bind(moveaxis(x, dim, 0), dimension=dimension + 1, **params), 0


reduce_scatter_p.transpose_rule = _transpose_scatter
reduce_scatter_p.batching_rule = _batch_scatter


def _each(x: Any, change: Callable[[Any], Any]) -> Any:
    return tree.map(lambda leaf: change(materialized(array_from(leaf))), x)


def _place(name: str, axis: Any, rank: int) -> int:
    """The number of a dimension, counted from the front.

    Raises:
        ValueError: if there is no such dimension.
    """
    place = operator.index(axis)
    if not -rank <= place < rank:
        raise ValueError(f"{name}: axis {axis} is out of bounds for an array of {rank} dimensions")
    return place % rank


def _gathered(x: Any, names: Sequence[Any], size: int) -> Any:
    """The values of all examples along dimension 0, those of the last axis next to each other."""
    shape = x.aval.shape
    for name in reversed(names):
        x = all_gather(x, name)
    return reshape(x, (size, *shape))


def all_to_all(
    x: Any, axis_name: Any, split_axis: int, concat_axis: int, *, axis_index_groups: Any = None, tiled: bool = False
) -> Any:
    """`jax.lax.all_to_all`: a dimension is split among the examples, and what each gets is put along another.

    With `tiled` the dimension is split into equal parts, which are joined; else it has the size of the mapped axis,
    and there is a new dimension.

    Raises:
        NameError: if no axis of this name is mapped here.
        ValueError: if the dimension cannot be split, or does not exist.
    """
    names = axis_names(axis_name)
    groups = groups_of(axis_index_groups, names, "all_to_all")
    size = len(groups[0]) if groups else axis_size(names)

    def exchanged(array: Any) -> Any:
        shape = array.aval.shape
        split = _place("all_to_all", split_axis, len(shape))
        to = _place("all_to_all", concat_axis, len(shape))
        if tiled and shape[split] % size:
            raise ValueError(
                f"The size of all_to_all split_axis ({shape[split]}) has to be divisible by the size of the named axis "
                f"{axis_name} ({size})"
            )
        if not tiled and shape[split] != size:
            raise ValueError(
                "all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis], but they are "
                f"{size} and {shape[split]} respectively."
            )
        if groups is not None:
            from arraytyping.runtime.lax.grouped_collectives import grouped_all_to_all

            return grouped_all_to_all(array, names, groups, split, to, tiled)
        if over_mesh(names):
            if tiled:
                return all_to_all_p.bind(array, axis_name=names, size=size, split_axis=split, concat_axis=to)
            # the part of each device gets a dimension of its own where the parts are joined
            rest = (*shape[:split], *shape[split + 1 :])
            joined = (*shape[: split + 1], 1, *shape[split + 1 :])
            parts = all_to_all_p.bind(
                reshape(array, joined), axis_name=names, size=size, split_axis=split, concat_axis=split + 1
            )
            parts = reshape(parts, (*rest[:split], size, *rest[split:]))
            return moveaxis(parts, split, to)
        whole = _gathered(array, names, size)
        if not tiled:
            return moveaxis(dynamic_index_in_dim(whole, axis_index(axis_name), split + 1, keepdims=False), 0, to)
        width = shape[split] // size
        mine = dynamic_slice_in_dim(whole, times(axis_index(axis_name), width), width, split + 1)
        joined = moveaxis(mine, 0, to)
        sizes = joined.aval.shape
        return reshape(joined, (*sizes[:to], sizes[to] * sizes[to + 1], *sizes[to + 2 :]))

    return _each(x, exchanged)


def psum_scatter(
    x: Any, axis_name: Any, *, scatter_dimension: int = 0, axis_index_groups: Any = None, tiled: bool = False
) -> Any:
    """`jax.lax.psum_scatter`: the sum over the mapped axis, of which each example gets its part along a dimension.

    Raises:
        NameError: if no axis of this name is mapped here.
        ValueError: if the dimension has not the size of the axis or, with `tiled`, cannot be split, or does not exist.
    """
    names = axis_names(axis_name)
    groups = groups_of(axis_index_groups, names, "psum_scatter")
    size = len(groups[0]) if groups else axis_size(names)

    def scattered(array: Any) -> Any:
        shape = array.aval.shape
        place = _place("psum_scatter", scatter_dimension, len(shape))
        if tiled and shape[place] % size:
            raise ValueError(
                f"tiled reduce_scatter operand scatter dimension size {shape[place]} must be divisible by shard_count "
                f"{size}"
            )
        if not tiled and shape[place] != size:
            raise ValueError(
                f"reduce_scatter operand scatter dimension size {shape[place]} must match shard count {size}"
            )
        if groups is not None:
            from arraytyping.runtime.lax.grouped_collectives import grouped_scatter

            return grouped_scatter(array, names, groups, place, tiled)
        if over_mesh(names):
            part = reduce_scatter_p.bind(array, axis_name=names, size=size, dimension=place)
            return part if tiled else reshape(part, (*shape[:place], *shape[place + 1 :]))
        total, index = psum(array, names), axis_index(axis_name)
        if not tiled:
            return dynamic_index_in_dim(total, index, place, keepdims=False)
        width = shape[place] // size
        return dynamic_slice_in_dim(total, times(index, width), width, place)

    return _each(x, scattered)


def pshuffle(x: Any, axis_name: Any, perm: Sequence[int]) -> Any:
    """`jax.lax.pshuffle`: each example gets the value of another, `perm` says of which.

    Raises:
        NameError: if no axis of this name is mapped here.
        ValueError: if it is no permutation.
    """
    if set(perm) != set(range(len(perm))):
        raise ValueError(f"`perm` does not represent a permutation: {perm}")
    return ppermute(x, axis_name, list(zip(perm, range(len(perm)))))


def pbroadcast(x: Any, axis_name: Any, source: int) -> Any:
    """`jax.lax.pbroadcast`: every example gets the value of one.

    Raises:
        NameError: if no axis of this name is mapped here.
        ValueError: if it does not exist.
    """
    names = axis_names(axis_name)
    size = axis_size(names)
    number = operator.index(source)
    if not 0 <= number < size:
        raise ValueError(f"pbroadcast: the axis {axis_name!r} has size {size}, and no example {number}")
    return _each(x, lambda array: dynamic_index_in_dim(_gathered(array, names, size), number, 0, keepdims=False))
