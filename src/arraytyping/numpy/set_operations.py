"""Arrays as sets: union, intersection, differences.

How many elements the result has depends on the values: the number is asked for, or the values must be known.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/setops.py`.
"""

from __future__ import annotations

from typing import Any

from arraytyping import config
from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.axes import known_values, raveled
from arraytyping.numpy.choosing import where
from arraytyping.numpy.distinct import count_of, distinct_rows, rows_in_order, unique
from arraytyping.numpy.gathers import taken
from arraytyping.numpy.promoting import promoted
from arraytyping.numpy.reductions import amax, amin
from arraytyping.numpy.searching import flatnonzero, isin, nonzero_places
from arraytyping.numpy.sorting import sorted_along
from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, sub_p
from arraytyping.runtime.lax.comparisons import eq_p, lt_p, ne_p
from arraytyping.runtime.lax.creation import full_of, iota_of, zeros_of
from arraytyping.runtime.lax.dynamic_slicing import dynamic_update_slice_p
from arraytyping.runtime.lax.gathering import GatherScatterMode
from arraytyping.runtime.lax.integers import bitwise_and_p, bitwise_not_p
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.transformations.jit import jit
from arraytyping.semantics.avals import ShapedArray

__all__ = ["intersect1d", "setdiff1d", "setxor1d", "union1d"]


def _integer() -> str:
    return config.promotion().default("int")


def _vectors(name: str, *values: Any, size: Any) -> list[Any]:
    """The arrays in one dimension, of one dtype; they are known unless a size is asked for.

    Raises:
        ConcretizationTypeError: if one is traced, and no size is given.
    """
    arrays = [materialized(array_from(v)) for v in values]
    for x in arrays:
        if size is None and known_values(x) is None:
            raise ConcretizationTypeError(
                f"{name}: the size of the result depends on the values of a tracer of {x.aval}; give the argument size"
            )
    return [raveled(x) for x in arrays]


def union1d(ar1: Any, ar2: Any, *, size: int | None = None, fill_value: Any = None) -> Any:
    """The values that are in either array, each once, in order: `jax.numpy.union1d`.

    Raises:
        ConcretizationTypeError: if an array is traced and no size is given.
    """
    both = concatenate_p.bind(*promoted(*_vectors("union1d", ar1, ar2, size=size)), dimension=0)
    return unique(both, size=size, fill_value=fill_value)


def _places(size: int) -> Any:
    return iota_of(_integer(), (size,), 0)


def setdiff1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, *, size: int | None = None, fill_value: Any = None
) -> Any:
    """The values of the first array that are not in the second, each once, in order: `jax.numpy.setdiff1d`.

    Raises:
        ConcretizationTypeError: if an array is traced and no size is given.
    """
    x, others = _vectors("setdiff1d", ar1, ar2, size=size)
    (n,) = x.aval.shape
    fill = convert_to(array_from(0 if fill_value is None else fill_value), x.aval.dtype, bool(x.aval.weak_type))
    if not n:
        return full_of(fill, ShapedArray((size or 0,), x.aval.dtype, bool(x.aval.weak_type)))
    if not assume_unique:
        x = unique(x, size=size and n)
    kept = isin(x, others, assume_unique=assume_unique, invert=True)
    if size is None:
        return x[kept]
    if not assume_unique:
        copies = count_of(eq_p.bind(x, x[0]))
        many = sub_p.bind(constant_like(copies, n + 1), copies)
        kept = bitwise_and_p.bind(kept, lt_p.bind(_places(n), many))
    found = x[flatnonzero(kept, size=size)]
    return where(lt_p.bind(_places(size), count_of(kept)), found, fill)


def _joined_distinct(x: Any, y: Any) -> tuple[Any, Any, Any, Any]:
    """The distinct values of both, one after another, what is behind them zeros or repeated; the number of each."""
    (n,), (m,) = x.aval.shape, y.aval.shape
    counts = [count_of(rows_in_order(v, 0, True).is_first) for v in (x, y)]
    (first, places1), (second, places2) = (distinct_rows(v, 0, v.aval.shape[0], index=True) for v in (x, y))
    both = zeros_of(ShapedArray((n + m,), x.aval.dtype, False))
    zero = constant_like(counts[0], 0)
    both = dynamic_update_slice_p.bind(both, convert_to(first, x.aval.dtype), zero)
    both = dynamic_update_slice_p.bind(both, convert_to(second, x.aval.dtype), counts[0])
    return both, counts, places1, places2


def _filled(found: Any, valid: Any, fill_value: Any) -> Any:
    """The values, in the place of those that there are not a value, or the least one of them."""
    if fill_value is None:
        found = where(valid, found, amax(found))
        return where(valid, found, amin(found))
    return where(valid, found, fill_value)


def _at(x: Any, places: Any, beyond: Any) -> Any:
    return taken(x, places, 0, GatherScatterMode.FILL_OR_DROP, fill_value=beyond)


@jit(static_argnames=("assume_unique", "size", "return_indices"))
def _intersection(
    x: Any, y: Any, fill_value: Any, assume_unique: bool, size: int, return_indices: bool
) -> Any:  # fmt: skip
    (n,), (m,) = x.aval.shape, y.aval.shape
    whole = _places(n + m)
    if assume_unique:
        both = concatenate_p.bind(x, y, dimension=0)
        ordered, order = sorted_along([both, whole], 0)
        end: Any = constant_like(whole, n + m)
        first = constant_like(whole, n)
        places1, places2 = _places(n), _places(m)
    else:
        both, counts, places1, places2 = _joined_distinct(x, y)
        end, first = add_p.bind(*counts), counts[0]
        behind = bitwise_not_p.bind(lt_p.bind(whole, end))
        _, ordered, order = sorted_along([behind, both, whole], 0, 2)
    same = eq_p.bind(slice_along(ordered, 1, n + m), slice_along(ordered, 0, n + m - 1))
    same = bitwise_and_p.bind(same, lt_p.bind(slice_along(whole, 1, n + m), end))
    (found,) = nonzero_places(same, size)
    valid = lt_p.bind(_places(size), count_of(same))
    values = _filled(_at(ordered, found, 0), valid, fill_value)
    if not return_indices:
        return values
    of_first = _at(order, found, n)
    of_second = sub_p.bind(_at(order, add_p.bind(found, constant_like(found, 1)), m), first)
    of_first, of_second = _at(places1, of_first, n), _at(places2, of_second, m)
    return values, where(valid, of_first, n), where(valid, of_second, m)


def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False, *, size: int | None = None,
    fill_value: Any = None,
) -> Any:  # fmt: skip
    """The values that are in both arrays, each once, in order, and where they are: `jax.numpy.intersect1d`.

    Raises:
        ConcretizationTypeError: if an array is traced and no size is given.
    """
    x, y = promoted(*_vectors("intersect1d", ar1, ar2, size=size))
    if size is not None:
        return _intersection(x, y, fill_value, bool(assume_unique), size, bool(return_indices))
    places1 = places2 = None
    if not assume_unique:
        x, places1 = unique(x, return_index=True)
        y, places2 = unique(y, return_index=True)
    n, total = x.aval.shape[0], x.aval.shape[0] + y.aval.shape[0]
    both = concatenate_p.bind(x, y, dimension=0)
    ordered, order = sorted_along([both, _places(total)], 0)
    last = max(total - 1, 0)
    same = eq_p.bind(slice_along(ordered, min(1, total), total), slice_along(ordered, 0, last))
    values = slice_along(ordered, 0, last)[same]
    if not return_indices:
        return values
    first = slice_along(order, 0, last)[same]
    second = slice_along(order, min(1, total), total)[same]
    second = sub_p.bind(second, constant_like(second, n))
    return values, first if places1 is None else places1[first], second if places2 is None else places2[second]


@jit(static_argnames=("assume_unique", "size"))
def _exclusive(x: Any, y: Any, fill_value: Any, assume_unique: bool, size: int) -> Any:
    (n,), (m,) = x.aval.shape, y.aval.shape
    total = n + m
    whole = _places(total)
    if assume_unique:
        (ordered,) = sorted_along([concatenate_p.bind(x, y, dimension=0)], 0)
        end: Any = constant_like(whole, total)
    else:
        both, counts, _, _ = _joined_distinct(x, y)
        end = add_p.bind(*counts)
        behind = bitwise_not_p.bind(lt_p.bind(whole, end))
        _, ordered = sorted_along([behind, both], 0, 2)
    kept = lt_p.bind(whole, end)
    differs = ne_p.bind(slice_along(ordered, min(1, total), total), slice_along(ordered, 0, max(total - 1, 0)))
    true = full_of(True, ShapedArray((min(total, 1),), "bool", False))
    from_before = concatenate_p.bind(true, differs, dimension=0)
    is_last = eq_p.bind(whole, sub_p.bind(end, constant_like(whole, 1)))
    to_next = where(is_last, True, concatenate_p.bind(differs, true, dimension=0))
    alone = bitwise_and_p.bind(bitwise_and_p.bind(from_before, to_next), kept)
    (places,) = nonzero_places(alone, size)
    valid = lt_p.bind(_places(size), count_of(alone))
    values = _at(ordered, places, 0) if total else zeros_of(ShapedArray((size,), x.aval.dtype, False))
    return _filled(values, valid, fill_value)


def setxor1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, *, size: int | None = None, fill_value: Any = None
) -> Any:
    """The values that are in one of two arrays only, each once, in order: `jax.numpy.setxor1d`.

    Raises:
        ConcretizationTypeError: if an array is traced and no size is given.
    """
    x, y = promoted(*_vectors("setxor1d", ar1, ar2, size=size))
    if size is not None:
        return _exclusive(x, y, fill_value, bool(assume_unique), size)
    if not assume_unique:
        x, y = unique(x), unique(y)
    both = concatenate_p.bind(x, y, dimension=0)
    (total,) = both.aval.shape
    if not total:
        return both
    (ordered,) = sorted_along([both], 0)
    true = full_of(True, ShapedArray((1,), "bool", False))
    differs = ne_p.bind(slice_along(ordered, 1, total), slice_along(ordered, 0, total - 1))
    alone = (concatenate_p.bind(*parts, dimension=0) for parts in ((true, differs), (differs, true)))
    return ordered[bitwise_and_p.bind(*alone)]
