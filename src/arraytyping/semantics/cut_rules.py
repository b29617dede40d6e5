"""How the result of an operation is cut where the types of its operands say how these are: along explicit axes.

A cut is an entry for each dimension: the name of an axis, several of them, or None for a whole dimension.  Of an
operand without a cut (None in place of the tuple) it is known that it is whole wherever it is.

Source: https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html; the sharding rules of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from arraytyping.errors import ShardingTypeError

__all__ = [
    "Cut", "along_whole_axis", "alike", "axes_of_entry", "broadcast", "chosen", "contracted", "cut_str", "elementwise",
    "entry_of", "illegal", "permuted", "reshaped", "resized", "without_axes",
]  # fmt: skip

Cut = tuple[Any, ...]
Sizes = tuple[int, ...]


def axes_of_entry(entry: Any) -> tuple[Any, ...]:
    """The axes along which a dimension is cut."""
    return () if entry is None else entry if isinstance(entry, tuple) else (entry,)


def entry_of(axes: Sequence[Any]) -> Any:
    """The entry of a dimension that is cut along these axes."""
    return None if not axes else axes[0] if len(axes) == 1 else tuple(axes)


def cut_str(shape: Sizes, cut: Cut | None, dtype: str = "") -> str:
    """A type as JAX prints it: `float32[8@x,4]`."""
    dims = []
    for size, entry in zip(shape, cut or (None,) * len(shape)):
        axes = axes_of_entry(entry)
        shown = "" if not axes else f"@{axes[0]}" if len(axes) == 1 else f"@({','.join(map(str, axes))})"
        dims.append(f"{size}{shown}")
    return f"{dtype}[{','.join(dims)}]"


def illegal(name: str, operands: Sequence[str], result: str) -> ShardingTypeError:
    """The exception for a result two dimensions of which would be cut along one axis."""
    return ShardingTypeError(
        f"{name} operation with inputs: {', '.join(operands)} produces an illegally sharded result: {result}"
    )


def elementwise(name: str, shapes: Sequence[Sizes], cuts: Sequence[Cut | None]) -> Cut:
    """Of operands that broadcast: along each dimension that of those that are cut, which have to agree.

    Raises:
        ShardingTypeError: if they do not.
    """
    given = [(s, c if c is not None else (None,) * len(s)) for s, c in zip(shapes, cuts) if s]
    if not given:
        return ()
    result: list[Any] = []
    for entries in zip(*(c for _, c in given)):
        named = {entry for entry in entries if entry is not None}
        if len(named) > 1:
            shown = ", ".join(str(tuple(c)) for _, c in given)
            raise ShardingTypeError(f"{name} got incompatible shardings for broadcasting: {shown}.")
        result.append(named.pop() if named else None)
    return tuple(result)


def broadcast(cut: Cut, rank: int, dimensions: Sequence[int]) -> Cut:
    """Of an array whose dimensions are these of a result of this rank; the others are whole."""
    placed = dict(zip(dimensions, cut))
    return tuple(placed.get(i) for i in range(rank))


def permuted(cut: Cut, permutation: Sequence[int]) -> Cut:
    """Of an array with its dimensions in another order."""
    return tuple(cut[i] for i in permutation)


def without_axes(cut: Cut, axes: Sequence[int]) -> Cut:
    """Of an array that was reduced over these dimensions."""
    return tuple(entry for i, entry in enumerate(cut) if i not in axes)


def alike(what: str, cuts: Sequence[Cut | None], shown: Sequence[str]) -> Cut | None:
    """Of operands that have to be cut in the same way.

    Raises:
        ShardingTypeError: if they are not; `what` begins the sentence.
    """
    given = [c for c in cuts if c is not None]
    if any(c != given[0] for c in given):
        raise ShardingTypeError(
            f"{what} [{', '.join(shown)}]" if what.endswith("got") else f"{what} {', '.join(shown)}"
        )
    return given[0] if given else None


def chosen(which: tuple[Sizes, Cut | None], cuts: Sequence[Cut | None], shown: Sequence[str]) -> Cut | None:
    """Of one of several cases, as a first operand says.

    Raises:
        ShardingTypeError: if the cases are cut in different ways, or not as what chooses is.
    """
    found = alike("select cases must have the same shardings, got", cuts, shown[1:])
    shape, cut = which
    if shape and cut is not None and found is not None and cut != found:
        raise ShardingTypeError(
            f"select `which` must be scalar or have the same sharding as cases, got `which` sharding {shown[0]} but "
            f"case sharding {shown[1]}."
        )
    return found if found is not None else cut if shape else None


def contracted(
    left: Cut, right: Cut, numbers: tuple[tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]]
) -> Cut:
    """Of a product over numbered dimensions.

    Raises:
        ShardingTypeError: if batch dimensions or contracted ones are cut in different ways, or contracted ones are cut
            in both, so that the result is a sum that could lie in several ways.
    """
    (left_contracted, right_contracted), (left_batch, right_batch) = numbers
    batch = tuple(left[i] for i in left_batch), tuple(right[i] for i in right_batch)
    summed = tuple(left[i] for i in left_contracted), tuple(right[i] for i in right_contracted)
    if _differ(*batch):
        raise ShardingTypeError(
            "dot_general requires lhs batch dimensions and rhs batch dimensions to have the consistent sharding, got "
            f"{batch[0]} and {batch[1]}."
        )
    if _differ(*summed):
        raise ShardingTypeError(
            f"dot_general requires contracting dimensions to have consistent sharding, got {summed[0]} and {summed[1]}."
        )
    if any(a is not None and b is not None for a, b in zip(*summed)):
        raise ShardingTypeError(
            "Contracting dimensions are sharded and it is ambiguous how the output should be sharded. Please specify "
            "the output sharding via the `out_sharding` parameter. Got "
            f"lhs_contracting_spec={summed[0]} and rhs_contracting_spec={summed[1]}"
        )
    kept = without_axes(left, (*left_contracted, *left_batch)), without_axes(right, (*right_contracted, *right_batch))
    return (*batch[0], *kept[0], *kept[1])


def _differ(first: Cut, second: Cut) -> bool:
    return any(a is not None and b is not None and a != b for a, b in zip(first, second))


def resized(name: str, shape: Sizes, new_shape: Sizes, cut: Cut, mesh: Mapping[Any, int], shown: str) -> Cut:
    """Of a part of an array, or of one with more around it: cut as before.

    Raises:
        ShardingTypeError: if the mesh does not divide the new size of a dimension that is cut.
    """
    for before, after, entry in zip(shape, new_shape, cut):
        count = math.prod(mesh[axis] for axis in axes_of_entry(entry))
        if before != after and entry is not None and after % count:
            raise ShardingTypeError(
                f"{name} on sharded dims where out dim ({after}) is not divisible by mesh axes ({count}) with spec "
                f"({entry}) is not implemented. Got input type={shown} and output shape={new_shape}"
            )
    return cut


def along_whole_axis(cut: Cut, axis: int, shown: str) -> Cut:
    """Of what is gathered up along a dimension.

    Raises:
        ShardingTypeError: if that is cut.
    """
    if cut[axis] is not None:
        raise ShardingTypeError(
            f"Input should be unsharded over the axis being reduced. Got input type={shown} and {axis=}"
        )
    return cut


class _NotSplit(Exception):
    """More than one dimension is split."""


def reshaped(shape: Sizes, new_shape: Sizes, cut: Cut, mesh: Mapping[Any, int], shown: str) -> Cut:
    """Of the elements in another shape: one dimension may be split or several next to each other merged.

    Raises:
        ShardingTypeError: where it would not be plain how the result lies.
    """

    def refuse() -> NoReturn:
        raise ShardingTypeError(
            "This reshape is not supported. Please specify the sharding of the output via the `out_sharding` argument "
            f"of jax.lax.reshape. Got operand type: {shown}, new sizes: {new_shape}"
        )

    if all(entry is None for entry in cut):
        return (None,) * len(new_shape)
    if [s for s in shape if s != 1] == [s for s in new_shape if s != 1]:
        entries = iter([entry for size, entry in zip(shape, cut) if size != 1])
        return tuple(None if size == 1 else next(entries) for size in new_shape)
    try:
        if len(new_shape) > len(shape) and (found := _split(shape, new_shape)) is not None:
            return _split_cut(found, cut, mesh, refuse)
        if len(new_shape) < len(shape) and (found := _split(new_shape, shape)) is not None:
            return _merged_cut(new_shape, found, cut, mesh, refuse)
    except _NotSplit:
        pass
    refuse()


def _split(shape: Sizes, new_shape: Sizes) -> list[Any] | None:
    """The new sizes, those into which one dimension is split in a list; None if it is not so."""
    ones = 0
    while shape and new_shape and shape[-1] == 1 and new_shape[-1] == 1:
        ones += 1
        shape, new_shape = shape[:-1], new_shape[:-1]
    found: list[Any] = []
    i = j = count = 0
    while j < len(new_shape):
        if i >= len(shape):
            return None
        if shape[i] == new_shape[j]:
            found.append(shape[i])
        else:
            count += 1
            if count > 1:
                raise _NotSplit
            part = [new_shape[j]]
            while math.prod(part) != shape[i] or (j + 1 < len(new_shape) and new_shape[j + 1] == 1):
                if math.prod(part) > shape[i]:
                    return None
                is_next = i + 1 < len(shape) and j + 1 < len(new_shape) and new_shape[j + 1] == shape[i + 1]
                if math.prod(part) == shape[i] and is_next:
                    break
                j += 1
                if j >= len(new_shape):
                    return None
                part.append(new_shape[j])
            found.append(part)
        i += 1
        j += 1
    return [*found, *[1] * ones] if i == len(shape) else None


def _spread(axes: Sequence[Any], sizes: Sequence[int], mesh: Mapping[Any, int], refuse: Callable[[], NoReturn]) -> Cut:
    """Axes over dimensions of these sizes, the first ones first; each dimension takes as many as divide it."""
    left = iter(axes)
    found = []
    for size in sizes:
        own = []
        while size > 1:
            axis = next(left, None)
            if axis is None:
                break
            size, rest = divmod(size, mesh[axis])
            if rest:
                refuse()
            own.append(axis)
        found.append(entry_of(own))
    if next(left, None) is not None:
        refuse()
    return tuple(found)


def _split_cut(found: list[Any], cut: Cut, mesh: Mapping[Any, int], refuse: Callable[[], NoReturn]) -> Cut:
    result: list[Any] = []
    for part, entry in zip(found, cut):
        result.extend(_spread(axes_of_entry(entry), part, mesh, refuse) if isinstance(part, list) else [entry])
    return tuple(result)


def _merged_cut(
    new_shape: Sizes, found: list[Any], cut: Cut, mesh: Mapping[Any, int], refuse: Callable[[], NoReturn]
) -> Cut:
    entries = iter(cut)
    result: list[Any] = []
    for size, part in zip(new_shape, found):
        if not isinstance(part, list):
            result.append(next(entries))
            continue
        merged = [next(entries) for _ in part]
        while merged and merged[-1] is None:
            merged.pop()
        if None in merged:
            refuse()
        axes = [axis for entry in merged for axis in axes_of_entry(entry)]
        result.extend(_spread(axes, [size], mesh, refuse))
    return tuple(result)
