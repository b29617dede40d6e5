"""Where values are: places of nonzero elements, of values in a sorted array, whether they are among others.

How many nonzero elements there are depends on the values: the number is asked for, or the values must be known.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/hijax.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.axes import at_axis, known_values, raveled
from arraytyping.numpy.comparing import compared, truth
from arraytyping.numpy.gathers import put_at, taken
from arraytyping.numpy.promoting import chosen, is_inexact, one_shape, promoted
from arraytyping.numpy.reducing import ALL, ANY, Axes, reduced
from arraytyping.numpy.sorting import sorted_along
from arraytyping.runtime.array import array_of
from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, sub_p
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import eq_p, ge_p, le_p, lt_p, ne_p
from arraytyping.runtime.lax.complex_numbers import imag_p, real_p
from arraytyping.runtime.lax.control_flow import scan
from arraytyping.runtime.lax.creation import full_of, iota_of, zeros_of
from arraytyping.runtime.lax.cumulative import cumsum_p
from arraytyping.runtime.lax.gathering import GatherScatterMode
from arraytyping.runtime.lax.integers import bitwise_and_p, bitwise_not_p, bitwise_or_p, rem_p
from arraytyping.runtime.lax.reductions import reduce_sum
from arraytyping.runtime.lax.slicing import concatenate_p, rev_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, reshape
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.semantics.avals import ShapedArray

__all__ = ["argwhere", "digitize", "flatnonzero", "isin", "nonzero", "searchsorted"]


def _integer() -> str:
    return config.promotion().default("int")


def nonzero_places(x: Any, size: int) -> list[Any]:
    """The indices along each axis of so many nonzero elements, of index 0 where there are not as many."""
    shape = x.aval.shape
    dtype = _integer()
    if not math.prod(shape) or not size:
        return [zeros_of(ShapedArray((size,), dtype, False)) for _ in shape]
    found = convert_to(raveled(truth(x)), dtype)
    # the k-th one is where so many elements have at most k nonzero ones up to them
    before = cumsum_p.bind(found, axis=0, reverse=False)
    ones = full_of(1, ShapedArray(before.aval.shape, dtype, False))
    many = put_at(zeros_of(ShapedArray((size,), dtype, False)), before, ones, add=True)
    flat = cumsum_p.bind(many, axis=0, reverse=False)
    strides = [math.prod(shape[d + 1 :]) for d in range(len(shape))]
    return [
        rem_p.bind(div_p.bind(flat, constant_like(flat, stride)), constant_like(flat, n))
        for stride, n in zip(strides, shape)
    ]


def _filled(x: Any, places: list[Any], fill_value: Any) -> list[Any]:
    """The indices with a value in place of those that there are not."""
    if fill_value is None or not math.prod(x.aval.shape) or not places[0].aval.shape[0]:
        return places
    fills = fill_value if isinstance(fill_value, tuple) else (fill_value,) * len(places)
    shape = x.aval.shape
    count = reduce_sum(convert_to(truth(x), _integer()), tuple(range(len(shape))))
    beyond = ge_p.bind(iota_of(_integer(), places[0].aval.shape, 0), count)
    return [chosen(beyond, *promoted(fill, place)) for fill, place in zip(fills, places)]


@operation("numpy.nonzero", "a", "fill_value")
def _nonzero(a: Any, *, size: int, fill_value: Any = None) -> Any:
    return tuple(_filled(a, nonzero_places(a, size), fill_value))


@operation("numpy.flatnonzero", "a", "fill_value")
def _flatnonzero(a: Any, *, size: int, fill_value: Any = None) -> Any:
    flat = raveled(a)
    return _filled(flat, nonzero_places(flat, size), fill_value)[0]


@operation("numpy.argwhere", "a", "fill_value")
def _argwhere(a: Any, *, size: int, fill_value: Any = None) -> Any:
    x = a if a.aval.shape else reshape(a, (1,))
    places = promoted(*_filled(x, nonzero_places(x, size), fill_value))
    columns = concatenate_p.bind(*(reshape(p, (size, 1)) for p in places), dimension=1)
    return columns if a.aval.shape else slice_along(columns, 0, 0, axis=1)


def known_mask(name: str, a: Any) -> np.ndarray[Any, Any]:
    """Where an array is not zero.

    Raises:
        ConcretizationTypeError: if it is traced.
    """
    x = materialized(array_from(a))
    mask = known_values(truth(x))  # by an operation, so that while a program is traced it is not known, as in JAX
    if mask is None:
        raise ConcretizationTypeError(
            f"{name}: how many elements of a tracer of {x.aval} are not zero depends on data; give the argument size"
        )
    return mask


def _index(values: np.ndarray[Any, Any]) -> Any:
    return array_of(values.astype(np_dtype(_integer())))


def nonzero(a: Any, *, size: int | None = None, fill_value: Any = None) -> Any:
    """The indices along each axis of the elements that are not zero: `jax.numpy.nonzero`.

    Raises:
        ConcretizationTypeError: if the array is traced and no size is given.
    """
    if size is not None or not array_from(a).aval.shape:
        return _nonzero(a, size=0 if size is None else size, fill_value=fill_value)
    return tuple(map(_index, np.nonzero(known_mask("nonzero", a))))


def flatnonzero(a: Any, *, size: int | None = None, fill_value: Any = None) -> Any:
    """The indices of the elements that are not zero, in one dimension: `jax.numpy.flatnonzero`.

    Raises:
        ConcretizationTypeError: if the array is traced and no size is given.
    """
    if size is not None:
        return _flatnonzero(a, size=size, fill_value=fill_value)
    return _index(np.flatnonzero(known_mask("flatnonzero", a)))


def argwhere(a: Any, *, size: int | None = None, fill_value: Any = None) -> Any:
    """The indices of the elements that are not zero, one row for each: `jax.numpy.argwhere`.

    Raises:
        ConcretizationTypeError: if the array is traced and no size is given.
    """
    if size is not None:
        return _argwhere(a, size=size, fill_value=fill_value)
    mask = known_mask("argwhere", a)
    places = np.argwhere(np.atleast_1d(mask))
    return _index(places if mask.shape else places[:, :0])


def _is_nan(x: Any) -> Any:
    return ne_p.bind(x, x)


def in_order(x: Any, y: Any, *, or_equal: bool) -> Any:
    """Whether x comes before y in the order of sorting, in which NaN is last, or is equal to it."""
    if x.aval.dtype.startswith("complex"):
        real, imaginary = ([part.bind(v) for v in (x, y)] for part in (real_p, imag_p))
        first = in_order(*real, or_equal=False)
        same = bitwise_and_p.bind(in_order(*real, or_equal=True), bitwise_not_p.bind(first))
        return bitwise_or_p.bind(first, bitwise_and_p.bind(same, in_order(*imaginary, or_equal=or_equal)))
    before = (le_p if or_equal else lt_p).bind(x, y)
    if not is_inexact(x):
        return before
    last = _is_nan(y) if or_equal else bitwise_and_p.bind(_is_nan(y), bitwise_not_p.bind(_is_nan(x)))
    return bitwise_or_p.bind(before, last)


def _by_halves(values: Any, query: Any, side: str, *, unrolled: bool) -> Any:
    """Binary search: the bounds between which a place is, halved until they meet."""
    (n,) = values.aval.shape
    shape = query.aval.shape
    flat = raveled(query)

    def step(low: Any, high: Any) -> list[Any]:
        middle = add_p.bind(low, div_p.bind(sub_p.bind(high, low), constant_like(low, 2)))
        # the bounds have met where a search is over, perhaps behind the last value, which is then looked at in vain
        seen = taken(values, convert_to(middle, "int32"), 0, GatherScatterMode.CLIP)
        left = in_order(flat, seen, or_equal=side == "left")
        return [select_n_p.bind(left, middle, low), select_n_p.bind(left, high, middle)]

    bounds = [full_of(b, ShapedArray(flat.aval.shape, "uint32", False)) for b in (0, n)]
    steps = math.ceil(math.log2(n + 1))
    if unrolled:
        for _ in range(steps):
            bounds = step(*bounds)
    else:
        bounds, _ = scan(lambda carry, _: (step(*carry), None), bounds, None, length=steps)
    return reshape(convert_to(bounds[1], "int32"), shape)


def _by_comparing_all(values: Any, query: Any, side: str) -> Any:
    shape = query.aval.shape
    (n,) = values.aval.shape
    rows = broadcast_in_dim_p.bind(values, shape=(n, *shape), broadcast_dimensions=(0,))
    columns = broadcast_in_dim_p.bind(query, shape=(n, *shape), broadcast_dimensions=tuple(range(1, len(shape) + 1)))
    before = in_order(rows, columns, or_equal=side == "right")
    return reduce_sum(convert_to(before, "int32"), (0,))


def _ranks(x: Any) -> Any:
    """The place of each element after sorting."""
    places = iota_of("int32", x.aval.shape, 0)
    _, order = sorted_along([x, places], 0)
    return put_at(zeros_of(places.aval), order, places, unique_indices=True)


def _by_sorting(values: Any, query: Any, side: str) -> Any:
    (n,), flat = values.aval.shape, raveled(query)
    (m,) = flat.aval.shape
    if side == "left":
        places = slice_along(_ranks(concatenate_p.bind(flat, values, dimension=0)), 0, m)
    else:
        places = slice_along(_ranks(concatenate_p.bind(values, flat, dimension=0)), n, n + m)
    return reshape(sub_p.bind(places, _ranks(flat)), query.aval.shape)


def searched(values: Any, query: Any, side: str, method: str) -> Any:
    """Where in sorted values those of the query would be put, of equal ones before the first or behind the last."""
    if not values.aval.shape[0] or not math.prod(query.aval.shape):
        return zeros_of(ShapedArray(query.aval.shape, "int32", False))
    if method == "compare_all":
        return _by_comparing_all(values, query, side)
    if method == "sort":
        return _by_sorting(values, query, side)
    return _by_halves(values, query, side, unrolled=method == "scan_unrolled")


@operation("numpy.searchsorted", "a", "v", "sorter")
def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None, *, method: str = "scan") -> Any:
    """Where values would be put into a sorted array to keep it sorted: `jax.numpy.searchsorted`."""
    values, query = promoted(a, v)
    if sorter is not None:
        values = taken(values, sorter, 0, GatherScatterMode.CLIP)
    return searched(values, query, side, method)


@operation("numpy.digitize", "x", "bins")
def digitize(x: Any, bins: Any, right: bool = False, *, method: str | None = None) -> Any:
    """The index of the bin of each value, by ascending or descending edges: `jax.numpy.digitize`."""
    (n,) = bins.aval.shape
    if not n:
        return zeros_of(ShapedArray(x.aval.shape, "int32", False))
    edges, query = promoted(bins, x)
    side, how = "left" if right else "right", method or "scan"
    ascending = compared(ge_p, at_axis(edges, n - 1, 0), at_axis(edges, 0, 0))
    up = searched(edges, query, side, how)
    down = searched(rev_p.bind(edges, dimensions=(0,)), query, side, how)
    return chosen(ascending, up, sub_p.bind(constant_like(down, n), down))


def _among_all(x: Any, others: Any, invert: bool) -> Any:
    (n,), (m,) = x.aval.shape, others.aval.shape
    one, other = reshape(x, (n, 1)), reshape(others, (1, m))
    kind, primitive = (ALL, ne_p) if invert else (ANY, eq_p)
    return reduced(kind, primitive.bind(*one_shape(one, other)), Axes((1,)), keepdims=False)


def _among_sorted(x: Any, others: Any, invert: bool) -> Any:
    (ordered,) = sorted_along([others], 0)
    seen = taken(ordered, searched(ordered, x, "left", "scan"), 0, GatherScatterMode.CLIP)
    return (ne_p if invert else eq_p).bind(x, seen)


@operation("numpy.isin", "element", "test_elements")
def isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *, method: str = "auto"
) -> Any:
    """Whether each element is among others: `jax.numpy.isin`."""
    shape = element.aval.shape
    x, others = map(raveled, promoted(element, test_elements))
    if not x.aval.shape[0] or not others.aval.shape[0]:
        return full_of(bool(invert), ShapedArray(shape, "bool", False))
    if method in ("binary_search", "sort"):
        found = _among_sorted(x, others, bool(invert))
    else:
        found = _among_all(x, others, bool(invert))
    return reshape(found, shape)
