"""Operations across a mapped axis that has a name, as in `vmap(f, axis_name="i")`.

Source: https://docs.jax.dev/en/latest/jax.lax.html#parallel-operators.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, cast

from arraytyping import core, tree
from arraytyping.avals import ShapedArray
from arraytyping.calling import array_from, convert_to, materialized, python_scalar
from arraytyping.core import Primitive, Tracer, TypedScalar
from arraytyping.lax.arithmetic import div_p, mul_p
from arraytyping.lax.creation import iota_of, zeros_of
from arraytyping.lax.reductions import reduce_sum
from arraytyping.lax.structure import linear_unary, moveaxis, reshape
from arraytyping.scalars import KINDS
from arraytyping.tracing.batching import Axis, move_batch_dim

__all__ = ["all_gather", "axis_index", "axis_size", "pmax", "pmean", "pmin", "ppermute", "psum", "pswapaxes"]


def _names(axis_name: Any) -> tuple[Any, ...]:
    """The axes that are meant; each must exist.

    Raises:
        NameError: if one is not mapped here.
        TypeError: for a positional axis.
    """
    names = tuple(axis_name) if isinstance(axis_name, tuple | list) else (axis_name,)
    for name in names:
        if isinstance(name, int):
            raise TypeError(f"axis_name {name!r} is an int; expected the name of a mapped axis, for example 'i'")
        core.axis_size(name)
    return names


def _no_groups(axis_index_groups: Any, what: str) -> None:
    if axis_index_groups is not None:
        raise NotImplementedError(f"{what}: axis_index_groups is not supported over the axes of vmap")


def axis_size(axis_name: Any) -> int:
    """`jax.lax.axis_size`: the size of the mapped axis, or the product of the sizes of several.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    return math.prod(map(core.axis_size, _names(axis_name)))


def _same(cx: Any, x: ShapedArray, **params: Any) -> ShapedArray:
    return x


def _reducing(name: str, reduce: Callable[[Any, int], Any], of_same: Callable[[Any, int], Any]) -> Primitive:
    """A collective that puts the elements of all examples together.

    `reduce(batch, dim)` does, `of_same(x, size)` says what comes of a value that is the same for all.
    """
    primitive = Primitive(name, _same, is_collective=True)

    def batch(axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, axis_name: tuple[Any, ...]) -> Any:
        (x,), (dim,) = args, dims
        if axis.name not in axis_name:
            return primitive.bind(x, axis_name=axis_name), dim
        result = of_same(x, axis.size) if dim is None else reduce(x, dim)
        rest = tuple(n for n in axis_name if n != axis.name)
        return primitive.bind(result, axis_name=rest) if rest else result, None

    primitive.batching_rule = batch
    return primitive


def _times(x: Any, size: int) -> Any:
    return mul_p.bind(x, TypedScalar(python_scalar(size, x.aval.dtype), ShapedArray((), x.aval.dtype, x.aval.weak_type)))


def _greatest(x: Any, dim: int) -> Any:
    from arraytyping.lax.reductions import reduce_max_p

    return reduce_max_p.bind(x, axes=(dim,))


def _least(x: Any, dim: int) -> Any:
    from arraytyping.lax.reductions import reduce_min_p

    return reduce_min_p.bind(x, axes=(dim,))


psum_p = _reducing("psum", lambda x, dim: reduce_sum(x, (dim,)), _times)
linear_unary(psum_p)
psum_p.transpose_rule = lambda ct, x, *, axis_name: [psum_p.bind(ct, axis_name=axis_name)]
pmax_p = _reducing("pmax", _greatest, lambda x, size: x)
pmin_p = _reducing("pmin", _least, lambda x, size: x)


def psum(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """`jax.lax.psum`: the sum over the mapped axis, of each leaf; of a Python number, known at once.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    names = _names(axis_name)
    _no_groups(axis_index_groups, "psum")
    if not names:
        return x
    size = axis_size(names)
    leaves, structure = tree.flatten(x)
    if not any(isinstance(leaf, Tracer) for leaf in leaves):
        return tree.unflatten(structure, [_multiplied(leaf, size) for leaf in leaves])
    return tree.unflatten(structure, [psum_p.bind(_summable(leaf), axis_name=names) for leaf in leaves])


def _multiplied(x: Any, size: int) -> Any:
    if isinstance(x, bool | int | float | complex):
        return x * size
    return _times(_summable(x), size)


def _summable(x: Any) -> Any:
    array = materialized(array_from(x))
    return convert_to(array, "int32") if array.aval.dtype == "bool" else array


def pmean(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """`jax.lax.pmean`: the mean over the mapped axis, of each leaf.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    total = psum(x, axis_name, axis_index_groups=axis_index_groups)
    size = axis_size(axis_name)

    def divided(v: Any) -> Any:
        if isinstance(v, bool | int | float | complex):
            return v / size
        if KINDS[v.aval.dtype] not in "fc":
            v = convert_to(v, core.aval_of(array_from(1.0)).dtype or "", bool(v.aval.weak_type))
        return div_p.bind(v, TypedScalar(python_scalar(size, v.aval.dtype), ShapedArray((), v.aval.dtype, v.aval.weak_type)))

    return tree.map(divided, total)


def pmax(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """`jax.lax.pmax`: the greatest over the mapped axis, of each leaf.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    return _extreme(pmax_p, x, axis_name, axis_index_groups)


def pmin(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """`jax.lax.pmin`: the least over the mapped axis, of each leaf.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    return _extreme(pmin_p, x, axis_name, axis_index_groups)


def _extreme(primitive: Primitive, x: Any, axis_name: Any, axis_index_groups: Any) -> Any:
    names = _names(axis_name)
    _no_groups(axis_index_groups, primitive.name)
    return tree.map(lambda leaf: primitive.bind(materialized(array_from(leaf)), axis_name=names), x)


axis_index_p = Primitive("axis_index", lambda cx, *, axis_name: ShapedArray((), "int32", False), is_collective=True)
axis_index_p.batching_rule = lambda axis, args, dims, *, axis_name: (iota_of("int32", (axis.size,), 0), 0)


def axis_index(axis_name: Any) -> Any:
    """`jax.lax.axis_index`: the number of the example along the mapped axis; of several axes, the first is the slowest.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    names = _names(axis_name)
    if not isinstance(axis_name, tuple | list):
        return axis_index_p.bind(axis_name=names)
    from arraytyping.lax.arithmetic import add_p

    index: Any = materialized(TypedScalar(0, ShapedArray((), "int32", False)))
    size = 1
    for name in reversed(names):
        index = add_p.bind(index, _times(axis_index_p.bind(axis_name=(name,)), size))
        size *= core.axis_size(name)
    return index


def _gathered(cx: Any, x: ShapedArray, *, axis_name: tuple[Any, ...], size: int, axis: int, tiled: bool) -> ShapedArray:
    shape = list(cast(tuple[int, ...], x.shape))
    if tiled:
        shape[axis] *= size
    else:
        shape.insert(axis, size)
    return ShapedArray(tuple(shape), x.dtype, x.weak_type)


all_gather_p = Primitive("all_gather", _gathered, is_collective=True)
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


def _transpose_gather(
    ct: Any, x: Any, *, axis_name: tuple[Any, ...], size: int, axis: int, tiled: bool
) -> list[Any]:
    from arraytyping.lax.slicing import dynamic_index_in_dim, dynamic_slice_in_dim

    total = psum_p.bind(ct, axis_name=axis_name)
    index = axis_index_p.bind(axis_name=axis_name)
    if not tiled:
        return [dynamic_index_in_dim(total, index, axis, keepdims=False)]
    width = x.aval.shape[axis]
    return [dynamic_slice_in_dim(total, _times(index, width), width, axis)]


all_gather_p.batching_rule = _batch_gather
all_gather_p.transpose_rule = _transpose_gather


def all_gather(x: Any, axis_name: Any, *, axis_index_groups: Any = None, axis: int = 0, tiled: bool = False) -> Any:
    """`jax.lax.all_gather`: the values of all examples, stacked along a new dimension `axis`, or joined along it (tiled).

    Raises:
        NameError: if no axis of this name is mapped here.
        ValueError: if the dimension does not exist.
        NotImplementedError: for several axes at once.
    """
    names = _names(axis_name)
    _no_groups(axis_index_groups, "all_gather")
    if len(names) != 1:
        raise NotImplementedError(f"all_gather takes one axis, got {names}; apply it once for each")
    size = core.axis_size(names[0])

    def gather(leaf: Any) -> Any:
        array = materialized(array_from(leaf))
        rank = len(array.aval.shape) + (not tiled)
        place = operator.index(axis)
        if not -rank <= place < rank:
            raise ValueError(f"all_gather: axis {axis} is out of bounds for a result of {rank} dimensions")
        return all_gather_p.bind(array, axis_name=names, size=size, axis=place % rank, tiled=bool(tiled))

    return tree.map(gather, x)


ppermute_p = Primitive("ppermute", _same, is_collective=True)
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
    from arraytyping.lax.joining import concatenate
    from arraytyping.lax.slicing import slice_in_dim

    moved = move_batch_dim(axis, x, dim, 0)
    sources = {to: source for source, to in perm}
    zero = zeros_of(ShapedArray((1, *moved.aval.shape[1:]), moved.aval.dtype, moved.aval.weak_type))
    parts = [slice_in_dim(moved, sources[i], sources[i] + 1) if i in sources else zero for i in range(axis.size)]
    return concatenate(parts, 0), 0


ppermute_p.batching_rule = _batch_permute


def ppermute(x: Any, axis_name: Any, perm: Sequence[tuple[int, int]]) -> Any:
    """`jax.lax.ppermute`: each pair of `perm` sends the value of one example to another; who gets none gets zeros.

    Raises:
        NameError: if no axis of this name is mapped here.
        ValueError: if an example sends or gets twice, or does not exist.
    """
    names = _names(axis_name)
    if len(names) != 1:
        raise NotImplementedError(f"ppermute takes one axis, got {names}")
    size = core.axis_size(names[0])
    pairs = tuple((operator.index(a), operator.index(b)) for a, b in perm)
    for what, numbers in (("source", [a for a, _ in pairs]), ("destination", [b for _, b in pairs])):
        if len(set(numbers)) != len(numbers):
            raise ValueError(f"ppermute: {what}s in perm must be different from each other, got {numbers}")
        if any(not 0 <= n < size for n in numbers):
            raise ValueError(f"ppermute: the axis {names[0]!r} has size {size}, but perm has the {what}s {numbers}")
    return tree.map(lambda leaf: ppermute_p.bind(materialized(array_from(leaf)), axis_name=names, perm=pairs), x)


def pswapaxes(x: Any, axis_name: Any, axis: int) -> Any:
    """`jax.lax.pswapaxes`: the mapped axis and the dimension `axis`, of the same size, exchanged.

    Raises:
        NameError: if no axis of this name is mapped here.
        ValueError: if the sizes differ.
    """
    names = _names(axis_name)
    size = axis_size(names)

    def swap(leaf: Any) -> Any:
        from arraytyping.lax.slicing import dynamic_index_in_dim

        array = materialized(array_from(leaf))
        if array.aval.shape[axis] != size:
            raise ValueError(f"pswapaxes: the mapped axis has size {size}, but dimension {axis} {array.aval.shape[axis]}")
        gathered = all_gather(array, names[0], axis=0)
        place = axis % len(array.aval.shape)
        mine = dynamic_index_in_dim(gathered, axis_index(names[0]), place + 1, keepdims=False)
        return moveaxis(mine, 0, place)

    return tree.map(swap, x)
