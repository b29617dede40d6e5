"""The same elements in another shape.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from arraytyping.numpy.axes import expanded_at, ints_of, numbered, raveled, without_axes
from arraytyping.numpy.stretching import tiled
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.structure import reshape as reshaped, transpose
from arraytyping.semantics.avals import ShapedArray

__all__ = ["atleast_1d", "atleast_2d", "atleast_3d", "expand_dims", "ravel", "reshape", "resize", "squeeze"]


def _in_order(x: Any, shape: tuple[int, ...], order: str) -> Any:
    """The elements in another shape, counted from the last dimension on (`C`) or from the first one (`F`)."""
    if order == "C":
        return reshaped(x, shape)
    backwards = reshaped(_reversed(x), shape[::-1])
    return _reversed(backwards)


def _reversed(x: Any) -> Any:
    return transpose(x, range(len(x.aval.shape))[::-1])


@operation("numpy.reshape", "a")
def _reshape(a: Any, shape: Any, order: str = "C", *, copy: bool | None = None, out_sharding: Any = None) -> Any:
    sizes = ints_of(shape)
    if -1 in sizes:
        known = math.prod(n for n in sizes if n != -1)
        sizes = tuple(math.prod(a.aval.shape) // known if n == -1 else n for n in sizes)
    return _in_order(a, sizes, order)


def reshape(a: Any, shape: Any, order: str = "C", *, copy: bool | None = None, out_sharding: Any = None) -> Any:
    """The elements in another shape, in which one size may be -1: `jax.numpy.reshape`.

    As in JAX, a NumPy array stays one.
    """
    if isinstance(a, np.ndarray | np.generic) and out_sharding is None:
        return a.reshape(ints_of(shape), order=order)  # type: ignore[call-overload]
    return _reshape(a, shape, order, copy=copy, out_sharding=out_sharding)


@operation("numpy.ravel", "a")
def ravel(a: Any, order: str = "C", *, out_sharding: Any = None) -> Any:
    """The elements in one dimension: `jax.numpy.ravel`."""
    return _in_order(a, (math.prod(a.aval.shape),), order)


@operation("numpy.squeeze", "a")
def squeeze(a: Any, axis: int | Sequence[int] | None = None) -> Any:
    """The array without dimensions of size 1, by default without all of them: `jax.numpy.squeeze`."""
    shape = a.aval.shape
    axes = [d for d, n in enumerate(shape) if n == 1] if axis is None else numbered(axis, len(shape))
    return without_axes(a, axes)


@operation("numpy.expand_dims", "a")
def expand_dims(a: Any, axis: int | Sequence[int]) -> Any:
    """The array with new dimensions of size 1, numbered in the result: `jax.numpy.expand_dims`."""
    axes = ints_of(axis, "an axis")
    rank = len(a.aval.shape) + len(axes)
    return expanded_at(a, [d % rank for d in axes])


def with_rank(x: Any, rank: int) -> Any:
    """The array with dimensions of size 1 before its own, up to this rank."""
    shape = x.aval.shape
    return reshaped(x, (1,) * (rank - len(shape)) + shape)


def with_rank_3(x: Any) -> Any:
    """The array as stack of matrices: a vector as (1, n, 1), a matrix as (m, n, 1)."""
    shape = x.aval.shape
    return reshaped(x, {0: (1, 1, 1), 1: (1, *shape, 1), 2: (*shape, 1)}.get(len(shape), shape))


def _at_least(rank: int, change: Callable[[Any], Any]) -> Callable[..., Any]:
    def function(*arys: Any) -> Any:
        return change(arys[0]) if len(arys) == 1 else [change(x) for x in arys]

    function.__name__ = function.__qualname__ = f"atleast_{rank}d"
    function.__doc__ = f"The array, or a list of several, with at least {rank} dimensions: `jax.numpy.atleast_{rank}d`."
    return operation(f"numpy.atleast_{rank}d", "arys")(function)


atleast_1d: Final = _at_least(1, lambda x: with_rank(x, 1))
atleast_2d: Final = _at_least(2, lambda x: with_rank(x, 2))
atleast_3d: Final = _at_least(3, with_rank_3)


@operation("numpy.resize", "a")
def resize(a: Any, new_shape: Any) -> Any:
    """The elements in another shape, repeated or cut off: `jax.numpy.resize`."""
    sizes = ints_of(new_shape)
    x = raveled(a)
    (have,), want = x.aval.shape, math.prod(sizes)
    if not have or not want:
        return zeros_of(ShapedArray(sizes, x.aval.dtype, bool(x.aval.weak_type)))
    repeated = tiled(x, (-(-want // have),))
    return reshaped(slice_along(repeated, 0, want), sizes)
