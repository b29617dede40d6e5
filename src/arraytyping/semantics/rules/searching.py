"""Functions that look for values: places of nonzero elements, of values in a sorted array, distinct values.

How many there are depends on the values, so those sizes are unknown unless `size` is given.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX
from arraytyping.semantics.rules.errors import DimError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_array, as_operand
from arraytyping.semantics.rules.reshaping import raveled
from arraytyping.semantics.rules.shapes.searching import found_places, listed_places
from arraytyping.semantics.rules.sizes import is_empty, with_shape, without_axis
from arraytyping.semantics.rules.static_arguments import as_size, is_unknown
from arraytyping.semantics.rules.table import rule

__all__ = ["nonzero"]

_SEARCHES: Final = ("scan", "scan_unrolled", "sort", "compare_all")


def _asked_size(operation: str, size: Any) -> Dim:
    """The argument `size`; None if it is not given or unknown."""
    number = None if size is None else as_size(operation, "size", size)
    if isinstance(number, int) and number < 0:
        raise ShapeError(f"{operation}: size is not negative, got {number}", TypeError)
    return number


def _places(
    cx: Context, operation: str, array: ShapedArray, size: Any, fill_value: Any
) -> tuple[ShapedArray, ...] | None:
    """The places of the nonzero elements: for each dimension of the array its indices; None if the rank is unknown."""
    shape = array.shape
    asked = _asked_size(operation, size) if shape != () else None
    count, rank = found_places(operation, shape, asked)
    if size is not None:
        count = asked
    index = ShapedArray((count,), cx.default("int"), False)
    if fill_value is None or count == 0 or is_empty(shape):
        return None if rank is None else (index,) * rank
    surely = is_empty(shape) is False and isinstance(count, int)
    if is_unknown(fill_value) or not surely:
        return None if rank is None else (ShapedArray((count,), None),) * rank
    assert rank is not None
    fills = fill_value if isinstance(fill_value, tuple) else (fill_value,) * rank
    made = [as_operand(cx, f, operation) for f in fills]
    if any(f.shape not in ((), None) for f in made) or len(made) != rank:
        raise ShapeError(f"{operation}: fill_value is a scalar or a tuple of {rank}", ValueError)
    return tuple(ShapedArray((count,), *cx.join(operation, (f, index))) for f in made)


@rule("numpy.nonzero")
def nonzero(cx: Context, a: Any, *, size: Any = None, fill_value: Any = None) -> Any:
    """`jax.numpy.nonzero`."""
    found = _places(cx, "nonzero", as_operand(cx, a, "nonzero"), size, fill_value)
    return UNKNOWN if found is None else found


@rule("Array.nonzero")
def array_nonzero(cx: Context, self: Any, *, fill_value: Any = None, size: Any = None) -> Any:
    """`jax.Array.nonzero`."""
    return nonzero(cx, self, size=size, fill_value=fill_value)


@rule("numpy.flatnonzero")
def flatnonzero(cx: Context, a: Any, *, size: Any = None, fill_value: Any = None) -> Any:
    """`jax.numpy.flatnonzero`."""
    found = _places(cx, "flatnonzero", raveled(as_operand(cx, a, "flatnonzero")), size, fill_value)
    assert found is not None
    return found[0]


@rule("numpy.argwhere")
def argwhere(cx: Context, a: Any, *, size: Any = None, fill_value: Any = None) -> ShapedArray:
    """`jax.numpy.argwhere`."""
    array = as_operand(cx, a, "argwhere")
    shape = array.shape
    found = _places(cx, "argwhere", with_shape(array, (1,)) if shape == () else array, size, fill_value)
    if found is None or shape is None:
        dtype = cx.default("int") if fill_value is None else None
        return ShapedArray(listed_places(None, _asked_size("argwhere", size)), dtype, False)
    places = found[0].shape
    assert places is not None
    return ShapedArray(listed_places(shape, places[0]), *cx.join("argwhere", found))


@rule("numpy.searchsorted", "Array.searchsorted")
def searchsorted(
    cx: Context, a: Any, v: Any, side: Any = "left", sorter: Any = None, *, method: Any = "scan"
) -> ShapedArray:
    """`jax.numpy.searchsorted`; the places are int32, as of every axis that is not huge."""
    check_hashable("searchsorted", side=side, method=method)
    values, query = as_operand(cx, a, "searchsorted", 0), as_operand(cx, v, "searchsorted", 1)
    if sorter is not None:
        as_operand(cx, sorter, "searchsorted", 2)
    return _searched(cx, "searchsorted", values, query, side, method)


def _searched(
    cx: Context, operation: str, values: ShapedArray, query: ShapedArray, side: Any, method: Any
) -> ShapedArray:
    if values.shape is not None and len(values.shape) != 1:
        raise DimError(f"{operation}: the array to search has 1 dimension, got shape {shape_tuple_str(values.shape)}")
    cx.join(operation, (values, query))
    if not is_unknown(side) and side not in ("left", "right"):
        raise RuleError(f'{operation}: side is "left" or "right", got {side!r}', ValueError)
    if not is_unknown(method) and method not in _SEARCHES:
        raise RuleError(f"{operation}: method is one of {', '.join(_SEARCHES)}, got {method!r}", ValueError)
    return ShapedArray(query.shape, "int32", False)


@rule("numpy.digitize")
def digitize(cx: Context, x: Any, bins: Any, right: Any = False, *, method: Any = None) -> ShapedArray:
    """`jax.numpy.digitize`."""
    check_hashable("digitize", right=right, method=method)
    query, edges = as_operand(cx, x, "digitize", 0), as_operand(cx, bins, "digitize", 1)
    if edges.shape is not None and len(edges.shape) != 1:
        raise DimError(f"digitize: bins have 1 dimension, got shape {shape_tuple_str(edges.shape)}")
    if is_empty(edges.shape) is not False:  # without bins nothing is compared
        return ShapedArray(query.shape, "int32", False)
    return _searched(cx, "digitize", edges, query, "left", "scan" if method is None else method)


@rule("numpy.isin")
def isin(
    cx: Context,
    element: Any,
    test_elements: Any,
    assume_unique: Any = False,
    invert: Any = False,
    *,
    method: Any = "auto",
) -> ShapedArray:
    """`jax.numpy.isin`."""
    a, b = as_operand(cx, element, "isin", 0), as_operand(cx, test_elements, "isin", 1)
    _, weak = cx.join("isin", (a, b))
    empty = is_empty(a.shape), is_empty(b.shape)
    compared: bool | None = False
    if is_unknown(method):
        compared = None
    elif method in ("binary_search", "sort"):  # compared elementwise: weak as the comparison is
        compared = method == "binary_search"
    elif method not in ("auto", "compare_all") and empty == (False, False):
        raise RuleError(f"isin: method is one of auto, compare_all, binary_search, sort, got {method!r}", ValueError)
    if compared is False or weak is False or True in empty:
        return ShapedArray(a.shape, "bool", False)
    return ShapedArray(a.shape, "bool", True if weak and compared and empty == (False, False) else None)


def _as_filled(cx: Context, fill_value: Any, values: Shape) -> Shape | None:
    """The shape of the values that a fill value is put beside, which may have dimensions of its own."""
    fill = as_array(cx, fill_value, "unique", "fill_value")
    return values if fill.shape == () else None


def _one_or_none(empty: bool | None, of_empty: int = 1) -> Dim:
    """One or no row, by whether something has no elements; None if that is unknown."""
    return None if empty is None else of_empty if empty else 1 - of_empty


@rule("numpy.unique")
def unique(
    cx: Context,
    ar: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    *,
    equal_nan: Any = True,
    size: Any = None,
    fill_value: Any = None,
    sorted: Any = True,
) -> Any:
    """`jax.numpy.unique`: the values, and with them what else is asked for."""
    array = as_operand(cx, ar, "unique")
    flags = (return_index, return_inverse, return_counts)
    if any(not isinstance(f, bool | int) for f in flags):
        return UNKNOWN
    count = _asked_size("unique", size)
    whole = array.shape
    flat = raveled(array) if axis is None else array
    number = None if is_unknown(axis) else canonicalize_axis("unique", 0 if axis is None else axis, flat.ndim)
    shape = flat.shape
    length = None if shape is None or number is None else shape[number]
    if length == 0 and fill_value is None and isinstance(count, int) and count > 0:
        raise ShapeError("unique: of an array without elements a size is asked for; give a fill_value", ValueError)
    values: Shape | None = None
    found: Dim = None  # how many values there are
    counted: Dim = None  # how many counts and indices of them
    nothing = is_empty(shape)
    if shape is not None and not is_unknown(axis):
        values = (None,) * len(shape)
        if number is not None:
            rest = without_axis(shape, number)
            if nothing is False:
                found = counted = count
            elif nothing:  # of rows without elements JAX finds one
                counted = _one_or_none(is_empty(rest))
                found = counted if size is None or fill_value is None else count
                if is_unknown(fill_value):
                    found = None
            values = (*shape[:number], found, *shape[number + 1 :])
    if size is not None and fill_value is not None and values is not None:
        values = _as_filled(cx, fill_value, values)
    weak = array.weak_type
    if weak and ((size is not None and fill_value is not None) or array.dtype in ANY_COMPLEX):
        if count == 0 and nothing is False and array.dtype not in ANY_COMPLEX and not is_unknown(fill_value):
            weak = True  # nothing is put beside anything
        else:
            is_open = nothing is not False or is_unknown(fill_value) or is_unknown(size) or count is None
            is_open |= not isinstance(count, int) and is_empty((count,)) is not False
            weak = None if is_open else False
    parts = [ShapedArray(values, array.dtype, weak)]
    index = ShapedArray((counted,), cx.default("int"), False)
    if return_index:
        parts.append(index)
    if return_inverse:
        parts.append(with_shape(index, whole if axis is None else (length,)))
    if return_counts:
        rows = None if nothing is None else _one_or_none(is_empty((length,)), of_empty=0)
        parts.append(with_shape(index, (rows,)) if nothing else index)
    return parts[0] if len(parts) == 1 else tuple(parts)
