"""What array-likes become: arrays, constants of a dtype that is decided, Python ints.

Source: https://docs.jax.dev/en/latest/type_promotion.html.
"""

from __future__ import annotations

import functools
import operator
from typing import Any, Final, NoReturn

import numpy as np

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.errors import ConcretizationTypeError
from arraytyping.runtime.core import EVAL, Tracer, TypedScalar
from arraytyping.runtime.np_dtypes import dtype_name_of, np_dtype
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS
from arraytyping.semantics.promotion.jax import JaxPromotion

__all__ = [
    "PYTHON_SCALARS",
    "array_from",
    "concrete_int",
    "convert_to",
    "materialized",
    "python_scalar",
    "refuse_mask",
    "scalar_from",
]

PYTHON_SCALARS: Final = (bool, int, float, complex)
_scalars: Final[dict[Any, TypedScalar]] = {}


def materialized(value: Any) -> Any:
    """A value that a user may hold: a constant becomes an array."""
    if type(value) is TypedScalar:
        return OPERATIONS.full_of(value, value.aval)
    return value


def convert_to(value: Any, dtype: str, weak_type: bool = False) -> Any:
    """The value in another dtype or weak type: a constant at once, an array by a primitive where it changes."""
    aval = value.aval
    if aval.dtype == dtype and bool(aval.weak_type) == weak_type:
        return value
    if type(value) is TypedScalar:
        return TypedScalar(python_scalar(value.value, dtype), ShapedArray((), dtype, weak_type))
    return OPERATIONS.convert(value, new_dtype=dtype, weak_type=weak_type)


def python_scalar(value: Any, dtype: str) -> bool | int | float | complex:
    """A Python scalar as an element of this dtype holds it."""
    with np.errstate(all="ignore"):
        if isinstance(value, int) and dtype.startswith(("int", "uint")):
            width = int(dtype.lstrip("uint"))
            value = value & ((1 << width) - 1)
            return int(value - (1 << width) if dtype.startswith("int") and value >> (width - 1) else value)
        if isinstance(value, complex) and not dtype.startswith("complex"):
            value = value.real
        return np.asarray(value).astype(np_dtype(dtype)).item()  # type: ignore[no-any-return]


@functools.cache
def _scalar_aval(dtype: str, weak_type: bool) -> ShapedArray:
    """One object for the abstract values of all Python scalars of a kind, as programs are found by identity."""
    return ShapedArray((), dtype, weak_type)


def scalar_from(value: Any, promotion: JaxPromotion) -> TypedScalar:
    """The constant that JAX makes of a Python int or float: one object for equal ones, so that its buffer is kept."""
    key = (id(promotion), type(value), value if value else repr(value))  # 0.0 and -0.0 are equal, and differ
    found = _scalars.get(key)
    if found is None:
        if len(_scalars) >= 4096:
            _scalars.clear()
        found = _scalars[key] = array_from(value, promotion)
    return found


@functools.lru_cache(maxsize=1024)
def _canonical(dtype: np.dtype[Any], promotion: JaxPromotion) -> np.dtype[Any]:
    """The dtype that an array of this one of NumPy's gets.

    Raises:
        TypeError: for one that arrays cannot have.
    """
    name = dtype_name_of(dtype)
    if name is None:
        raise TypeError(f"dtype {dtype} is not a valid JAX array type; only numbers and bool are")
    return np_dtype(promotion.canonicalize(name))


def refuse_mask() -> NoReturn:
    """Say that masked arrays are none of ours.

    Raises:
        ValueError: always.
    """
    raise ValueError(
        "numpy masked arrays are not supported as direct inputs to JAX functions, which would lose the mask; use "
        "arr.filled() to convert the value to a standard NumPy array"
    )


def array_from(value: Any, promotion: JaxPromotion | None = None) -> Any:
    """The array that JAX makes of an array-like operand.

    A Python scalar becomes a weak constant of the default dtype, a NumPy array a strong array, canonicalized.

    Raises:
        TypeError: for what is no array-like.
        ValueError: for a masked array of NumPy's.
        OverflowError: for a Python int that the default dtype does not hold.
    """
    if isinstance(value, Array):
        return value
    promotion = promotion or config.promotion()
    kind = type(value)
    if kind in PYTHON_SCALARS:
        dtype = promotion.default(kind.__name__)
        if kind is int and not -(1 << (31 if dtype == "int32" else 63)) <= value < 1 << (
            31 if dtype == "int32" else 63
        ):
            raise OverflowError(f"Python int {value} too large to convert to {dtype}")
        return TypedScalar(value, _scalar_aval(dtype, kind is not bool))
    if isinstance(value, np.ndarray | np.generic):
        if kind is not np.ndarray and isinstance(value, np.ma.MaskedArray):
            refuse_mask()
        canonical = _canonical(value.dtype, promotion)
        array = np.asarray(value)
        if array.dtype is not canonical:
            with np.errstate(all="ignore"):
                array = array.astype(canonical, copy=False)
        return EVAL.array_of(array)
    if hasattr(value, "__jax_array__"):
        return array_from(value.__jax_array__(), promotion)
    if hasattr(value, "__array__") and not isinstance(value, type):
        return array_from(np.asarray(value), promotion)
    raise TypeError(f"an array or a number is expected, got {kind.__name__}: {value!r:.60}")


def concrete_int(value: Any, what: str) -> int:
    """The Python int of a static argument.

    Raises:
        ConcretizationTypeError: for a tracer.
        TypeError: for what is no integer.
    """
    if isinstance(value, Tracer):
        raise ConcretizationTypeError(f"{what} must be known when the program is traced, got a tracer of {value.aval}")
    return operator.index(
        value.__index__() if isinstance(value, Array) else value  # type: ignore[attr-defined]
    )


OPERATIONS.array_from = array_from
