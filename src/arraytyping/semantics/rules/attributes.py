"""Attributes of arrays, and the functions of the same names that ask for the rank, the shape and the size.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.Array.html.
"""

from __future__ import annotations

import math
from typing import Any, Final, Literal

from arraytyping.scalars import KINDS, SCALARS, bits
from arraytyping.semantics.avals import UNKNOWN, Dim, Scalar, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.operands import as_array
from arraytyping.semantics.rules.permuting import matrix_transpose, transpose
from arraytyping.semantics.rules.sizes import size_dim
from arraytyping.semantics.rules.static_arguments import as_sizes
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import multiply_dims

__all__ = ["int_of"]

_PYTHON: Final[dict[str, Literal["bool", "int", "float", "complex"]]] = {
    "b": "bool",
    "u": "int",
    "i": "int",
    "f": "float",
    "c": "complex",
}


def int_of(dim: Dim) -> Any:
    """A size as the Python int that it is at run time, of an unknown value where it is unknown."""
    return Scalar("int") if dim is None else dim


def _shape(shape: Shape | None) -> Any:
    return UNKNOWN if shape is None else tuple(map(int_of, shape))


@rule("numpy.shape")
def shape(cx: Context, a: Any) -> Any:
    """`jax.numpy.shape`."""
    return UNKNOWN if isinstance(a, tuple | list) else _shape(as_array(cx, a, "shape").shape)


@rule("Array.shape")
def array_shape(cx: Context, self: Any) -> Any:
    """`jax.Array.shape`."""
    return _shape(as_array(cx, self, "shape").shape)


@rule("numpy.ndim")
def ndim(cx: Context, a: Any) -> Any:
    """`jax.numpy.ndim`."""
    return int_of(None if isinstance(a, tuple | list) else as_array(cx, a, "ndim").ndim)


@rule("Array.ndim")
def array_ndim(cx: Context, self: Any) -> Any:
    """`jax.Array.ndim`."""
    return int_of(as_array(cx, self, "ndim").ndim)


@rule("numpy.size")
def size(cx: Context, a: Any, axis: Any = None) -> Any:
    """`jax.numpy.size`, of some axes if they are given."""
    if isinstance(a, tuple | list):
        return Scalar("int")
    dims = as_array(cx, a, "size").shape
    if axis is None:
        return int_of(size_dim(dims))
    given = as_sizes("size", "an axis", axis)
    rank = None if dims is None else len(dims)
    numbers = [canonicalize_axis("size", i, rank) if isinstance(i, int) else None for i in given or ()]
    known = [n for n in numbers if n is not None]
    if len(set(known)) < len(known):
        raise DimError(f"size: an axis is given twice in {shape_tuple_str(given or ())}; name each axis once")
    if given is None or dims is None or len(known) < len(numbers):
        return Scalar("int")
    return int_of(multiply_dims(dims[n] for n in known))


@rule("Array.size")
def array_size(cx: Context, self: Any) -> Any:
    """`jax.Array.size`."""
    return int_of(size_dim(as_array(cx, self, "size").shape))


@rule("Array.__len__")
def length(cx: Context, self: Any) -> Any:
    """`len(x)`."""
    dims = as_array(cx, self, "len").shape
    if dims == ():
        raise DimError("an array of 0 dimensions has no len()", TypeError)
    return int_of(None if dims is None else dims[0])


@rule("Array.dtype")
def dtype(cx: Context, self: Any) -> Any:
    """`jax.Array.dtype`, as the scalar type."""
    name = as_array(cx, self, "dtype").dtype
    return UNKNOWN if name is None else SCALARS[name]


@rule("Array.weak_type")
def weak_type(cx: Context, self: Any) -> Any:
    """`jax.Array.weak_type`."""
    weak = as_array(cx, self, "weak_type").weak_type
    return Scalar("bool") if weak is None else weak


def _bytes(array: ShapedArray) -> int | None:
    """The bytes that NumPy stores an element in: narrow types take a whole one."""
    return None if array.dtype is None else math.ceil(bits(array.dtype) / 8)


@rule("Array.itemsize")
def itemsize(cx: Context, self: Any) -> Any:
    """`jax.Array.itemsize`."""
    return int_of(_bytes(as_array(cx, self, "itemsize")))


@rule("Array.nbytes")
def nbytes(cx: Context, self: Any) -> Any:
    """`jax.Array.nbytes`."""
    array = as_array(cx, self, "nbytes")
    return int_of(multiply_dims((size_dim(array.shape), _bytes(array))))


@rule("Array.T")
def transposed(cx: Context, self: Any) -> ShapedArray:
    """`jax.Array.T`."""
    return transpose(cx, self)


@rule("Array.mT")
def matrix_transposed(cx: Context, self: Any) -> ShapedArray:
    """`jax.Array.mT`."""
    return matrix_transpose(cx, self)


@rule("Array.at")
def at(cx: Context, self: Any) -> Any:
    """`jax.Array.at`: an index of it has the updates, which have rules of their own (`Array.at.set`)."""
    return UNKNOWN


@rule("Array.item")
def item(cx: Context, self: Any, *args: Any) -> Any:
    """`jax.Array.item`: the one element, or one of several, as a Python scalar."""
    array = as_array(cx, self, "item")
    if not args and array.size not in (None, 1):
        raise DimError(f"item: an array of size 1 is required, got shape {shape_tuple_str(array.shape or ())}")
    return _scalar(array)


def _scalar(array: ShapedArray) -> Any:
    """The Python scalar of unknown value that an element of the array is."""
    if array.dtype in (None, "int1", "uint1"):  # XLA makes bools of integers of one bit, where it computes with them
        return UNKNOWN
    return Scalar(_PYTHON[KINDS[array.dtype]])


@rule("Array.tolist")
def tolist(cx: Context, self: Any) -> Any:
    """`jax.Array.tolist`: of an array of 0 dimensions a Python scalar, else nested lists."""
    array = as_array(cx, self, "tolist")
    return _scalar(array) if array.shape == () else UNKNOWN
