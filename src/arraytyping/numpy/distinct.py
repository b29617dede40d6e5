"""Distinct values: each once, with its first place, the way back, how often it is there.

How many there are depends on the values: the number is asked for, or the values must be known.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.unique.html; `jax/_src/numpy/setops.py`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from arraytyping import config
from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.axes import axis_of, known_values, raveled
from arraytyping.numpy.gathers import put_at, taken
from arraytyping.numpy.promoting import chosen, is_complex, is_inexact
from arraytyping.numpy.reducing import ANY, Axes, reduced
from arraytyping.numpy.searching import nonzero_places
from arraytyping.numpy.sorting import sorted_along
from arraytyping.runtime.array import ArrayImpl, array_of
from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import is_eager
from arraytyping.runtime.interface.host import concrete
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import constant_like, sub_p
from arraytyping.runtime.lax.comparisons import lt_p, ne_p
from arraytyping.runtime.lax.creation import full_of, iota_of, zeros_of
from arraytyping.runtime.lax.cumulative import cumsum_p
from arraytyping.runtime.lax.integers import bitwise_and_p, bitwise_not_p
from arraytyping.runtime.lax.reductions import reduce_sum
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import broadcast_to, moveaxis, reshape
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.semantics.avals import ShapedArray

__all__ = ["unique", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


class InOrder(NamedTuple):
    """Rows in order, which of them are the first of their kind, and where each stood."""

    rows: Any
    is_first: Any
    order: Any


def _integer() -> str:
    return config.promotion().default("int")


def rows_in_order(x: Any, axis: int, equal_nan: bool) -> InOrder:
    """What stands along an axis, in lexicographic order; rows without elements are one."""
    rows = moveaxis(x, axis, 0)
    if is_complex(rows):
        rows = chosen(ne_p.bind(rows, rows), constant_like(rows, float("nan")), rows)
    size, width = rows.aval.shape[0], math.prod(rows.aval.shape[1:])
    if not width:
        order = zeros_of(ShapedArray((1,), _integer(), False))
        empty = zeros_of(ShapedArray((1, *rows.aval.shape[1:]), rows.aval.dtype, bool(rows.aval.weak_type)))
        return InOrder(empty, zeros_of(ShapedArray((1,), "bool", False)), order)
    places = iota_of(_integer(), (size,), 0)
    flat = reshape(rows, (size, width))
    columns = [reshape(slice_along(flat, i, i + 1, axis=1), (size,)) for i in range(width)]
    order = sorted_along([*columns, places], 0, width)[-1]
    rows = taken(rows, order, 0) if size else rows
    if not size:
        return InOrder(rows, zeros_of(ShapedArray((0,), "bool", False)), order)
    after, before = slice_along(rows, 1, size), slice_along(rows, 0, size - 1)
    differs = ne_p.bind(after, before)
    if is_inexact(rows) and equal_nan:
        both_nan = bitwise_and_p.bind(ne_p.bind(after, after), ne_p.bind(before, before))
        differs = bitwise_and_p.bind(differs, bitwise_not_p.bind(both_nan))
    rest = reduced(ANY, differs, Axes(tuple(range(1, len(rows.aval.shape)))), keepdims=False)
    first = full_of(True, ShapedArray((1,), "bool", False))
    return InOrder(rows, concatenate_p.bind(first, rest, dimension=0), order)


def count_of(mask: Any) -> Any:
    """How many elements of a mask hold."""
    return reduce_sum(convert_to(mask, _integer()), (0,))


def _way_back(found: InOrder, shape: tuple[int, ...]) -> Any:
    """For each row, the number of the distinct one that it is."""
    (size,) = shape
    if not math.prod(found.rows.aval.shape):
        return zeros_of(ShapedArray((size,), _integer(), False))
    numbers = cumsum_p.bind(convert_to(found.is_first, _integer()), axis=0, reverse=False)
    numbers = sub_p.bind(numbers, constant_like(numbers, 1))
    return put_at(zeros_of(numbers.aval), found.order, numbers, unique_indices=True)


def distinct_rows(
    x: Any, axis: int, size: int, fill_value: Any = None, *, equal_nan: bool = True, index: bool = False,
    inverse: bool = False, counts: bool = False,
) -> list[Any]:  # fmt: skip
    """So many distinct rows, the first one again or a value where there are not as many; and what else is asked for."""
    found = rows_in_order(x, axis, equal_nan)
    rows, is_first, order = found
    (many,) = is_first.aval.shape
    empty = not math.prod(rows.aval.shape)
    (places,) = nonzero_places(is_first, size)
    result = rows if empty else taken(rows, places, 0)
    if fill_value is not None:
        fill = convert_to(fill_value, x.aval.dtype)
        shape = (size, *result.aval.shape[1:])
        if result.aval.shape[0]:
            valid = lt_p.bind(iota_of(_integer(), (size,), 0), count_of(is_first))
            valid = reshape(valid, (*valid.aval.shape, *(1,) * (len(shape) - 1)))
            result = chosen(valid, result, fill)
        else:
            result = broadcast_to(fill, shape)
    results = [moveaxis(result, 0, axis)]
    if index:
        results.append(order if empty else taken(order, places, 0))
    if inverse:
        results.append(_way_back(found, (x.aval.shape[axis],)))
    if counts:
        rows_given = x.aval.shape[axis]
        if not empty:
            (starts,) = nonzero_places(is_first, size + 1)
            end = constant_like(starts, many)
            later = slice_along(starts, 1, size + 1)
            later = chosen(ne_p.bind(later, constant_like(later, 0)), later, end)
            results.append(sub_p.bind(later, concatenate_p.bind(
                slice_along(starts, 0, 1), slice_along(later, 0, size - 1), dimension=0
            ) if size else later))  # fmt: skip
        else:
            aval = ShapedArray((1 if rows_given else 0,), _integer(), False)
            results.append(full_of(rows_given, aval))
    return results


@operation("numpy.unique", "ar", "fill_value")
def _unique(
    ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: int | None = None, *, equal_nan: bool = True, size: int, fill_value: Any = None, sorted: bool = True,
) -> Any:  # fmt: skip
    x, along = (raveled(ar), 0) if axis is None else (ar, axis_of(axis, len(ar.aval.shape)))
    results = distinct_rows(
        x, along, size, fill_value, equal_nan=bool(equal_nan), index=bool(return_index), inverse=bool(return_inverse),
        counts=bool(return_counts),
    )  # fmt: skip
    if return_inverse and axis is None:
        results[1 + bool(return_index)] = reshape(results[1 + bool(return_index)], ar.aval.shape)
    return results[0] if len(results) == 1 else tuple(results)


@operation("numpy.unique", "ar")
def _check(
    ar: Any, return_index: Any = False, return_inverse: Any = False, return_counts: Any = False, axis: Any = None, *,
    equal_nan: Any = True, size: None = None, fill_value: Any = None, sorted: Any = True,
) -> Any:  # fmt: skip
    """Rows, which of them are first, and their order: one item, since the rule's results are other ones."""
    x, along = (raveled(ar), 0) if axis is None else (ar, axis_of(axis, len(ar.aval.shape)))
    return [tuple(rows_in_order(x, along, bool(equal_nan)))]


def _host(values: np.ndarray[Any, Any]) -> Any:
    return array_of(values.astype(np_dtype(_integer())))


def unique(
    ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: int | None = None, *, equal_nan: bool = True, size: int | None = None, fill_value: Any = None,
    sorted: bool = True,
) -> Any:  # fmt: skip
    """The distinct values in order, or rows along an axis, and what else is asked for: `jax.numpy.unique`.

    Raises:
        ConcretizationTypeError: if the array is traced and no size is given.
    """
    flags = bool(return_index), bool(return_inverse), bool(return_counts)
    if size is not None:
        return _unique(ar, *flags, axis, equal_nan=equal_nan, size=size, fill_value=fill_value, sorted=sorted)
    given_array = array_from(ar)
    # as in JAX the derivative does not go through where the values decide on the size
    known = concrete(given_array)
    x = materialized(given_array if known is None else known)
    ((rows, is_first, order),) = _check(x, *flags, axis, equal_nan=equal_nan)
    mask = known_values(is_first)
    if mask is None:
        raise ConcretizationTypeError(
            f"unique: how many distinct values a tracer of {x.aval} has depends on data; give the argument size"
        )
    shape = x.aval.shape
    along = 0 if axis is None else axis_of(axis, len(shape))
    given = math.prod(shape) if axis is None else shape[along]
    places = np.flatnonzero(mask)
    empty = not math.prod(rows.aval.shape)
    known_order = known_values(order)
    assert known_order is not None
    result = rows
    if not empty:
        if isinstance(rows, ArrayImpl) and is_eager():
            result = array_of(rows._value[places], weak_type=bool(rows.aval.weak_type))
        else:
            result = taken(rows, array_from(places.astype(np.int32)), 0)
    results = [moveaxis(result, 0, along)]
    if return_index:
        results.append(_host(known_order if empty else known_order[places]))
    if return_inverse:
        back = np.zeros(given, np.int64)
        if not empty:
            back[known_order] = np.cumsum(mask) - 1
        results.append(_host(back.reshape(shape) if axis is None else back))
    if return_counts:
        results.append(_host(np.diff([*places, given]) if not empty else np.full(min(given, 1), given)))
    return results[0] if len(results) == 1 else tuple(results)


class UniqueAllResult(NamedTuple):
    """What `unique_all` gives."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` gives."""

    values: Any
    counts: Any


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` gives."""

    values: Any
    inverse_indices: Any


def unique_all(x: Any, /, *, size: int | None = None, fill_value: Any = None) -> UniqueAllResult:
    """The distinct values, where they are first, the way back, and how often they are there: `jax.numpy.unique_all`."""
    found = unique(x, True, True, True, equal_nan=False, size=size, fill_value=fill_value)
    return UniqueAllResult(*found)


def unique_counts(x: Any, /, *, size: int | None = None, fill_value: Any = None) -> UniqueCountsResult:
    """The distinct values, and how often they are there: `jax.numpy.unique_counts`."""
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False, size=size, fill_value=fill_value))


def unique_inverse(x: Any, /, *, size: int | None = None, fill_value: Any = None) -> UniqueInverseResult:
    """The distinct values, and for each element the number of its value: `jax.numpy.unique_inverse`."""
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False, size=size, fill_value=fill_value))


def unique_values(x: Any, /, *, size: int | None = None, fill_value: Any = None) -> Any:
    """The distinct values: `jax.numpy.unique_values`."""
    return unique(x, equal_nan=False, size=size, fill_value=fill_value)
