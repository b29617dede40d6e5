"""The shapes of NumPy's reductions, and of what keeps a shape, where sizes are unknown."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.engines.numpy_arguments import (
    Arguments,
    Unknowable,
    axis_of,
    index_of,
    known_shape,
    rule,
    same_dtype,
)
from arraytyping.semantics.avals import Shape
from arraytyping.semantics.rules.broadcasting import broadcast_shapes
from arraytyping.semantics.sizes.dims import add_dims, max_dim, multiply_dims

__all__ = ["axes_of"]


def axes_of(axis: Any, rank: int) -> tuple[int, ...]:
    """Axes counted from 0; None stands for all."""
    if axis is None:
        return tuple(range(rank))
    return tuple(axis_of(a, rank) for a in (axis if isinstance(axis, tuple | list) else (axis,)))


def reduced(shape: Shape, axes: tuple[int, ...], keepdims: bool) -> Shape:
    """The shape without these axes, or with 1 in their place."""
    if keepdims:
        return tuple(1 if i in axes else d for i, d in enumerate(shape))
    return tuple(d for i, d in enumerate(shape) if i not in axes)


@rule(
    "all", "any", "sum", "prod", "amax", "amin", "max", "min", "mean", "std", "var", "median", "ptp", "argmax",
    "argmin",
    "nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanstd", "nanvar", "nanmedian", "nanargmax", "nanargmin",
    "linalg.norm", "linalg.vector_norm",
)  # fmt: skip
def _reduce(a: Arguments) -> Any:
    shape = a.shape()
    axes = axes_of(a.exact("axis"), len(shape))
    return reduced(shape, axes, bool(a.exact("keepdims", False)))


@rule("count_nonzero")
def _count_nonzero(a: Arguments) -> Any:
    import numpy as np

    # Older releases give a Python int.
    if a.exact("axis") is None and not a.exact("keepdims", False) and isinstance(np.count_nonzero(np.ones(1)), int):
        return int
    return _reduce(a)


@rule("average")
def _average(a: Arguments) -> Any:
    found = _reduce(a)
    return [found, found] if a.exact("returned", False) else found


@rule("percentile", "quantile", "nanpercentile", "nanquantile")
def _quantile(a: Arguments) -> Any:
    return (*a.shape("q"), *_reduce(a))


@rule("linalg.cond", "linalg.det", "linalg.matrix_rank", "linalg.matrix_norm")
def _matrices(a: Arguments) -> Any:
    shape = a.shape()
    if a.exact("keepdims", False):
        return (*shape[:-2], 1, 1)
    return shape[:-2]


@rule("trace", "linalg.trace")
def _trace(a: Arguments) -> Any:
    shape = a.shape()
    first, second = (a.exact("axis1", 0), a.exact("axis2", 1)) if a.name == "trace" else (-2, -1)
    return reduced(shape, (axis_of(first, len(shape)), axis_of(second, len(shape))), False)


@rule(
    "sort", "argsort", "flip", "fliplr", "flipud", "roll", "fft.fftshift", "fft.ifftshift", "i0", "isneginf",
    "isposinf",
    "partition", "argpartition", "unwrap", "linalg.inv", "linalg.cholesky", "linalg.matrix_power",
    "astype",
)  # fmt: skip
def _kept(a: Arguments) -> Any:
    shape = a.shape()
    if (
        a.name in ("sort", "argsort", "roll", "partition", "argpartition")
        and "axis" in a.given
        and a.exact("axis") is None
    ):
        return shape if a.name == "roll" else (multiply_dims(shape),)
    if "axis" in a.given:
        axes_of(a.exact("axis"), len(shape))
    return shape


@rule("tril", "triu", dtype=same_dtype)
def _triangle(a: Arguments) -> Any:
    shape = a.shape()
    if not shape:
        raise Unknowable
    return (*shape, *shape) if len(shape) == 1 else shape


@rule("cumsum", "cumprod", "nancumsum", "nancumprod")
def _cumulative(a: Arguments) -> Any:
    shape = a.shape()
    axis = a.axis(len(shape))
    return (multiply_dims(shape),) if axis is None else shape


@rule("cumulative_sum", "cumulative_prod")
def _cumulative_new(a: Arguments) -> Any:
    shape = list(a.shape())
    axis = a.axis(len(shape))
    if axis is None:
        axis = 0
    if a.exact("include_initial", False):
        shape[axis] = add_dims((shape[axis], 1))
    return tuple(shape)


@rule("diff")
def _diff(a: Arguments) -> Any:
    shape = list(a.shape())
    axis = a.axis(len(shape), default=-1)
    if axis is None or "prepend" in a or "append" in a:
        raise Unknowable
    shape[axis] = max_dim(add_dims((shape[axis], -index_of(a.exact("n", 1)))), 0)
    return tuple(shape)


@rule("searchsorted")
def _searchsorted(a: Arguments) -> Any:
    return a.shape("v")


@rule("digitize", "interp", "isin", "polyval")
def _like_one(a: Arguments) -> Any:
    return a.shape({"isin": "element"}.get(a.name, "x"))


@rule("trapezoid")
def _trapezoid(a: Arguments) -> Any:
    shape = a.shape("y")
    axis = a.axis(len(shape), default=-1)
    return reduced(shape, (axis or 0,), False)


@rule("gradient")
def _gradient(a: Arguments) -> Any:
    shape = a.shape("f")
    axis = a.exact("axis")
    if isinstance(axis, int) or (axis is None and len(shape) == 1):
        return shape
    return [shape] * (len(shape) if axis is None else len(axis))


@rule("array_equal", "array_equiv", "allclose", "iscomplexobj", "isrealobj", "isscalar", "iterable")
def _bool(a: Arguments) -> Any:
    return bool


@rule("lexsort")
def _lexsort(a: Arguments) -> Any:
    return known_shape(a.get("keys"))[1:]


@rule("take_along_axis")
def _take_along_axis(a: Arguments) -> Any:
    array, indices = a.shape("arr"), list(a.shape("indices"))
    axis = a.axis(len(array), default=-1)
    if axis is None or len(array) != len(indices):
        return tuple(indices)
    joined = broadcast_shapes(
        "take_along_axis", *(tuple(1 if i == axis else d for i, d in enumerate(s)) for s in (array, tuple(indices)))
    )
    assert joined is not None
    return tuple(indices[axis] if i == axis else d for i, d in enumerate(joined))


@rule("select", dtype=lambda a: None)
def _select(a: Arguments) -> Any:
    shapes = [known_shape(a.get(n))[1:] for n in ("condlist", "choicelist")]
    return broadcast_shapes("select", *shapes)


@rule("ravel_multi_index")
def _ravel_multi_index(a: Arguments) -> Any:
    return known_shape(a.get("multi_index"))[1:]


@rule("zeros_like", "ones_like", "empty_like", "full_like")
def _like(a: Arguments) -> Any:
    return a.dims("shape") if "shape" in a else a.shape()


@rule("copy", dtype=same_dtype)
def _copy(a: Arguments) -> Any:
    return a.shape()
