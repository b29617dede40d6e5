"""Rules of the family: conversion to arrays and between dtypes.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/array_constructors.py, and `astype` and `view` in
lax_numpy.py and array_methods.py beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from arraytyping.scalars import KINDS, SCALARS, bits
from arraytyping.semantics.avals import (
    UNKNOWN,
    NumPyArray,
    Scalar,
    Shape,
    ShapedArray,
    SymbolicDim,
    shape_tuple_str,
)
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_array, as_dtype, as_operand, requested_dtype
from arraytyping.semantics.rules.scalar_conversion import check_stored, stored_value
from arraytyping.semantics.rules.static_arguments import as_index
from arraytyping.semantics.rules.table import register, rule
from arraytyping.semantics.sizes.dims import differ, known_dim

__all__ = ["converted"]


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _is_operand(value: Any) -> bool:
    return value is UNKNOWN or isinstance(
        value, ShapedArray | NumPyArray | Scalar | SymbolicDim | bool | int | float | complex
    )


def converted(cx: Context, operation: str, value: Any, dtype: Any = None, ndmin: Any = 0) -> ShapedArray:
    """The array that JAX makes of anything: an array, a scalar, or nested lists and tuples of these.

    It is weak only if the value itself is, and no dtype is asked for.

    Raises:
        RuleError: for what is none of these, lists of unequal lengths, numbers that the dtype does not hold.
    """
    chosen = None if dtype is None else requested_dtype(cx, dtype, operation)
    leaves = list(_leaves(value))
    if any(leaf is None for leaf in leaves):
        raise DtypeError(f"{operation}: None is no value of an array; give a number, such as nan", ValueError)
    for leaf in leaves:
        _check_leaf(operation, leaf, dtype is not None, chosen)
    weak: bool | None = False
    if isinstance(value, list | tuple):
        if dtype is None:
            operands = [as_array(cx, leaf, operation) for leaf in leaves]
            chosen = cx.join(operation, operands)[0] if leaves else cx.default("float")
        held = None
        shape = _nested_shape(operation, value, chosen)
    else:
        if isinstance(value, NumPyArray) and dtype is not None:  # of objects, too
            array = ShapedArray(value.shape, None)
        elif _is_operand(value):
            array = (as_operand if dtype is None else as_array)(cx, value, operation)
        else:  # a dtype is given: a string holds a number, and any object has a truth
            array = ShapedArray((), None)
        if dtype is None:
            chosen, weak = array.dtype, array.weak_type
        elif chosen is not None:
            check_stored(operation, value, chosen)
        held, shape = stored_value(array.value, chosen), array.shape
    if type(ndmin) is float and (shape is None or not ndmin > len(shape)):
        rank = 0 if shape is not None else None  # it is compared with the rank, and then not needed
    elif isinstance(ndmin, Scalar) and ndmin.kind == "float":
        rank = None
    else:
        rank = as_index(operation, "ndmin", ndmin)
    if rank is None:
        shape = None
    elif shape is not None and rank > len(shape):
        shape, held = (1,) * (rank - len(shape)) + shape, None
    return ShapedArray(shape, chosen, weak, held if shape == () else None)


def _check_leaf(operation: str, leaf: Any, dtype_given: bool, dtype: str | None) -> None:
    """Check that this may be an element of an array; an array of bool takes the truth of any object."""
    if _is_operand(leaf) or (dtype_given and (isinstance(leaf, str) or dtype in (None, "bool"))):
        return
    if isinstance(leaf, str):
        try:
            as_dtype(leaf, operation)  # JAX takes it for a dtype first
        except DtypeError:
            raise DtypeError(f"{operation}: a string is no value of an array, got {leaf!r}; give a number") from None
        raise DtypeError(f"{operation}: a dtype is no value of an array, got {leaf!r}; give a number", ValueError)
    shown = leaf.__name__ if isinstance(leaf, type) else str(leaf)
    raise DtypeError(f"{operation}: {shown} is no value of an array; give numbers, arrays, or lists of these")


def _nested_shape(operation: str, value: Any, dtype: str | None) -> Shape | None:
    """The shape of nested lists, as NumPy finds it, or as JAX stacks them where a JAX array is inside."""
    if any(isinstance(leaf, ShapedArray) for leaf in _leaves(value)):
        return _combined(operation, value, TypeError, lambda item: _item_shape(operation, item, dtype))
    shape = _combined(operation, value, ValueError, _static_shape)
    for leaf in _leaves(value):
        _check_element(operation, leaf, dtype)
    return shape


def _item_shape(operation: str, item: Any, dtype: str | None) -> Shape | None:
    if isinstance(item, list | tuple):
        return _nested_shape(operation, item, dtype)
    _check_element(operation, item, dtype)
    return _leaf_shape(item)


def _static_shape(item: Any) -> Shape | None:
    if isinstance(item, list | tuple):
        return _combined("array", item, ValueError, _static_shape)
    return _leaf_shape(item)


def _leaf_shape(leaf: Any) -> Shape | None:
    if leaf is UNKNOWN:
        return None
    return leaf.shape if isinstance(leaf, ShapedArray | NumPyArray) else ()


def _check_element(operation: str, leaf: Any, dtype: str | None) -> None:
    if dtype is not None:
        check_stored(operation, leaf, dtype)


def _combined(
    operation: str, items: Any, exception: type[Exception], shape_of: Callable[[Any], Shape | None]
) -> Shape | None:
    """The shape of a list whose items all have one shape; each tells what it can of that."""
    common: Shape | None = None
    for shape in [shape_of(item) for item in items]:  # all of them first: an item may raise by itself
        if common is None or shape is None:
            common = shape if common is None else common
            continue
        if len(shape) != len(common) or any(map(differ, shape, common)):
            raise ShapeError(
                f"{operation}: the items of a list must have one shape, got {shape_tuple_str(common)} and "
                f"{shape_tuple_str(shape)}; make them equal, or pad them",
                exception,
            )
        common = tuple(map(known_dim, zip(common, shape)))
    if not items:
        return (0,)
    return None if common is None else (len(items), *common)


def _check_order(operation: str, order: Any) -> None:
    if order is not None and order is not UNKNOWN and order != "K":
        raise RuleError(f"{operation}: only order='K' is supported, got {order!r}; leave it out", NotImplementedError)


@rule("numpy.array")
def array(
    cx: Context,
    object: Any,
    dtype: Any = None,
    *args: Any,
    copy: Any = True,
    order: Any = "K",
    ndmin: Any = 0,
    device: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.numpy.array`; the arguments that are taken by position are deprecated."""
    if len(args) > 3:
        raise RuleError(f"array() takes at most 5 positional arguments, got {len(args) + 2}; name the others")
    if args:
        copy, order, ndmin = (*args, *(copy, order, ndmin)[len(args) :])
    _check_order("array", order)
    return converted(cx, "array", object, dtype, ndmin)


@rule("numpy.asarray")
def asarray(
    cx: Context,
    a: Any,
    dtype: Any = None,
    order: Any = None,
    *,
    copy: Any = None,
    device: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.numpy.asarray`."""
    _check_order("asarray", order)
    return converted(cx, "asarray", a, dtype)


@rule("numpy.copy")
def copy(cx: Context, a: Any, order: Any = None) -> ShapedArray:
    """`jax.numpy.copy`."""
    if not isinstance(a, str):  # that is a scalar to NumPy
        as_array(cx, a, "copy")
    _check_order("copy", order)
    return converted(cx, "copy", a)


@rule("Array.copy")
def array_copy(cx: Context, self: Any) -> ShapedArray:
    """`jax.Array.copy`."""
    return as_array(cx, self, "copy")


def _astype(cx: Context, x: Any, dtype: Any) -> ShapedArray:
    a = as_operand(cx, x, "astype")
    chosen = cx.default("float") if dtype is None else requested_dtype(cx, dtype, "astype")
    return ShapedArray(a.shape, chosen, False, stored_value(a.value, chosen))


@rule("numpy.astype")
def astype(cx: Context, x: Any, dtype: Any, /, *, copy: Any = False, device: Any = None) -> ShapedArray:
    """`jax.numpy.astype`."""
    return _astype(cx, x, dtype)


@rule("Array.astype")
def array_astype(cx: Context, self: Any, dtype: Any, copy: Any = False, device: Any = None) -> ShapedArray:
    """`jax.Array.astype`."""
    return _astype(cx, self, dtype)


@rule("Array.view")
def view(cx: Context, self: Any, dtype: Any = None, type: Any = None) -> ShapedArray:
    """`jax.Array.view`: the last dimension changes with the width; the weak type stays if the dtype does."""
    if type is not None and type is not UNKNOWN:
        raise RuleError("view: the argument type is not supported; give a dtype", NotImplementedError)
    a = replace(as_array(cx, self, "view"), value=None)
    if dtype is None:
        return a
    chosen = requested_dtype(cx, dtype, "view")
    if chosen is None or a.dtype is None:
        shape = None if a.shape is None else (*a.shape[:-1], None) if a.shape else ()
        return ShapedArray(shape, chosen, False if a.weak_type is False else None)
    weak = a.weak_type if a.dtype == chosen else False
    before, after = bits(a.dtype), bits(chosen)
    if not a.shape:
        if a.shape == () and before != after:
            raise ShapeError(
                f"view: an array of rank 0 keeps its width, got {a.dtype} to {chosen}; reshape it first", ValueError
            )
        return ShapedArray(a.shape, chosen, weak)
    last = a.shape[-1]
    if before == after:
        return ShapedArray(a.shape, chosen, weak)
    if not isinstance(last, int):
        return ShapedArray((*a.shape[:-1], None), chosen, weak)
    if last * before % after:
        raise ShapeError(
            f"view: the last dimension, {last} elements of {before} bits, does not divide into elements of {after} "
            f"bits ({chosen}); give one that does",
            ValueError,
        )
    return ShapedArray((*a.shape[:-1], _viewed_size(last, a.dtype, chosen)), chosen, weak)


def _viewed_size(size: int, source: str, target: str) -> int:
    """The last dimension of a view; 6-bit floats are laid out one to a part, not packed.

    Raises:
        ShapeError: for a 6-bit float and a wider dtype of which it is no divisor.
    """
    before, after = bits(source), bits(target)
    if KINDS[source] == "c":  # the real and the imaginary part are two elements
        size, before = 2 * size, before // 2
    if before >= after:
        return size * (before // after)
    if not after % before:
        return size // (after // before)
    parts = (after // 2 if KINDS[target] == "c" else after) // before
    raise ShapeError(
        f"view: elements of {before} bits ({source}) do not make up elements of {after} bits ({target}); "
        "convert them with astype",
        TypeError if size % parts else ValueError,
    )


_CONSTRUCTORS: Final = {
    **{("bool_" if name == "bool" else name): name for name in SCALARS},
    "bool": "bool", "int_": "int64", "uint": "uint64", "float_": "float64", "complex_": "complex128",
    "single": "float32", "double": "float64", "csingle": "complex64", "cdouble": "complex128",
}  # fmt: skip
"""The names of `jax.numpy` that are scalar types, with the dtype that a call gives."""


def _constructor(dtype: str) -> Callable[[Context, Any], ShapedArray]:
    def construct(cx: Context, x: Any) -> ShapedArray:
        return converted(cx, dtype, x, SCALARS[dtype])

    construct.__doc__ = f"`jax.numpy.{dtype}` called: an array of that dtype."
    return construct


for _name, _dtype in _CONSTRUCTORS.items():
    register(f"numpy.{_name}", _constructor(_dtype))
