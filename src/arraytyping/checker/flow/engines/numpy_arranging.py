"""The shapes of NumPy's functions that arrange elements anew: reshaping, permuting, repeating."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from arraytyping.checker.flow.engines.numpy_arguments import (
    Arguments,
    Refused,
    Unknowable,
    axis_of,
    dims_of,
    index_of,
    known_shape,
    rule,
    same_dtype,
)
from arraytyping.checker.flow.engines.numpy_array_likes import dim_of
from arraytyping.checker.flow.engines.numpy_joining import items_of
from arraytyping.checker.flow.engines.numpy_reductions import axes_of, reduced
from arraytyping.semantics.avals import Dim, Shape, shape_tuple_str, size_of
from arraytyping.semantics.rules.broadcasting import broadcast_dims, broadcast_shapes
from arraytyping.semantics.sizes.dims import (
    add_dims,
    as_dim,
    at_least,
    differ,
    divides_never,
    max_dim,
    min_dim,
    multiply_dims,
    of_dim,
)
from arraytyping.semantics.sizes.operations import floor_division

__all__: list[str] = []


@rule("reshape", dtype=same_dtype)
def _reshape(a: Arguments) -> Any:
    old, new = a.shape(), list(a.dims("shape"))
    if new.count(-1) > 1:
        raise Refused("array-shape", "ValueError: can only specify one unknown dimension")
    if -1 in new:
        at = new.index(-1)
        rest = multiply_dims([d for d in new if d != -1])
        new[at] = _quotient(multiply_dims(old), rest)
        total = size_of(old)
        if (total is not None and rest == 0) or divides_never(rest, multiply_dims(old)):
            raise Refused("array-shape", _reshape_message(old, a))
    elif differ(before := multiply_dims(old), multiply_dims(new)):
        raise Refused("array-shape", _reshape_message(old, a))
    elif new.count(None) == 1 and at_least(known := multiply_dims([d for d in new if d is not None]), 1):
        new[new.index(None)] = _quotient(before, known)  # it may also be -1, which then stands for the same size
    return tuple(new)


def _reshape_message(old: Shape, a: Arguments) -> str:
    return (
        f"ValueError: cannot reshape an array of shape {shape_tuple_str(old)} into {shape_tuple_str(a.dims('shape'))}"
    )


def _quotient(total: Dim, rest: Dim) -> Dim:
    if rest == 0:
        return None
    x, y = of_dim(total), of_dim(rest)
    if x is None or y is None:
        return None
    exact = x.exact_division(y, positive=True)
    return as_dim(floor_division(x, y) if exact is None else exact)  # there is no rest, or NumPy would refuse


@rule("ravel", dtype=same_dtype)
def _ravel(a: Arguments) -> Any:
    return (multiply_dims(a.shape()),)


@rule("transpose", "permute_dims", dtype=same_dtype)
def _transpose(a: Arguments) -> Any:
    shape = a.shape()
    axes = a.exact("axes")
    if axes is None:
        return shape[::-1]
    if not isinstance(axes, Collection):
        raise Unknowable
    if len(axes) != len(shape):
        raise Refused("array-dim", f"ValueError: axes don't match array: {len(axes)} axes for {shape_tuple_str(shape)}")
    return tuple(shape[axis_of(i, len(shape))] for i in axes)


@rule("swapaxes", "matrix_transpose", "linalg.matrix_transpose", dtype=same_dtype)
def _swapaxes(a: Arguments) -> Any:
    shape = list(a.shape())
    i = axis_of(a.exact("axis1", -1), len(shape))
    j = axis_of(a.exact("axis2", -2), len(shape))
    shape[i], shape[j] = shape[j], shape[i]
    return tuple(shape)


@rule("moveaxis", dtype=same_dtype)
def _moveaxis(a: Arguments) -> Any:
    shape = a.shape()
    source, target = (axes_of(a.exact(n), len(shape)) for n in ("source", "destination"))
    if len(source) != len(target):
        raise Unknowable
    order = [i for i in range(len(shape)) if i not in source]
    for to, i in sorted(zip(target, source)):
        order.insert(to, i)
    return tuple(shape[i] for i in order)


@rule("expand_dims", dtype=same_dtype)
def _expand_dims(a: Arguments) -> Any:
    shape, axis = list(a.shape()), a.exact("axis")
    count = len(axis) if isinstance(axis, tuple | list) else 1
    axes = axes_of(axis, len(shape) + count)
    rest = iter(shape)
    return tuple(1 if i in axes else next(rest) for i in range(len(shape) + count))


@rule("squeeze", dtype=same_dtype)
def _squeeze(a: Arguments) -> Any:
    shape, axis = a.shape(), a.exact("axis")
    if axis is not None:
        axes = axes_of(axis, len(shape))
        if any(differ(shape[i], 1) for i in axes):
            raise Refused(
                "array-shape", "ValueError: cannot select an axis to squeeze out which has size not equal to one"
            )
        return reduced(shape, axes, False)
    if not all(isinstance(d, int) for d in shape):
        raise Unknowable
    return tuple(d for d in shape if d != 1)


@rule("broadcast_to", dtype=same_dtype)
def _broadcast_to(a: Arguments) -> Any:
    new = a.dims("shape")
    old = a.shape()
    for x, y in zip(reversed(old), reversed(new)):
        if differ(x, 1) and differ(x, y):
            text = f"{shape_tuple_str(old)} to {shape_tuple_str(new)}"
            raise Refused("array-shape", f"ValueError: cannot broadcast {text}")
    return new


@rule("broadcast_arrays", sequence=tuple)
def _broadcast_arrays(a: Arguments) -> Any:
    values = items_of(a.get("args"))
    joined = broadcast_shapes("broadcast_arrays", *map(known_shape, values))
    return [joined] * len(values)


@rule("atleast_1d", "atleast_2d", "atleast_3d")
def _atleast(a: Arguments) -> Any:
    arrays = items_of(a.get("arys"))
    rank = int(a.name[8])
    results: list[Shape] = []
    for value in arrays:
        shape = known_shape(value)
        if len(shape) < rank:
            shape = (
                ((1, 1, 1), (1, *shape, 1), (*shape, 1))[len(shape)]
                if rank == 3
                else (1,) * (rank - len(shape)) + shape
            )
        results.append(shape)
    return results if len(results) > 1 else results[0]


@rule("tile", dtype=same_dtype, grows=True)
def _tile(a: Arguments) -> Any:
    shape, repeats = a.shape("A"), a.dims("reps")
    rank = max(len(shape), len(repeats))
    shape, repeats = (1,) * (rank - len(shape)) + shape, (1,) * (rank - len(repeats)) + repeats
    return tuple(multiply_dims(p) for p in zip(shape, repeats))


@rule("repeat", dtype=same_dtype, grows=True)
def _repeat(a: Arguments) -> Any:
    shape = list(a.shape()) or [1]  # what has no dimension is repeated along a new one
    axis = a.axis(len(shape))
    if axis is None:
        shape, axis = [multiply_dims(shape)], 0
    repeats = a.get("repeats")
    if known_shape(repeats) in ((), (1,)):
        (count,) = dims_of(repeats)
        shape[axis] = multiply_dims([shape[axis], count])
    else:
        try:
            counts = dims_of(repeats)
        except Unknowable:
            counts = (None,)
        shape[axis] = add_dims(counts)
    return tuple(shape)


@rule("pad", dtype=same_dtype, grows=True)
def _pad(a: Arguments) -> Any:
    shape = a.shape("array")
    width = a.get("pad_width")
    pairs = _pairs(width, len(shape))
    return tuple(add_dims([d, low, high]) for d, (low, high) in zip(shape, pairs))


def _pairs(width: Any, rank: int) -> list[tuple[Dim, Dim]]:
    shape = known_shape(width)
    if shape == ():
        return [(dim_of(width),) * 2] * rank
    rows = items_of(width)
    if all(known_shape(r) == () for r in rows):
        dims = [dim_of(r) for r in rows]
        if len(dims) in (1, 2):
            return [(dims[0], dims[-1])] * rank
        raise Unknowable
    pairs = []
    for row in rows:
        dims = [dim_of(v) for v in items_of(row)]
        if len(dims) not in (1, 2):
            raise Unknowable
        pairs.append((dims[0], dims[-1]))
    if len(pairs) == 1:
        pairs *= rank
    if len(pairs) != rank:
        raise Refused("array-shape", f"ValueError: pad_width has {len(pairs)} pairs for an array of rank {rank}")
    return pairs


@rule("take")
def _take(a: Arguments) -> Any:
    shape, indices = a.shape(), a.shape("indices")
    axis = a.axis(len(shape))
    return indices if axis is None else (*shape[:axis], *indices, *shape[axis + 1 :])


@rule("diag", "diagflat", "diagonal", "linalg.diagonal", dtype=same_dtype, grows=True)
def _diag(a: Arguments) -> Any:
    shape = a.shape()
    k = index_of(a.exact("offset" if "diagonal" in a.name else "k", 0))
    if a.name == "diagflat":
        shape = (multiply_dims(shape),)
    if len(shape) == 1 and "diagonal" not in a.name:
        side = add_dims((shape[0], abs(k)))
        return (side, side)
    first, second = (-2, -1) if a.name == "linalg.diagonal" else (a.exact("axis1", 0), a.exact("axis2", 1))
    i, j = axis_of(first, len(shape)), axis_of(second, len(shape))
    x, y = shape[i], shape[j]
    length = max_dim(min_dim(add_dims((x, min(k, 0))), add_dims((y, -max(k, 0)))), 0)
    return (*reduced(shape, (i, j), False), length)


@rule("meshgrid", sequence=tuple, grows=True)
def _meshgrid(a: Arguments) -> Any:
    values = items_of(a.get("xi"))
    sizes: list[Dim] = [multiply_dims(known_shape(v)) for v in values]
    if a.exact("indexing", "xy") == "xy" and len(sizes) > 1:
        order = [1, 0, *range(2, len(sizes))]
    else:
        order = list(range(len(sizes)))
    if a.exact("sparse", False):
        return [tuple(sizes[i] if j == i else 1 for j in order) for i in range(len(sizes))]
    return [tuple(sizes[i] for i in order)] * len(sizes)


@rule("rot90", dtype=same_dtype)
def _rot90(a: Arguments) -> Any:
    shape = list(a.shape())
    i, j = axes_of(a.exact("axes", (0, 1)), len(shape))
    if a.exact("k", 1) % 2:
        shape[i], shape[j] = shape[j], shape[i]
    return tuple(shape)


@rule("cross", "linalg.cross")
def _cross(a: Arguments) -> Any:
    first, second = (known_shape(v) for v in list(a.given.values())[:2])
    if any(n in a.given for n in ("axisa", "axisb", "axisc", "axis")) or first[-1] != 3 or second[-1] != 3:
        raise Unknowable
    return (*(broadcast_shapes("cross", first[:-1], second[:-1]) or ()), broadcast_dims(first[-1], second[-1]))
