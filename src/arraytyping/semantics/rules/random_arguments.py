"""The arguments of random functions: keys, typed ones or their bits, and what is asked of the result.

A typed key array has a dtype such as `key<fry>`; its bits, a `uint32` array with one dimension more, are taken for a
key too.

Source: `_check_prng_key` and `_check_shape` of https://github.com/jax-ml/jax/blob/main/jax/_src/random/core.py.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from arraytyping.scalars import bits
from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Scalar, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.key_implementations import KEY_SIZES
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping.semantics.rules.errors import DtypeError, ShapeError
from arraytyping.semantics.rules.operands import as_operand, requested_dtype
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.static_arguments import as_shape, non_negative

__all__ = ["asked_dtype", "asked_shape", "check_parameters", "float_dtype", "is_typed_key", "key_shape",
           "one_key", "parameter", "whole_bytes"]  # fmt: skip

_KEY: Final = "random.{}: the first argument must be a key"
_MAKE: Final = "make one with jax.random.key(seed)"


def is_typed_key(value: Any) -> bool:
    """Whether this is an array of typed keys."""
    return isinstance(value, ShapedArray) and value.dtype is not None and value.dtype.startswith("key<")


def key_shape(operation: str, key: Any) -> Shape | None:
    """The shape of an array of keys; None if unknown.

    Raises:
        DtypeError: for what is neither typed keys nor the bits of keys.
    """
    if key is UNKNOWN:
        return None
    if not isinstance(key, ShapedArray | NumPyArray):
        raise DtypeError(f"{_KEY.format(operation)}, got {_shown(key)}")
    if is_typed_key(key):
        return key.shape
    if key.dtype is None:
        return None
    if key.dtype != "uint32":
        raise DtypeError(
            f"random.{operation}: the first argument must be a key, or its bits as uint32, got {key}; {_MAKE}"
        )
    if key.shape is None:
        return None
    if not key.shape or (isinstance(key.shape[-1], int) and key.shape[-1] not in KEY_SIZES.values()):
        raise DtypeError(
            f"{_KEY.format(operation)}, or its bits, of which the last dimension has size 2 (1 or 4 of other "
            f"implementations than JAX's default), got {key}; {_MAKE}"
        )
    return key.shape[:-1]


def _shown(value: Any) -> str:
    """What is given in the place of a key, and what to write for it."""
    if value is None or isinstance(value, str | tuple | list | dict):
        return f"{'None' if value is None else f'a {type(value).__name__}'}; {_MAKE}"
    if type(value) is int:
        return f"the int {value}; write jax.random.key({value})"
    kind = value.kind if isinstance(value, Scalar) else type(value).__name__
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind}; {'write jax.random.key(seed)' if kind == 'int' else _MAKE}"


def one_key(operation: str, key: Any) -> None:
    """Check that an argument is a single key.

    Raises:
        DtypeError: for what is no key.
        ShapeError: (ValueError) for an array of keys.
    """
    shape = key_shape(operation, key)
    if shape:
        raise ShapeError(
            f"random.{operation}: the first argument must be a single key, got an array of keys of shape "
            f"{shape_tuple_str(shape)}; use jax.vmap",
            ValueError,
        )


def asked_shape(operation: str, shape: Any) -> Shape | None:
    """The shape that is asked for, None if unknown.

    Raises:
        ShapeError: for what is no shape.
    """
    return non_negative(operation, as_shape(operation, shape), ValueError)


def asked_dtype(
    cx: Context, operation: str, dtype: Any, default: type, among: Collection[str], what: str,
    exception: type[Exception] = ValueError,
) -> str | None:  # fmt: skip
    """The dtype that is asked for, by default that of a Python type; None if unknown.

    Raises:
        DtypeError: if it is none of those that the function gives.
    """
    chosen = requested_dtype(cx, default if dtype is None else dtype, operation)
    if chosen is not None and chosen not in among:
        raise DtypeError(f"dtype argument to `{operation}` must be {what} dtype, got {chosen}", exception)
    return chosen


def float_dtype(cx: Context, operation: str, dtype: Any) -> str | None:
    """The floating dtype that is asked for, None if unknown.

    Raises:
        DtypeError: for another one, and for one narrower than a byte.
    """
    chosen = asked_dtype(cx, operation, dtype, float, ANY_FLOAT, "a float")
    if chosen is not None:
        whole_bytes(operation, chosen)
    return chosen


def whole_bytes(operation: str, dtype: str) -> None:
    """Check that the elements of a dtype are bytes.

    Raises:
        DtypeError: if they are not.
    """
    if bits(dtype) not in (8, 16, 32, 64):
        raise DtypeError(f"{operation} only accepts 8-, 16-, 32-, or 64-bit dtypes, got {dtype}; draw a wider one")


def parameter(cx: Context, operation: str, value: Any, name: str, no_array: type[Exception] = TypeError) -> ShapedArray:
    """The array that a parameter of a distribution is.

    Raises:
        DtypeError: for what is no array-like; None raises `no_array`.
    """
    if value is None:
        raise DtypeError(f"{operation}: {name} is a number or an array, got None; give one", no_array)
    return as_operand(cx, value, operation, name)


def check_parameters(
    operation: str, shape: Shape | None, *parameters: Shape | None, exception: type[Exception] = ValueError
) -> None:
    """Check that the parameters of a distribution broadcast to the shape that is asked for.

    Raises:
        ShapeError: if they do not.
    """
    if shape is None:
        return
    for parameter in parameters:
        if parameter is None:
            continue
        try:
            result = broadcast_shapes(operation, shape, parameter)
        except ShapeError as error:
            raise ShapeError(error.message, exception) from None
        if result is not None and (len(result) != len(shape) or any(_differs(r, s) for r, s in zip(result, shape))):
            raise ShapeError(
                f"{operation}: parameters of shape {shape_tuple_str(parameter)} do not broadcast to the shape "
                f"{shape_tuple_str(shape)} that is asked for",
                exception,
            )


def _differs(a: Dim, b: Dim) -> bool:
    return isinstance(a, int) and isinstance(b, int) and a != b
