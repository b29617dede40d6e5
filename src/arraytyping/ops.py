"""Reductions of the segments of an array, under the names of `jax.ops`.

The elements of `data` (along its first dimension) whose `segment_ids` are equal are put together; an id that is none
of `range(num_segments)` is dropped.  A segment without elements is the identity of the operation.

Source: https://docs.jax.dev/en/latest/jax.ops.html; `jax/_src/ops/scatter.py`.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.numpy.creation import full
from arraytyping.numpy.ranges import arange
from arraytyping.numpy.reductions import max as largest, min as smallest, prod, sum
from arraytyping.numpy.updating import update
from arraytyping.runtime.array_likes import array_from, concrete_int, materialized
from arraytyping.runtime.out_shardings import takes_out_sharding
from arraytyping.scalars import KINDS
from arraytyping.semantics.rules.dtype_kinds import integer_limits

__all__ = ["segment_max", "segment_min", "segment_prod", "segment_sum"]

_REDUCERS = {"add": sum, "multiply": prod, "min": smallest, "max": largest}


def _identity(method: str, dtype: str) -> Any:
    if method in ("add", "multiply"):
        return int(method == "multiply")
    if dtype == "bool":
        return method == "min"
    if KINDS[dtype] in "iu":
        return integer_limits(dtype)[1 if method == "min" else 0]
    return math.inf if method == "min" else -math.inf


def _segments(
    name: str, method: str, data: Any, segment_ids: Any, num_segments: Any, indices_are_sorted: bool,
    unique_indices: bool, bucket_size: int | None, mode: Any,
) -> Any:  # fmt: skip
    data, ids = materialized(array_from(data)), materialized(array_from(segment_ids))
    dtype, shape = str(data.aval.dtype), data.aval.shape
    if not shape or ids.aval.shape != shape[: len(ids.aval.shape)]:
        raise ValueError(
            f"{name}: segment_ids names a segment for each element of data along its first dimensions; got data of "
            f"shape {shape} and segment_ids of shape {ids.aval.shape}"
        )
    size = concrete_int(largest(ids) + 1 if num_segments is None else num_segments, f"{name}: num_segments")
    if size < 0:
        raise ValueError("num_segments must be non-negative.")
    options = {
        "indices_are_sorted": indices_are_sorted, "unique_indices": unique_indices, "mode": mode,
        "wrap_negative_indices": False,
    }  # fmt: skip
    rest = shape[len(ids.aval.shape) :]
    if bucket_size is None:
        empty = full((size, *rest), _identity(method, dtype), dtype=dtype)
        return update(method, empty, ids, data, **options)
    count = ids.aval.shape[0]
    empty = full((-(-count // bucket_size), size, *rest), _identity(method, dtype), dtype=dtype)
    buckets = update(method, empty, (arange(count) // bucket_size, ids), data, **options)
    return _REDUCERS[method](buckets, axis=0).astype(dtype)


@takes_out_sharding
def segment_sum(
    data: Any, segment_ids: Any, num_segments: int | None = None, indices_are_sorted: bool = False,
    unique_indices: bool = False, bucket_size: int | None = None, mode: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """The sum of each segment.

    Raises:
        ValueError: if data and ids do not go together, or the number of segments is negative.
        ConcretizationTypeError: if it is not given and the ids are traced.
    """
    return _segments(
        "segment_sum", "add", data, segment_ids, num_segments, indices_are_sorted, unique_indices, bucket_size, mode
    )


@takes_out_sharding
def segment_prod(
    data: Any, segment_ids: Any, num_segments: int | None = None, indices_are_sorted: bool = False,
    unique_indices: bool = False, bucket_size: int | None = None, mode: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """The product of each segment; raises as `segment_sum`."""
    return _segments(
        "segment_prod",
        "multiply",
        data,
        segment_ids,
        num_segments,
        indices_are_sorted,
        unique_indices,
        bucket_size,
        mode,
    )


@takes_out_sharding
def segment_min(
    data: Any, segment_ids: Any, num_segments: int | None = None, indices_are_sorted: bool = False,
    unique_indices: bool = False, bucket_size: int | None = None, mode: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """The minimum of each segment; raises as `segment_sum`."""
    return _segments(
        "segment_min", "min", data, segment_ids, num_segments, indices_are_sorted, unique_indices, bucket_size, mode
    )


@takes_out_sharding
def segment_max(
    data: Any, segment_ids: Any, num_segments: int | None = None, indices_are_sorted: bool = False,
    unique_indices: bool = False, bucket_size: int | None = None, mode: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """The maximum of each segment; raises as `segment_sum`."""
    return _segments(
        "segment_max", "max", data, segment_ids, num_segments, indices_are_sorted, unique_indices, bucket_size, mode
    )
