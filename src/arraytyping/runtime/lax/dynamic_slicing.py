"""Slices that start at traced places, read and replaced: `dynamic_slice`, `dynamic_update_slice`.

A batch of them at places that differ is a gather, or a scatter.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.dynamic_slice.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive, TypedScalar
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p, constant_like
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import lt_p
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.gathering import GatherScatterMode, batch_gather
from arraytyping.runtime.lax.scattering import batch_scatter, scatter_p
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, reshape
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.runtime.tracing.tangents import Zero, instantiate, is_zero
from arraytyping.runtime.tracing.transposing import is_linear
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dimension_numbers import GatherDimensionNumbers, ScatterDimensionNumbers
from arraytyping.semantics.rules.named import named

__all__ = [
    "dynamic_index_in_dim", "dynamic_slice", "dynamic_slice_in_dim", "dynamic_slice_p", "dynamic_update_index_in_dim",
    "dynamic_update_slice", "dynamic_update_slice_in_dim", "dynamic_update_slice_p",
]  # fmt: skip


def _slice_rule(cx: Any, x: ShapedArray, *starts: ShapedArray, slice_sizes: tuple[int, ...]) -> ShapedArray:
    result: ShapedArray = named("lax.dynamic_slice")(cx, x, starts, slice_sizes, allow_negative_indices=False)
    return result


def _update_rule(cx: Any, x: ShapedArray, update: ShapedArray, *starts: ShapedArray) -> ShapedArray:
    result: ShapedArray = named("lax.dynamic_update_slice")(cx, x, update, starts, allow_negative_indices=False)
    return result


dynamic_slice_p: Final = Primitive("dynamic_slice", _slice_rule)
dynamic_update_slice_p: Final = Primitive("dynamic_update_slice", _update_rule)


def _slice_jvp(primals: Sequence[Any], tangents: Sequence[Any], *, slice_sizes: Any) -> tuple[Any, Any]:
    x, *starts = primals
    result = dynamic_slice_p.bind(x, *starts, slice_sizes=slice_sizes)
    if is_zero(tangents[0]):
        return result, Zero(result.aval)
    return result, dynamic_slice_p.bind(tangents[0], *starts, slice_sizes=slice_sizes)


def _slice_transpose(ct: Any, x: Any, *starts: Any, slice_sizes: Any) -> list[Any]:
    return [dynamic_update_slice_p.bind(zeros_of(x.aval), ct, *starts), *(None for _ in starts)]


def _stacked(axis: Axis, starts: Sequence[Any], dims: Sequence[int | None]) -> tuple[Any, int | None]:
    """The start indices as one array of index vectors, for each example where one of them is batched."""
    if all(d is None for d in dims):
        return concatenate_p.bind(*[reshape(s, (1,)) for s in starts], dimension=0), None
    columns = [
        broadcast_in_dim_p.bind(s, shape=(axis.size, 1), broadcast_dimensions=() if d is None else (0,))
        for s, d in zip(starts, dims)
    ]
    return concatenate_p.bind(*columns, dimension=1), 0


def _slice_batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, slice_sizes: tuple[int, ...]
) -> tuple[Any, int | None]:
    x, *starts = args
    if not starts:
        return x, dims[0]
    indices, place = _stacked(axis, starts, dims[1:])
    own = tuple(range(len(starts)))
    return batch_gather(
        axis, (x, indices), (dims[0], place), dimension_numbers=GatherDimensionNumbers(own, (), own),
        slice_sizes=slice_sizes, unique_indices=True, indices_are_sorted=True, mode=GatherScatterMode.CLIP,
        fill_value=None,
    )  # fmt: skip


dynamic_slice_p.jvp_rule = _slice_jvp
dynamic_slice_p.transpose_rule = _slice_transpose
dynamic_slice_p.batching_rule = _slice_batch


def _update_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    x, update, *starts = primals
    result = dynamic_update_slice_p.bind(x, update, *starts)
    if is_zero(tangents[0]) and is_zero(tangents[1]):
        return result, Zero(result.aval)
    return result, dynamic_update_slice_p.bind(instantiate(tangents[0]), instantiate(tangents[1]), *starts)


def _update_transpose(ct: Any, x: Any, update: Any, *starts: Any) -> list[Any]:
    of_x = of_update = None
    if is_linear(x):
        of_x = dynamic_update_slice_p.bind(ct, zeros_of(ShapedArray(update.aval.shape, ct.aval.dtype, False)), *starts)
    if is_linear(update):
        of_update = dynamic_slice_p.bind(ct, *starts, slice_sizes=update.aval.shape)
    return [of_x, of_update, *(None for _ in starts)]


def _update_batch(axis: Axis, args: Sequence[Any], dims: Sequence[int | None]) -> tuple[Any, int | None]:
    x, update, *starts = args
    if not starts:
        return update, dims[1]
    indices, place = _stacked(axis, starts, dims[2:])
    own = tuple(range(len(starts)))
    result: tuple[Any, int] = batch_scatter(scatter_p)(
        axis, (x, indices, update), (dims[0], place, dims[1]),
        dimension_numbers=ScatterDimensionNumbers(own, (), own), indices_are_sorted=True, unique_indices=True,
        mode=GatherScatterMode.CLIP,
    )  # fmt: skip
    return result


dynamic_update_slice_p.jvp_rule = _update_jvp
dynamic_update_slice_p.transpose_rule = _update_transpose
dynamic_update_slice_p.batching_rule = _update_batch


def _starts(x: Any, start_indices: Any, allow_negative: bool | Sequence[bool]) -> list[Any]:
    """The start indices, counted from the front where they may be negative.

    Raises:
        ValueError: for a Python int that is negative where it may not be.
    """
    shape = x.aval.shape
    if not isinstance(start_indices, tuple | list):
        start_indices = [reshape(slice_along(start_indices, i, i + 1), ()) for i in range(len(shape))]
    allowed = [allow_negative] * len(shape) if isinstance(allow_negative, bool) else list(allow_negative)
    return [_from_front(i, size, bool(a)) for i, size, a in zip(start_indices, shape, allowed)]


def _from_front(index: Any, size: int, allow_negative: bool) -> Any:
    if type(index) is TypedScalar:
        dtype, value = index.aval.dtype, int(index.value.real)
        if value < 0 and not allow_negative:
            raise ValueError(f"Index {value} is out of bounds for dimension {size} if allow_negative_indices=False")
        return TypedScalar(value + size if value < 0 else value, ShapedArray((), dtype, False))
    if not allow_negative or KINDS[index.aval.dtype] == "u":
        return index
    after = add_p.bind(index, constant_like(index, size))
    return select_n_p.bind(lt_p.bind(index, constant_like(index, 0)), index, after)


@operation("lax.dynamic_slice", "operand", "start_indices", how="inline")
def dynamic_slice(
    operand: Any,
    start_indices: Any,
    slice_sizes: Sequence[int],
    *,
    allow_negative_indices: bool | Sequence[bool] = True,
) -> Any:
    """`jax.lax.dynamic_slice`: a part of this size, moved inside where it would reach beyond."""
    starts = _starts(operand, start_indices, allow_negative_indices)
    return dynamic_slice_p.bind(operand, *starts, slice_sizes=tuple(map(int, slice_sizes)))


@operation("lax.dynamic_update_slice", "operand", "update", "start_indices", how="inline")
def dynamic_update_slice(
    operand: Any, update: Any, start_indices: Any, *, allow_negative_indices: bool | Sequence[bool] = True
) -> Any:
    """`jax.lax.dynamic_update_slice`: the array with a part of it replaced."""
    return dynamic_update_slice_p.bind(operand, update, *_starts(operand, start_indices, allow_negative_indices))


def _in_dim(x: Any, start: Any, axis: int, allow_negative: bool) -> list[Any]:
    """Start indices that are 0 but for one dimension."""
    start = _from_front(start, x.aval.shape[axis], allow_negative)
    zero = TypedScalar(0, ShapedArray((), start.aval.dtype, False))
    return [start if d == axis else zero for d in range(len(x.aval.shape))]


def _sliced_in_dim(x: Any, start: Any, size: int, axis: int, allow_negative: bool) -> Any:
    axis = int(axis) % len(x.aval.shape)
    sizes = tuple(int(size) if d == axis else n for d, n in enumerate(x.aval.shape))
    return dynamic_slice_p.bind(x, *_in_dim(x, start, axis, allow_negative), slice_sizes=sizes)


@operation("lax.dynamic_slice_in_dim", "operand", "start_index", how="inline")
def dynamic_slice_in_dim(
    operand: Any, start_index: Any, slice_size: int, axis: int = 0, *, allow_negative_indices: bool = True
) -> Any:
    """`jax.lax.dynamic_slice_in_dim`: `dynamic_slice` along one dimension."""
    return _sliced_in_dim(operand, start_index, slice_size, axis, allow_negative_indices)


@operation("lax.dynamic_index_in_dim", "operand", "index", how="inline")
def dynamic_index_in_dim(
    operand: Any, index: Any, axis: int = 0, keepdims: bool = True, *, allow_negative_indices: bool = True
) -> Any:
    """`jax.lax.dynamic_index_in_dim`: one place along one dimension."""
    part = _sliced_in_dim(operand, index, 1, axis, allow_negative_indices)
    if keepdims:
        return part
    shape, axis = part.aval.shape, int(axis) % len(part.aval.shape)
    return reshape(part, (*shape[:axis], *shape[axis + 1 :]))


@operation("lax.dynamic_update_slice_in_dim", "operand", "update", "start_index", how="inline")
def dynamic_update_slice_in_dim(
    operand: Any, update: Any, start_index: Any, axis: int, *, allow_negative_indices: bool = True
) -> Any:
    """`jax.lax.dynamic_update_slice_in_dim`: `dynamic_update_slice` along one dimension."""
    axis = int(axis) % len(operand.aval.shape)
    return dynamic_update_slice_p.bind(operand, update, *_in_dim(operand, start_index, axis, allow_negative_indices))


@operation("lax.dynamic_update_index_in_dim", "operand", "update", "index", how="inline")
def dynamic_update_index_in_dim(
    operand: Any, update: Any, index: Any, axis: int, *, allow_negative_indices: bool = True
) -> Any:
    """`jax.lax.dynamic_update_index_in_dim`: one place along one dimension replaced, with or without the dimension."""
    axis = int(axis) % len(operand.aval.shape)
    shape = update.aval.shape
    if len(shape) != len(operand.aval.shape):
        update = reshape(update, (*shape[:axis], 1, *shape[axis:]))
    return dynamic_update_slice_p.bind(operand, update, *_in_dim(operand, index, axis, allow_negative_indices))
