"""Exchanges between the examples of a mapped axis: `all_gather`, `ppermute`, `pswapaxes`.

Source: https://docs.jax.dev/en/latest/jax.lax.html#parallel-operators.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Final, cast

from arraytyping.runtime import trace_state, tree
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.collectives import (
    axis_index,
    axis_index_p,
    axis_names,
    axis_size,
    groups_of,
    over_mesh,
    psum_p,
    same_type,
    times,
)
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.structure import linear_unary, moveaxis, reshape
from arraytyping.runtime.tracing.batching import Axis, move_batch_dim
from arraytyping.semantics.avals import ShapedArray

__all__ = ["all_gather", "ppermute", "pswapaxes"]


def _gathered(cx: Any, x: ShapedArray, *, axis_name: tuple[Any, ...], size: int, axis: int, tiled: bool) -> ShapedArray:
    shape = list(cast(tuple[int, ...], x.shape))
    if tiled:
        shape[axis] *= size
    else:
        shape.insert(axis, size)
    return ShapedArray(tuple(shape), x.dtype, x.weak_type)


all_gather_p: Final = Primitive("all_gather", _gathered, is_collective=True)
linear_unary(all_gather_p)


def _batch_gather(
    mapped: Axis, args: Sequence[Any], dims: Sequence[int | None], *, axis_name: tuple[Any, ...], size: int, axis: int,
    tiled: bool,
) -> tuple[Any, int | None]:  # fmt: skip
    (x,), (dim,) = args, dims
    if mapped.name not in axis_name:
        assert dim is not None
        return all_gather_p.bind(moveaxis(x, dim, 0), axis_name=axis_name, size=size, axis=axis + 1, tiled=tiled), 0
    moved = move_batch_dim(mapped, x, dim, axis)
    if not tiled:
        return moved, None
    shape = moved.aval.shape
    return reshape(moved, (*shape[:axis], shape[axis] * shape[axis + 1], *shape[axis + 2 :])), None


def _transpose_gather(ct: Any, x: Any, *, axis_name: tuple[Any, ...], size: int, axis: int, tiled: bool) -> list[Any]:
    from arraytyping.runtime.lax.dynamic_slicing import dynamic_index_in_dim, dynamic_slice_in_dim

    total = psum_p.bind(ct, axis_name=axis_name)
    index = axis_index_p.bind(axis_name=axis_name)
    if not tiled:
        return [dynamic_index_in_dim(total, index, axis, keepdims=False)]
    width = x.aval.shape[axis]
    return [dynamic_slice_in_dim(total, times(index, width), width, axis)]


all_gather_p.batching_rule = _batch_gather
all_gather_p.transpose_rule = _transpose_gather


def all_gather(x: Any, axis_name: Any, *, axis_index_groups: Any = None, axis: int = 0, tiled: bool = False) -> Any:
    """`jax.lax.all_gather`: the values of all examples, stacked along a new dimension, or joined along one (tiled).

    Raises:
        NameError: if no axis of this name is mapped here.
        ValueError: if the dimension does not exist, or no axis is named.
    """
    names = axis_names(axis_name)
    groups = groups_of(axis_index_groups, names, "all_gather") if names else None
    if not names:
        raise ValueError("all_gather takes the name of an axis or several, got none")
    size = trace_state.axis_size(names[0])

    def gather(leaf: Any) -> Any:
        array = materialized(array_from(leaf))
        rank = len(array.aval.shape) + (not tiled)
        place = operator.index(axis)
        if not -rank <= place < rank:
            raise ValueError(f"all_gather: axis {axis} is out of bounds for a result of {rank} dimensions")
        if groups is not None:
            from arraytyping.runtime.lax.grouped_collectives import grouped_gather

            return grouped_gather(array, names, groups, place, tiled)
        if len(names) > 1:  # the last one is the fastest
            place %= rank
            shape = array.aval.shape
            whole = array if tiled else reshape(array, (*shape[:place], 1, *shape[place:]))
            for name in reversed(names):
                whole = all_gather(whole, name, axis=place, tiled=True)
            return whole
        return all_gather_p.bind(array, axis_name=names, size=size, axis=place % rank, tiled=bool(tiled))

    return tree.map(gather, x)


ppermute_p: Final = Primitive("ppermute", same_type, is_collective=True)
linear_unary(ppermute_p)
ppermute_p.transpose_rule = lambda ct, x, *, axis_name, perm: [
    ppermute_p.bind(ct, axis_name=axis_name, perm=tuple((b, a) for a, b in perm))
]


def _batch_permute(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, axis_name: tuple[Any, ...],
    perm: tuple[tuple[int, int], ...],
) -> tuple[Any, int | None]:  # fmt: skip
    (x,), (dim,) = args, dims
    if axis.name not in axis_name:
        return ppermute_p.bind(x, axis_name=axis_name, perm=perm), dim
    from arraytyping.runtime.lax.aggregates import slice_along
    from arraytyping.runtime.lax.slicing import concatenate_p

    moved = move_batch_dim(axis, x, dim, 0)
    sources = {to: source for source, to in perm}
    zero = zeros_of(ShapedArray((1, *moved.aval.shape[1:]), moved.aval.dtype, moved.aval.weak_type))
    parts = [slice_along(moved, sources[i], sources[i] + 1, 1, 0) if i in sources else zero for i in range(axis.size)]
    return concatenate_p.bind(*parts, dimension=0), 0


ppermute_p.batching_rule = _batch_permute


def ppermute(x: Any, axis_name: Any, perm: Sequence[tuple[int, int]]) -> Any:
    """`jax.lax.ppermute`: each pair of `perm` sends the value of one example to another; who gets none gets zeros.

    Raises:
        NameError: if no axis of this name is mapped here.
        ValueError: if an example sends or gets twice, or does not exist.
    """
    names = axis_names(axis_name)
    if len(names) != 1 and not over_mesh(names):
        raise NotImplementedError(f"ppermute takes one axis, or several of a mesh, got {names}")
    size = axis_size(names)
    pairs = tuple((operator.index(a), operator.index(b)) for a, b in perm)
    for what, numbers in (("source", [a for a, _ in pairs]), ("destination", [b for _, b in pairs])):
        if len(set(numbers)) != len(numbers):
            raise ValueError(f"ppermute: {what}s in perm must be different from each other, got {numbers}")
        if any(not 0 <= n < size for n in numbers):
            raise ValueError(f"ppermute: the axis {axis_name!r} has size {size}, but perm has the {what}s {numbers}")
    return tree.map(lambda leaf: ppermute_p.bind(materialized(array_from(leaf)), axis_name=names, perm=pairs), x)


def pswapaxes(x: Any, axis_name: Any, axis: int) -> Any:
    """`jax.lax.pswapaxes`: the mapped axis and the dimension `axis`, of the same size, exchanged.

    Raises:
        NameError: if no axis of this name is mapped here.
        ValueError: if the sizes differ.
    """
    names = axis_names(axis_name)
    size = axis_size(names)

    def swap(leaf: Any) -> Any:
        from arraytyping.runtime.lax.dynamic_slicing import dynamic_index_in_dim

        array = materialized(array_from(leaf))
        if array.aval.shape[axis] != size:
            raise ValueError(
                f"pswapaxes: the mapped axis has size {size}, but dimension {axis} {array.aval.shape[axis]}"
            )
        gathered = all_gather(array, names[0], axis=0)
        place = axis % len(array.aval.shape)
        mine = dynamic_index_in_dim(gathered, axis_index(names[0]), place + 1, keepdims=False)
        return moveaxis(mine, 0, place)

    return tree.map(swap, x)
