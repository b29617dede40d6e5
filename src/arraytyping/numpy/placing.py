"""Elements put at places, taken where a condition holds, chosen from several arrays, trimmed.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.axes import known_values, raveled, several
from arraytyping.numpy.choosing import clip, where
from arraytyping.numpy.division import remainder
from arraytyping.numpy.gathers import taken
from arraytyping.numpy.index_arrays import diag_indices
from arraytyping.numpy.numbering import unravel_index
from arraytyping.numpy.promoting import one_shape, promoted
from arraytyping.numpy.ranges import indices as indices_of
from arraytyping.numpy.searching import flatnonzero
from arraytyping.numpy.sorting import argsort
from arraytyping.numpy.stretching import broadcast_to as spread_to, tiled
from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.runtime.calling import operation, taking_extended
from arraytyping.runtime.core import raised
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import moveaxis, reshape
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import RuleError

__all__ = [
    "choose", "compress", "extract", "fill_diagonal", "piecewise", "place", "put", "put_along_axis", "trim_zeros",
]  # fmt: skip


def _axis(name: str, axis: Any, rank: int) -> int:
    try:
        found = canonicalize_axis(name, axis, rank)
    except RuleError as error:
        raise raised(error) from None
    assert found is not None
    return found


def _arrays(*values: Any) -> list[Any]:
    return [materialized(array_from(v)) for v in values]


@taking_extended("numpy.compress")
def compress(
    condition: Any, a: Any, axis: int | None = None, *, size: int | None = None, fill_value: Any = 0, out: None = None
) -> Any:
    """What stands along an axis where a condition holds: `jax.numpy.compress`.

    With a size, so many of them, and a value where there are not as many.

    Raises:
        NotImplementedError: if `out` is given.
        ValueError: for a condition of another rank than 1 or that holds beyond the axis, and for a size beyond it.
        ConcretizationTypeError: if the condition is traced and no size is given.
    """
    which, x, fill = _arrays(condition, a, fill_value)
    if out is not None:
        raise NotImplementedError("compress: the argument out is not supported; arrays are not changed in place")
    if len(which.aval.shape) != 1:
        raise ValueError(f"compress: the condition has 1 dimension, got {which.aval}")
    along = 0 if axis is None else _axis("compress", axis, len(x.aval.shape))
    x = raveled(x) if axis is None else moveaxis(x, along, 0)
    which = convert_to(which, "bool")
    many = min(which.aval.shape[0], x.aval.shape[0])
    known = known_values(which)
    beyond = known is not None and known[many:].any()
    which, x = slice_along(which, 0, many), slice_along(x, 0, many)
    if size is None:
        if beyond:
            raise ValueError(f"compress: the condition holds beyond the axis, of size {many}")
        places = flatnonzero(which)
        return moveaxis(taken(x, places, 0), 0, along) if places.aval.shape[0] else moveaxis(x[:0], 0, along)
    if not 0 <= size <= many:
        raise ValueError(f"compress: the size is from 0 to {many}, that of the axis, got {size}")
    mask = reshape(which, (many, *(1,) * (len(x.aval.shape) - 1)))
    x = where(mask, x, convert_to(fill, x.aval.dtype))
    first = slice_along(argsort(which, stable=True, descending=True), 0, size)
    return moveaxis(taken(x, first, 0), 0, along) if size else moveaxis(x[:0], 0, along)


@taking_extended("numpy.extract")
def extract(condition: Any, arr: Any, *, size: int | None = None, fill_value: Any = 0) -> Any:
    """The elements where a condition holds, in one dimension: `jax.numpy.extract`."""
    which, x = _arrays(condition, arr)
    return compress(raveled(which), raveled(x), size=size, fill_value=fill_value)


def _of_size(x: Any, size: int) -> Any:
    """The elements of a vector, repeated or cut off to a size."""
    (have,) = x.aval.shape
    x = tiled(x, (-(-size // have),)) if have < size else x
    return slice_along(x, 0, size)


@operation("numpy.put_along_axis", "arr", "indices", "values")
def put_along_axis(
    arr: Any, indices: Any, values: Any, axis: int | None, inplace: bool = True, *, mode: str | None = None
) -> Any:
    """The array with values at indices along an axis, of each line its own: `jax.numpy.put_along_axis`."""
    whole, places, new = arr, indices, values
    x = raveled(whole) if axis is None else whole
    along = 0 if axis is None else axis % len(x.aval.shape)
    new = spread_to(new, places.aval.shape)
    key = list(indices_of(x.aval.shape, sparse=True))
    key[along] = places
    return reshape(x.at[tuple(key)].set(new, mode=mode), whole.aval.shape)


@operation("numpy.place", "arr", "mask", "vals")
def place(arr: Any, mask: Any, vals: Any, *, inplace: bool = True) -> Any:
    """The array with values, one after another, where a mask holds: `jax.numpy.place`."""
    x, which = arr, mask
    flat, new = raveled(x), raveled(vals)
    (size,) = flat.aval.shape
    if not size:
        return x
    places = flatnonzero(which, size=size, fill_value=size)
    return reshape(flat.at[places].set(_of_size(new, size), mode="drop"), x.aval.shape)


@operation("numpy.put", "a", "ind", "v")
def put(a: Any, ind: Any, v: Any, mode: str | None = None, *, inplace: bool = True) -> Any:
    """The array with values, one after another, at places counted in one dimension: `jax.numpy.put`."""
    x, places, new = a, raveled(ind), raveled(v)
    flat = raveled(x)
    if not flat.aval.shape[0] or not places.aval.shape[0] or not new.aval.shape[0]:
        return x
    new = _of_size(new, places.aval.shape[0])
    size = flat.aval.shape[0]
    if mode == "clip":
        places = clip(places, 0, size - 1)
    elif mode == "wrap":
        places = remainder(places, size)
    return x.at[unravel_index(places, x.aval.shape)].set(new, mode="drop" if mode is None else "promise_in_bounds")


@operation("numpy.fill_diagonal", "a", "val")
def fill_diagonal(a: Any, val: Any, wrap: bool = False, *, inplace: bool = True) -> Any:
    """The array with values on its main diagonal: `jax.numpy.fill_diagonal`."""
    x, new = a, val
    shape = x.aval.shape
    size = min(shape)
    return x.at[diag_indices(size, len(shape))].set(new if not new.aval.shape else _of_size(raveled(new), size))


@operation("numpy.choose", "a", "choices", how="inline")
def choose(a: Any, choices: Any, out: None = None, mode: str = "raise") -> Any:
    """Of each place the element of the array whose number stands there: `jax.numpy.choose`.

    The mode says what is done with numbers that there are not: `raise`, `wrap` or `clip`.

    Raises:
        ValueError: for numbers that there are not, in mode `raise`.
        ConcretizationTypeError: for numbers that are traced, in mode `raise`.
    """
    which, *arrays = _arrays(a, *choices)
    count = len(arrays)
    if mode == "raise":
        known = known_values(which)
        if known is None:
            raise ConcretizationTypeError(
                f"choose: the numbers are a tracer of {which.aval}, which mode 'raise' looks at; use 'wrap' or 'clip'"
            )
        if ((known < 0) | (known >= count)).any():
            raise ValueError(f"choose: there are {count} choices, and a number is out of bounds")
    elif mode == "wrap":
        which = remainder(which, count)
    elif mode == "clip":
        which = clip(which, 0, count - 1)
    which, *arrays = one_shape(which, *arrays)
    stacked = concatenate_p.bind(*(reshape(x, (1, *x.aval.shape)) for x in promoted(*arrays)), dimension=0)
    stacked = convert_to(stacked, stacked.aval.dtype)  # an array of a list is strong
    return stacked[(which, *indices_of(which.aval.shape, sparse=True))]


def _listed(axis: Any) -> Sequence[Any]:
    return axis if several(axis) else (axis,)


def trim_zeros(filt: Any, trim: str = "fb", axis: int | Sequence[int] | None = None) -> Any:
    """The array without zeros at the front (`f`) and the back (`b`) along axes: `jax.numpy.trim_zeros`.

    Raises:
        ConcretizationTypeError: if it is traced, since the size of the result depends on data.
        ValueError: if it has no such axis.
    """
    (x,) = _arrays(filt)
    known = known_values(x)
    if known is None:
        raise ConcretizationTypeError(f"trim_zeros: how many zeros a tracer of {x.aval} begins with depends on data")
    rank = len(x.aval.shape)
    axes = range(rank) if axis is None else [_axis("trim_zeros", i, rank) for i in _listed(axis)]
    sides = trim.lower()
    key = [slice(None)] * rank
    for i in axes if "f" in sides or "b" in sides else ():
        (held,) = np.nonzero((known != 0).any(axis=tuple(d for d in range(rank) if d != i)))
        if not held.size:
            key[i] = slice(0, 0)
        else:
            key[i] = slice(int(held[0]) if "f" in sides else None, int(held[-1]) + 1 if "b" in sides else None)
    return x[tuple(key)]


def piecewise(x: Any, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> Any:
    """Of each place what the function of the last condition that holds makes of it: `jax.numpy.piecewise`.

    Raises:
        ValueError: if there are neither as many functions as conditions, nor one more, for where none holds.
    """
    from arraytyping.numpy.conversion import asarray
    from arraytyping.numpy.vectorizing import vectorize
    from arraytyping.runtime.lax.control_flow import switch

    (values,) = _arrays(x)
    count = len(condlist)
    if len(funclist) not in (count, count + 1):
        raise ValueError(
            f"piecewise: for {count} conditions, {count} or {count + 1} functions are needed, got {len(funclist)}"
        )
    default = funclist[count] if len(funclist) > count else 0
    conditions = asarray(condlist, dtype=bool)
    dtype = values.aval.dtype

    def branch(function: Any) -> Callable[[Any], Any]:
        def compute(value: Any) -> Any:
            result = function(value, *args, **kw) if callable(function) else function
            return convert_to(materialized(array_from(result)), dtype)

        return compute

    branches = [branch(f) for f in (default, *funclist[:count])]
    number = where(False, 0, 0)
    for i in range(count):
        number = where(conditions[i], i + 1, number)
    return vectorize(lambda which, value: switch(which, branches, value))(number, values)
