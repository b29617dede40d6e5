"""Sorting in part, by several keys, and as complex numbers.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/sorting.py.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, TINY_INTEGER, to_inexact
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_index
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ

__all__: list[str] = []


def _parts(cx: Context, operation: str, a: Any, kth: Any, axis: Any) -> tuple[Any, Any, ShapedArray]:
    """The least elements with their indices, as if along one axis, the others, and the whole array."""
    check_hashable(operation, kth=kth, axis=axis)
    array = as_operand(cx, a, operation)
    if array.dtype in ANY_COMPLEX:
        raise DtypeError(
            f"{operation}: {array.dtype} is not implemented; take jnp.abs or jnp.real of it first", NotImplementedError
        )
    number = canonicalize_axis(operation, axis, array.ndim)
    size = None if array.shape is None or number is None else array.shape[number]
    place = as_index(operation, "kth", kth)
    if isinstance(size, int) and place is not None and not -size <= place < size:
        raise DimError(f"{operation}: an axis of size {size} has no place {place}")
    ops = on_abstract_values(cx)
    items = with_shape(array, (2,))
    if array.dtype is not None and array.dtype.startswith("uint"):
        least = ops("lax.top_k", ops("numpy.negative", ops("numpy.add", items, 1)), 1)
        values = ops("numpy.subtract", ops("numpy.negative", least[0]), 1)
        return (values, least[1]), ops("lax.top_k", items, 1), array
    least = ops("lax.top_k", ops("numpy.negative", items), 1)
    if not isinstance(least, list | tuple):
        return UNKNOWN, UNKNOWN, array
    return (ops("numpy.negative", least[0]), least[1]), ops("lax.top_k", items, 1), array


@rule("numpy.partition")
def partition(cx: Context, a: Any, kth: Any, axis: Any = -1) -> Any:
    """`jax.numpy.partition`."""
    low, high, array = _parts(cx, "partition", a, kth, axis)
    if low is UNKNOWN:
        return with_shape(array, array.shape)
    made = on_abstract_values(cx)("lax.concatenate", [low[0], high[0]], 0)
    return with_shape(made, array.shape)


@rule("numpy.argpartition")
def argpartition(cx: Context, a: Any, kth: Any, axis: Any = -1) -> Any:
    """`jax.numpy.argpartition`: the places of the greater ones JAX finds in a weak array."""
    low, _, array = _parts(cx, "argpartition", a, kth, axis)
    if low is UNKNOWN:
        return ShapedArray(array.shape, None)
    ops = on_abstract_values(cx)
    others = ops("lax.top_k", ShapedArray((2,), cx.default("float"), True), 1)
    made = ops("lax.concatenate", [low[1], others[1]], 0)
    return with_shape(made, array.shape)


@rule("numpy.sort_complex")
def sort_complex(cx: Context, a: Any) -> Any:
    """`jax.numpy.sort_complex`: along the last axis."""
    array = as_operand(cx, a, "sort_complex")
    if array.shape == ():
        raise DimError("sort_complex: an array of at least 1 dimension is required, got one of none")
    if array.dtype is None:
        return ShapedArray(array.shape, None)
    ops = on_abstract_values(cx)
    ops("lax.sort", array)
    dtype = array.dtype
    if dtype not in ANY_COMPLEX:
        if dtype in TINY_INTEGER:
            return ShapedArray(array.shape, None)
        dtype = "complex128" if to_inexact(dtype) == "float64" else "complex64"
    return ShapedArray(array.shape, dtype, False)


@rule("numpy.lexsort")
def lexsort(cx: Context, keys: Any, axis: Any = -1) -> ShapedArray:
    """`jax.numpy.lexsort`: the keys are of one shape."""
    check_hashable("lexsort", axis=axis)
    index = cx.default("int")
    if isinstance(keys, ShapedArray | NumPyArray):
        array = as_operand(cx, keys, "lexsort")
        if array.shape == ():
            raise DimError("lexsort: keys are a sequence of arrays, got a number", TypeError)
        if array.shape is None:
            return ShapedArray(None, index, False)
        if array.shape[0] == 0:
            raise ShapeError("lexsort: at least one key is needed")
        arrays = [with_shape(array, array.shape[1:])]
    elif isinstance(keys, tuple | list):
        arrays = [as_operand(cx, key, "lexsort", i) for i, key in enumerate(keys)]
        if not arrays:
            raise ShapeError("lexsort: at least one key is needed")
    elif keys is UNKNOWN:
        return ShapedArray(None, index, False)
    else:
        raise RuleError(f"lexsort: keys are a sequence of arrays, got {keys!r}")
    shapes = [a.shape for a in arrays if a.shape is not None]
    for one, other in pairwise(shapes):
        if len(one) != len(other) or any(map(differ, one, other)):
            raise ShapeError(
                f"lexsort: keys are of one shape, got {shape_tuple_str(one)} and {shape_tuple_str(other)}", ValueError
            )
    if not shapes:
        return ShapedArray(None, index, False)
    if not shapes[0]:
        return ShapedArray((), index, False)
    canonicalize_axis("lexsort", axis, len(shapes[0]))
    # Keys of dtypes that cannot be sorted are refused with the words of the sort.
    for array in arrays:
        if array.shape:
            on_abstract_values(cx)("lax.sort", array)
    known = next((s for s in shapes if None not in s), shapes[0])
    return ShapedArray(known, index, False)
