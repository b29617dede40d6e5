"""Functions that give an array another shape and keep its elements in order, or repeat them along sizes of 1.

Source: https://docs.jax.dev/en/latest/jax.numpy.html and
https://data-apis.org/array-api/latest/API_specification/manipulation_functions.html.
"""

from __future__ import annotations

import math
from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.sizes import size_dim, with_shape
from arraytyping.semantics.rules.static_arguments import as_sizes, is_unknown
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import (
    as_dim,
    at_least as is_at_least,
    differ,
    divides_never,
    multiply_dims,
    of_dim,
)
from arraytyping.semantics.sizes.operations import floor_division

__all__ = ["expanded", "new_shape", "raveled"]

_ORDERS: Final = ("C", "F")


def new_shape(operation: str, shape: Shape | None, new: Any, exception: type[Exception] = TypeError) -> Shape | None:
    """The shape that an array of a shape is given by the argument `new`, which may hold one -1.

    Raises:
        ShapeError: if the number of elements certainly differs.
    """
    dims = as_sizes(operation, "a size of the shape", new)
    if dims is None:
        return None
    if dims.count(-1) > 1:
        raise ShapeError(
            f"{operation}: the shape {_asked(dims)} has -1 more than once; only one size can be inferred", exception
        )
    known = math.prod(d for d in dims if isinstance(d, int) and d != -1)
    if known == 0 and -1 in dims:
        raise ShapeError(
            f"{operation}: the -1 in {_asked(dims)} cannot be inferred beside a size of 0; give the size itself",
            ZeroDivisionError if exception is TypeError else exception,
        )
    if any(isinstance(d, int) and d < -1 for d in dims):
        raise ShapeError(f"{operation}: sizes are not negative, got the shape {_asked(dims)}", exception)
    if shape is None:
        return tuple(None if d == -1 else d for d in dims)
    if not _may_fit(shape, dims):
        raise ShapeError(
            f"{operation}: cannot reshape an array of shape {shape_tuple_str(shape)} into {_asked(dims)}: "
            "the number of elements differs",
            exception,
        )
    if -1 in dims:
        i = dims.index(-1)
        return (*dims[:i], _quotient(shape, dims[:i] + dims[i + 1 :]), *dims[i + 1 :])
    if dims.count(None) == 1:
        # An integer of unknown value: it is what is left over, or -1, which comes to the same.
        i = dims.index(None)
        others = dims[:i] + dims[i + 1 :]
        if is_at_least(multiply_dims(others), 1):
            return (*dims[:i], _quotient(shape, others), *dims[i + 1 :])
    return dims


def _may_fit(shape: Shape, dims: Shape) -> bool:
    """Whether the elements of a shape may be those of another; a -1 in `dims`, as any unknown size, is free."""
    sizes = tuple(None if d == -1 else d for d in dims)
    for a, b in ((shape, sizes), (sizes, shape)):
        if all(isinstance(d, int) for d in a):
            size, known = math.prod(d for d in a if isinstance(d, int)), math.prod(d for d in b if isinstance(d, int))
            if all(isinstance(d, int) for d in b):
                return size == known
            if size == 0:
                return -1 not in dims or known != 0
            return known != 0 and size % known == 0
    size_before, size_after = multiply_dims(shape), multiply_dims(d for d in dims if d != -1)
    return not (divides_never(size_after, size_before) if -1 in dims else differ(size_before, size_after))


def _quotient(shape: Shape, others: Shape) -> Dim:
    """The size that is left for a -1 beside `others`, of which none is 0."""
    left = list(shape)
    remaining: list[Dim] = []
    for dim in others:
        if dim is not None and not isinstance(dim, int) and dim in left:
            left.remove(dim)
        else:
            remaining.append(dim)
    if 0 in shape:
        return 0
    total, known = multiply_dims(left), multiply_dims(remaining)
    if isinstance(total, int) and isinstance(known, int):
        return total // known
    size, divisor = of_dim(total), of_dim(known)
    if size is None or divisor is None:
        return None
    exact = size.exact_division(divisor, positive=True)
    # There is no rest, or JAX would refuse.
    return as_dim(floor_division(size, divisor) if exact is None else exact)


def _asked(dims: Shape) -> str:
    return shape_tuple_str(dims)


def _check_order(operation: str, order: Any) -> None:
    """Raise for an order that the operation does not know."""
    if is_unknown(order) or order in _ORDERS:
        return
    if order == "A" or (order == "K" and operation == "ravel"):
        raise RuleError(f'{operation}: order="{order}" is not implemented; give "C" or "F"', NotImplementedError)
    raise RuleError(f'{operation}: order is "C" or "F", got {order!r}', ValueError)


@rule("numpy.reshape")
def reshape(cx: Context, a: Any, shape: Any, order: Any = "C", *, copy: Any = None, out_sharding: Any = None) -> Any:
    """`jax.numpy.reshape`: a NumPy array has its own method called, and stays one."""
    if isinstance(a, NumPyArray) and out_sharding is None:
        if not is_unknown(order) and order not in ("C", "F", "A", None):
            raise RuleError(f'reshape: order is "C", "F" or "A" for a NumPy array, got {order!r}', ValueError)
        return NumPyArray(new_shape("reshape", a.shape, shape, ValueError), a.dtype)
    array = as_operand(cx, a, "reshape")
    result = with_shape(array, new_shape("reshape", array.shape, shape))
    if is_unknown(a):  # a NumPy array perhaps
        return UNKNOWN
    _check_order("reshape", order)
    return result


@rule("Array.reshape")
def array_reshape(cx: Context, self: Any, *args: Any, order: Any = "C", out_sharding: Any = None) -> ShapedArray:
    """`jax.Array.reshape`, with the sizes one by one or in a sequence."""
    array = as_operand(cx, self, "reshape")
    result = with_shape(array, new_shape("reshape", array.shape, args[0] if len(args) == 1 else args))
    _check_order("reshape", order)
    return result


def raveled(array: ShapedArray) -> ShapedArray:
    """The array with one dimension."""
    return with_shape(array, (size_dim(array.shape),))


@rule("numpy.ravel", "Array.ravel", "Array.flatten")
def ravel(cx: Context, a: Any, order: Any = "C", *, out_sharding: Any = None) -> ShapedArray:
    """`jax.numpy.ravel`."""
    array = as_operand(cx, a, "ravel")
    _check_order("ravel", order)
    return raveled(array)


@rule("numpy.squeeze", "Array.squeeze")
def squeeze(cx: Context, a: Any, axis: Any = None) -> ShapedArray:
    """`jax.numpy.squeeze`."""
    array = as_operand(cx, a, "squeeze")
    shape = array.shape
    if axis is None:
        # A size that is unknown, even one that has a name, may be 1: then not even the rank is known.
        if shape is None or not all(isinstance(d, int) for d in shape):
            return with_shape(array, None)
        return with_shape(array, tuple(d for d in shape if d != 1))
    given = as_sizes("squeeze", "an axis", axis)
    if given is None or shape is None:
        return with_shape(array, None)
    axes = [canonicalize_axis("squeeze", a, len(shape)) for a in given if isinstance(a, int)]
    numbers = [n for n in axes if n is not None]
    if len(set(numbers)) < len(numbers):
        raise DimError(f"squeeze: an axis is given twice in {shape_tuple_str(given)}; name each axis once")
    for n in numbers:
        if differ(shape[n], 1):
            raise ShapeError(
                f"squeeze: axis {n} of an array of shape {shape_tuple_str(shape)} has size {shape[n]}, not 1; "
                "only dimensions of size 1 can be removed",
                ValueError,
            )
    if len(given) > len(shape):
        raise DimError(f"squeeze: {len(given)} axes are given for an array of {len(shape)} dimensions")
    if len(numbers) < len(given):
        return with_shape(array, (None,) * (len(shape) - len(given)))
    return with_shape(array, tuple(d for i, d in enumerate(shape) if i not in numbers))


def expanded(operation: str, shape: Shape, axes: Any) -> Shape | None:
    """A shape with new dimensions of size 1 at the axes (of the result); None if their number is unknown."""
    given = as_sizes(operation, "an axis", axes)
    if given is None:
        return None
    rank = len(shape) + len(given)
    numbers = [canonicalize_axis(operation, a, rank) for a in given if isinstance(a, int)]
    if len(set(numbers)) < len(numbers):
        raise DimError(f"{operation}: an axis is given twice in {shape_tuple_str(given)}; name each axis once")
    if len(numbers) < len(given):
        return (None,) * rank
    rest = iter(shape)
    return tuple(1 if i in numbers else next(rest) for i in range(rank))


@rule("numpy.expand_dims")
def expand_dims(cx: Context, a: Any, axis: Any) -> ShapedArray:
    """`jax.numpy.expand_dims`."""
    array = as_operand(cx, a, "expand_dims")
    if array.shape is None:
        as_sizes("expand_dims", "an axis", axis)
        return with_shape(array, None)
    return with_shape(array, expanded("expand_dims", array.shape, axis))


def at_least(shape: Shape | None, rank: int) -> Shape | None:
    """A shape brought to at least a rank, as `atleast_1d` to `atleast_3d` do."""
    if shape is None or len(shape) >= rank:
        return shape
    if rank == 3:  # a row becomes (1, n, 1), a matrix (m, n, 1)
        return {0: (1, 1, 1), 1: (1, *shape, 1), 2: (*shape, 1)}[len(shape)]
    return (1,) * (rank - len(shape)) + shape


def _at_least(cx: Context, operation: str, arrays: tuple[Any, ...], rank: int) -> Any:
    made = [as_operand(cx, a, operation, i) for i, a in enumerate(arrays)]
    results = tuple(with_shape(a, at_least(a.shape, rank)) for a in made)
    return results[0] if len(results) == 1 else results


@rule("numpy.atleast_1d")
def atleast_1d(cx: Context, *arys: Any) -> Any:
    """`jax.numpy.atleast_1d`."""
    return _at_least(cx, "atleast_1d", arys, 1)


@rule("numpy.atleast_2d")
def atleast_2d(cx: Context, *arys: Any) -> Any:
    """`jax.numpy.atleast_2d`."""
    return _at_least(cx, "atleast_2d", arys, 2)


@rule("numpy.atleast_3d")
def atleast_3d(cx: Context, *arys: Any) -> Any:
    """`jax.numpy.atleast_3d`."""
    return _at_least(cx, "atleast_3d", arys, 3)


@rule("numpy.resize")
def resize(cx: Context, a: Any, new_shape: Any) -> ShapedArray:
    """`jax.numpy.resize`, which repeats or cuts off elements."""
    check_hashable("resize", new_shape=new_shape)
    array = as_operand(cx, a, "resize")
    dims = as_sizes("resize", "a size of the shape", new_shape)
    if dims is not None and any(isinstance(d, int) and d < 0 for d in dims):
        raise ShapeError(f"resize: sizes are not negative, got the shape {shape_tuple_str(dims)}", ValueError)
    return with_shape(array, dims)
