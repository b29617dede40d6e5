"""Arrays that are repeated: broadcast to a shape or to one another, tiled, each element repeated.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; https://numpy.org/doc/stable/user/basics.broadcasting.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.axes import ints_of, known_values, raveled, several
from arraytyping.numpy.gathers import taken
from arraytyping.numpy.promoting import one_shape
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.call_arguments import described
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import raised
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import constant_like, sub_p
from arraytyping.runtime.lax.creation import full_of, zeros_of
from arraytyping.runtime.lax.cumulative import cumsum_p
from arraytyping.runtime.lax.gathering import GatherScatterMode
from arraytyping.runtime.lax.scattering import ScatterDimensionNumbers, scatter_add_p
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, broadcast_to as repeated_to, reshape
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError

__all__ = ["broadcast_arrays", "broadcast_shapes", "broadcast_to", "repeat", "tile"]


def spread(x: Any, shape: tuple[int, ...]) -> Any:
    """The array repeated to a shape to which it broadcasts."""
    own = x.aval.shape
    kept = [d for d, n in enumerate(own) if n != 1 or shape[len(shape) - len(own) + d] == 1]
    places = tuple(len(shape) - len(own) + d for d in kept)
    if shape == own:
        return x
    return broadcast_in_dim_p.bind(reshape(x, tuple(own[d] for d in kept)), shape=shape, broadcast_dimensions=places)


@operation("numpy.broadcast_to", "array")
def broadcast_to(array: Any, shape: Any, *, out_sharding: Any = None) -> Any:
    """The array repeated to a shape: `jax.numpy.broadcast_to`."""
    return spread(array, ints_of(shape))


@operation("numpy.broadcast_arrays", "args")
def broadcast_arrays(*args: Any) -> Any:
    """The arrays, each repeated to the shape that they broadcast to together: `jax.numpy.broadcast_arrays`."""
    return one_shape(*args) if args else []


def broadcast_shapes(*shapes: Any) -> Any:
    """The shape to which arrays of these shapes broadcast: `jax.numpy.broadcast_shapes`.

    Raises:
        ValueError: if there is none.
    """
    from arraytyping.semantics.rules.registry import RULES

    given = [tuple(s) if several(s) else s for s in shapes]
    try:
        return RULES["numpy.broadcast_shapes"].function(Context(config.promotion()), *described(tuple(given)))
    except RuleError as error:
        raise raised(error) from None


def tiled(x: Any, counts: tuple[int, ...]) -> Any:
    """The array repeated as a whole, so many times along each axis; its rank is at least their number."""
    own = x.aval.shape
    counts = (1,) * (len(own) - len(counts)) + counts
    if all(c == 1 for c in counts):
        return x
    shape = tuple(n for pair in zip(counts, own) for n in pair)
    spaced = broadcast_in_dim_p.bind(x, shape=shape, broadcast_dimensions=tuple(range(1, 2 * len(own), 2)))
    return reshape(spaced, tuple(c * n for c, n in zip(counts, own)))


@operation("numpy.tile", "A")
def tile(A: Any, reps: int | Sequence[int]) -> Any:
    """The array repeated as a whole, so many times along each axis: `jax.numpy.tile`."""
    counts, own = ints_of(reps, "a number of repetitions"), A.aval.shape
    return tiled(reshape(A, (1,) * (len(counts) - len(own)) + own), counts)


def repeated(x: Any, count: int, axis: int) -> Any:
    """Each element so many times along an axis."""
    shape = x.aval.shape
    spaced = (*shape[: axis + 1], count, *shape[axis + 1 :])
    kept = tuple(d for d in range(len(spaced)) if d != axis + 1)
    y = broadcast_in_dim_p.bind(x, shape=spaced, broadcast_dimensions=kept)
    return reshape(y, (*shape[:axis], shape[axis] * count, *shape[axis + 1 :]))


def _repeated_each(x: Any, counts: Any, axis: int, total: int) -> Any:
    """Each element along an axis as often as its count says, in so many places, the last one where they are more."""
    shape = x.aval.shape
    if total == 0:
        return zeros_of(ShapedArray((*shape[:axis], 0, *shape[axis + 1 :]), x.aval.dtype, False))
    if shape[axis] == 0:
        return x
    counts = repeated_to(
        raveled(convert_to(counts, "int32") if counts.aval.dtype == "bool" else counts), (shape[axis],)
    )
    zero = full_of(0, ShapedArray((1,), counts.aval.dtype, False))
    before = concatenate_p.bind(zero, slice_along(counts, 0, shape[axis] - 1), dimension=0)
    starts = cumsum_p.bind(before, axis=0, reverse=False)
    ones = full_of(1, ShapedArray((shape[axis],), "int32", False))
    steps = scatter_add_p.bind(
        zeros_of(ShapedArray((total,), "int32", False)), reshape(starts, (shape[axis], 1)), ones,
        dimension_numbers=ScatterDimensionNumbers((), (0,), (0,)), indices_are_sorted=False, unique_indices=False,
        mode=GatherScatterMode.FILL_OR_DROP,
    )  # fmt: skip
    places = cumsum_p.bind(steps, axis=0, reverse=False)
    return taken(x, sub_p.bind(places, constant_like(places, 1)), axis)


@operation("numpy.repeat", "a", "repeats")
def _repeat(
    a: Any, repeats: Any, axis: int | None = None, *, total_repeat_length: int | None = None, out_sharding: Any = None
) -> Any:  # fmt: skip
    x, along = (raveled(a), 0) if axis is None else (a, axis % max(len(a.aval.shape), 1))
    assert total_repeat_length is not None
    if not x.aval.shape:
        return full_of(x, ShapedArray((total_repeat_length,), x.aval.dtype, bool(x.aval.weak_type)))
    return _repeated_each(x, repeats, along, total_repeat_length)


@operation("numpy.repeat", "a")
def _repeat_static(
    a: Any, repeats: int, axis: int | None = None, *, total_repeat_length: None = None, out_sharding: Any = None
) -> Any:  # fmt: skip
    if axis is None:
        return repeated(raveled(a), repeats, 0)
    if not a.aval.shape:
        return full_of(a, ShapedArray((repeats,), a.aval.dtype, bool(a.aval.weak_type)))
    return repeated(a, repeats, axis % len(a.aval.shape))


def repeat(
    a: Any, repeats: Any, axis: int | None = None, *, total_repeat_length: int | None = None, out_sharding: Any = None
) -> Any:  # fmt: skip
    """Each element so many times along an axis, or one after another: `jax.numpy.repeat`.

    Raises:
        ConcretizationTypeError: if the numbers of repetitions are traced, and the length of the result is not given.
    """
    if total_repeat_length is not None:
        return _repeat(a, repeats, axis, total_repeat_length=total_repeat_length, out_sharding=out_sharding)
    if hasattr(repeats, "__jax_array__"):
        repeats = repeats.__jax_array__()
    if isinstance(repeats, Array):
        known = known_values(repeats)
        if known is None:
            raise ConcretizationTypeError(
                f"repeat: the numbers of repetitions are a tracer of {repeats.aval}, so the size of the result depends "
                "on data; give the argument total_repeat_length"
            )
        repeats = known
    if not isinstance(repeats, np.ndarray) or not repeats.shape:
        repeats = repeats.item() if isinstance(repeats, np.ndarray | np.generic) else repeats
        return _repeat_static(a, repeats, axis, out_sharding=out_sharding)
    shape: Any = a.shape if isinstance(a, Array) else array_from(a).aval.shape  # type: ignore[attr-defined]
    size = int(np.prod(shape)) if axis is None else shape[axis] if shape and -len(shape) <= axis < len(shape) else None
    spread_counts = repeats.size == 1 and size is not None and shape
    total = int(np.sum(repeats, dtype=np.int64)) * (size if spread_counts else 1)  # type: ignore[operator]
    return _repeat(a, repeats, axis, total_repeat_length=total, out_sharding=out_sharding)
