"""Arrays full of one value, and identity and triangular matrices.

Called outside of a transformation, those that are not large are made by NumPy, since nothing is to be compiled then.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/array_creation.py`.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from arraytyping.basearray import Array
from arraytyping.runtime.array import array_of
from arraytyping.runtime.array_likes import array_from, concrete_int, convert_to, python_scalar
from arraytyping.runtime.calling import answered, dtype_of, operation
from arraytyping.runtime.core import TypedScalar, is_eager
from arraytyping.runtime.lax.arithmetic import add_p
from arraytyping.runtime.lax.comparisons import eq_p, ge_p
from arraytyping.runtime.lax.creation import full_of, iota_of
from arraytyping.runtime.lax.structure import broadcast_to, expand_to, reshape
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.out_shardings import takes_out_sharding
from arraytyping.runtime.placement import device_put
from arraytyping.runtime.xla.jaxlib_api import buffer_aval
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS

__all__ = ["empty", "empty_like", "eye", "full", "full_like", "identity", "ones", "ones_like", "tri", "zeros",
           "zeros_like"]  # fmt: skip

_SMALL: Final = 1 << 18
"""So many elements NumPy makes faster than a program is compiled that does."""


def shape_of(shape: Any, name: str) -> tuple[int, ...]:
    """A shape argument as a tuple of ints: one size, or a sequence of them.

    Raises:
        TypeError: for what is no shape, and for a size that is traced.
    """
    if isinstance(shape, Array | np.ndarray) and len(shape.shape):  # type: ignore[union-attr]
        shape = tuple(shape)  # type: ignore[arg-type]
    sizes = shape if isinstance(shape, tuple | list) else (shape,)
    return tuple(d if type(d) is int else concrete_int(d, f"a size of the shape of {name}") for d in sizes)


def checked(shape: tuple[int, ...], dtype: str) -> None:
    """Raise for an array that there cannot be.

    Raises:
        JaxRuntimeError: for one that no memory could hold.
        NotImplementedError: for a dtype that XLA cannot compute with.
    """
    buffer_aval(ShapedArray(shape, dtype, False))


def filled(value: bool | int | float | complex, shape: tuple[int, ...], dtype: str, weak_type: bool = False) -> Any:
    """An array in which a Python scalar stands everywhere.

    Raises:
        JaxRuntimeError: for one that no memory could hold.
        NotImplementedError: for a dtype that XLA cannot compute with.
    """
    checked(shape, dtype)
    if is_eager() and math.prod(shape) <= _SMALL:
        return array_of(np.full(shape, python_scalar(value, dtype), np_dtype(dtype)), weak_type=weak_type)
    return full_of(value, ShapedArray(shape, dtype, weak_type))


def _placed(x: Any, device: Any) -> Any:
    return x if device is None else device_put(x, device)


@answered("numpy.zeros", how="inline")
def zeros(answer: ShapedArray, shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """`jax.numpy.zeros`: an array of zeros."""
    return _placed(filled(0, shape_of(shape, "zeros"), dtype_of(answer)), device)


@answered("numpy.ones", how="inline")
def ones(answer: ShapedArray, shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """`jax.numpy.ones`: an array of ones."""
    return _placed(filled(1, shape_of(shape, "ones"), dtype_of(answer)), device)


@answered("numpy.empty", how="inline")
def empty(answer: ShapedArray, shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """`jax.numpy.empty`: an array of zeros, since memory is never left as it is."""
    return _placed(filled(0, shape_of(shape, "empty"), dtype_of(answer)), device)


def _like(answer: ShapedArray, value: int, name: str, a: Any, shape: Any, device: Any) -> Any:
    sizes = a.aval.shape if shape is None else shape_of(shape, name)
    return _placed(_lying_as(filled(value, sizes, dtype_of(answer), bool(answer.weak_type)), a), device)


def _lying_as(made: Any, a: Any) -> Any:
    """An array cut along explicit axes as the one that it is like, if it has the same shape."""
    if type(a.aval) is ShapedArray or made.aval.shape != a.aval.shape:
        return made
    return OPERATIONS.lying_as(made, a.aval)


@answered("numpy.zeros_like", "a", how="inline", takes_type=True)
def zeros_like(
    answer: ShapedArray, a: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None
) -> Any:
    """`jax.numpy.zeros_like`: zeros in the shape and dtype of an array."""
    return _like(answer, 0, "zeros_like", a, shape, device)


@answered("numpy.ones_like", "a", how="inline", takes_type=True)
def ones_like(
    answer: ShapedArray, a: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None
) -> Any:
    """`jax.numpy.ones_like`: ones in the shape and dtype of an array."""
    return _like(answer, 1, "ones_like", a, shape, device)


@answered("numpy.empty_like", "prototype", how="inline", takes_type=True)
def empty_like(answer: ShapedArray, prototype: Any, dtype: Any = None, shape: Any = None, *, device: Any = None) -> Any:
    """`jax.numpy.empty_like`: zeros in the shape and dtype of an array."""
    return _like(answer, 0, "empty_like", prototype, shape, device)


def _filled_with(value: Any, shape: tuple[int, ...], dtype: str, weak_type: bool) -> Any:
    """An array of a Python scalar, or of an array that is repeated to the shape."""
    if not isinstance(value, Array):
        return filled(value, shape, dtype, weak_type)
    x = convert_to(value, dtype, weak_type)
    if type(x) is TypedScalar:
        return filled(x.value, shape, str(x.aval.dtype), weak_type)
    own = x.aval.shape
    if own and len(own) < len(shape):
        x = expand_to(x, (*(1,) * (len(shape) - len(own)), *own))
    return broadcast_to(x, shape)


def _value(value: Any) -> Any:
    """A fill value: a Python scalar, of which the rule looks at the value, or an array."""
    if isinstance(value, Array | bool | int | float | complex) and not isinstance(value, np.generic):
        return value
    try:
        return array_from(value)
    except TypeError:
        return value  # the rule says what is wrong with it


@answered("numpy.full", how="inline")
def _full(
    answer: ShapedArray, shape: Any, fill_value: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None
) -> Any:
    sizes = shape_of(shape, "full")
    return _filled_with(fill_value, sizes, dtype_of(answer), bool(answer.weak_type))


@takes_out_sharding
def full(shape: Any, fill_value: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """`jax.numpy.full`: an array of one value, or of an array that is repeated.

    Raises:
        TypeError: for a shape that is none, and a value that is no array-like.
        ValueError: if an array as value does not broadcast to the shape.
        OverflowError: for a number that the dtype does not hold.
    """
    return _placed(_full(shape, _value(fill_value), dtype), device)


@answered("numpy.full_like", "a", how="inline", takes_type=True)
def _full_like(
    answer: ShapedArray, a: Any, fill_value: Any, dtype: Any = None, shape: Any = None, *, device: Any = None,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    sizes = a.aval.shape if shape is None else shape_of(shape, "full_like")
    return _lying_as(_filled_with(fill_value, sizes, dtype_of(answer), bool(answer.weak_type)), a)


@takes_out_sharding
def full_like(
    a: Any, fill_value: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None
) -> Any:
    """`jax.numpy.full_like`: one value in the shape and dtype of an array.

    Raises:
        TypeError, ValueError, OverflowError: as `full`.
    """
    return _placed(_full_like(a, _value(fill_value), dtype, shape), device)


def _small(rows: int, columns: int, k: Any) -> bool:
    return is_eager() and type(k) is int and 0 <= rows * columns <= _SMALL


@answered("numpy.eye", how="inline")
def eye(answer: ShapedArray, N: Any, M: Any = None, k: Any = 0, dtype: Any = None, *, device: Any = None) -> Any:
    """`jax.numpy.eye`: ones on a diagonal, zeros elsewhere."""
    rows = concrete_int(N, "N of eye")
    columns = rows if M is None else concrete_int(M, "M of eye")
    name = dtype_of(answer)
    if _small(rows, columns, k):
        return _placed(array_of(np.eye(rows, columns, k).astype(np_dtype(name))), device)
    place, column = _places(rows, columns, k)
    return _placed(convert_to(eq_p.bind(place, column), name), device)


def _places(rows: int, columns: int, k: Any) -> tuple[Any, Any]:
    """Everywhere in a matrix the row's number plus k, and the column's."""
    checked((rows, columns), "int32")
    row, column = (iota_of("int32", (rows, columns), d) for d in (0, 1))
    offset = convert_to(array_from(k), "int32")
    return add_p.bind(row, reshape(offset, ())), column


@operation("numpy.identity", how="inline")
def identity(n: Any, dtype: Any = None) -> Any:
    """`jax.numpy.identity`: the square matrix with ones on its diagonal."""
    return eye(n, dtype=dtype)


@answered("numpy.tri", how="inline")
def tri(answer: ShapedArray, N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> Any:
    """`jax.numpy.tri`: ones on a diagonal and below it; float32 by default."""
    rows = concrete_int(N, "N of tri")
    columns = rows if M is None else concrete_int(M, "M of tri")
    name = dtype_of(answer)
    if _small(rows, columns, k):
        return array_of(np.tri(rows, columns, k).astype(np_dtype(name)))
    return convert_to(ge_p.bind(*_places(rows, columns, k)), name)
