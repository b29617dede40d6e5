"""Places of an array numbered in one dimension, and back.

Source: `unravel_index` and `ravel_multi_index` of
https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

import math
from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INTEGER, integer_limits
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_operand, requested_dtype
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.static_arguments import as_size
from arraytyping.semantics.rules.table import rule

__all__: list[str] = []

_MODES: Final = ("raise", "wrap", "clip", "ignore")


def _sizes(shape: Any) -> list[Any] | None:
    """The sizes of a shape, each as it is given; None if it is not known how many there are."""
    if shape is UNKNOWN:
        return None
    if isinstance(shape, NumPyArray | ShapedArray):
        if shape.shape is None or not shape.shape:
            return None if shape.shape is None else [shape]
        count = shape.shape[0]
        if len(shape.shape) > 1:
            raise ShapeError(f"unravel_index: a shape is a number or a sequence of them, got {shape}", ValueError)
        return None if not isinstance(count, int) or count > 100 else [type(shape)((), shape.dtype)] * count
    return list(shape) if isinstance(shape, tuple | list) else [shape]


@rule("numpy.unravel_index")
def unravel_index(cx: Context, indices: Any, shape: Any) -> Any:
    """`jax.numpy.unravel_index`: an array for each dimension."""
    rest: Any = as_operand(cx, indices, "unravel_index")
    sizes = _sizes(shape)
    if sizes is None:
        return UNKNOWN
    ops = on_abstract_values(cx)
    if not all(isinstance(s, int | SymbolicDim | Scalar | NumPyArray) or s is UNKNOWN for s in sizes):
        return UNKNOWN
    places: list[Any] = []
    for size in reversed(sizes):
        quotient = ops("numpy.divmod", rest, size)
        if not isinstance(quotient, tuple):
            return UNKNOWN
        rest, place = quotient
        places.insert(0, place)
    ops("numpy.greater", rest, 0)
    outside = ShapedArray(rest.shape, "bool", False)
    found = []
    for size, place in zip(sizes, places):
        least = ops("numpy.where", outside, 0, place)
        found.append(
            ops("numpy.where", outside, ops("numpy.subtract", size, 1) if isinstance(size, NumPyArray) else 1, least)
        )
    return tuple(found)


def _indices(cx: Context, multi_index: Any) -> list[ShapedArray] | None:
    """The indices along each dimension; None if it is not known how many."""
    if isinstance(multi_index, tuple | list):
        return [as_operand(cx, i, "ravel_multi_index", n) for n, i in enumerate(multi_index)]
    if isinstance(multi_index, ShapedArray | NumPyArray) and multi_index.shape:
        array = as_operand(cx, multi_index, "ravel_multi_index")
        count = multi_index.shape[0]
        if isinstance(count, int) and count <= 100:
            return [ShapedArray(multi_index.shape[1:], array.dtype, array.weak_type)] * count
    return None


@rule("numpy.ravel_multi_index")
def ravel_multi_index(
    cx: Context, multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C", *, dtype: Any = None
) -> Any:
    """`jax.numpy.ravel_multi_index`: of the dtype that the indices are promoted to."""
    arrays = _indices(cx, multi_index)
    sizes: list[Dim] | None = None
    if isinstance(dims, tuple | list):
        if arrays is not None and len(arrays) != len(dims):
            raise RuleError(
                f"ravel_multi_index: there are {len(arrays)} indices for {len(dims)} dimensions", AssertionError
            )
        sizes = [as_size("ravel_multi_index", "a dimension", d) for d in dims]
    chosen = None if dtype in (None, UNKNOWN) else requested_dtype(cx, dtype, "ravel_multi_index")
    shape = None
    if arrays is not None:
        if dtype is None:
            chosen = cx.join("ravel_multi_index", [ShapedArray((), cx.default("int"), True), *arrays])[0]
        _check_limits(chosen, sizes)
        for array in arrays:
            if array.dtype is not None and array.dtype not in ANY_INTEGER:
                raise DtypeError(f"ravel_multi_index: indices are integers, got {array.dtype}")
        try:
            shape = broadcast_shapes("ravel_multi_index", (), *(a.shape for a in arrays))
        except ShapeError as error:
            ranks = {a.ndim for a in arrays if a.ndim}
            raise ShapeError(error.message, TypeError if len(ranks) == 1 else ValueError) from None
    for name, value, allowed in (("mode", mode, _MODES), ("order", order, ("C", "F"))):
        if value is not UNKNOWN and value not in allowed:
            raise RuleError(f"ravel_multi_index: {name} is one of {', '.join(allowed)}, got {value!r}", ValueError)
    return ShapedArray(shape, chosen, False)


def _check_limits(dtype: str | None, sizes: list[Dim] | None) -> None:
    """Check that the numbers are integers of a dtype that holds them.

    Raises:
        DtypeError: (ValueError) if they are not, or it does not.
    """
    if dtype is None:
        return
    if dtype not in ANY_INTEGER:
        raise DtypeError(f"ravel_multi_index: numbers are integers, got {dtype}; name an integer dtype", ValueError)
    known = [s for s in sizes or () if isinstance(s, int)]
    if sizes is not None and len(known) == len(sizes) and math.prod(known) - 1 > integer_limits(dtype)[1]:
        raise DtypeError(
            f"ravel_multi_index: {dtype} does not hold the {math.prod(known)} numbers of these dimensions; name one "
            "that does",
            ValueError,
        )
