"""`ArrayImpl`: an array whose values are in a device's memory, in an XLA buffer.

Source: JEP 12049, https://docs.jax.dev/en/latest/jep/12049-type-annotations.html, option 4.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.runtime.core import Tracer, TypedScalar, escaped
from arraytyping.runtime.np_dtypes import dtype_name_of, np_dtype
from arraytyping.runtime.xla.jaxlib_api import buffer_aval, put, put_as, to_numpy
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import JaxPromotion

__all__ = ["ArrayImpl", "array_of", "buffer_from", "buffer_of", "where_set"]


class ArrayImpl(Array):
    """An array with values; functions such as `asarray` and `zeros` make them."""

    __slots__ = ("__weakref__", "_buffer", "aval")
    _buffer: Any
    aval: ShapedArray

    def __init__(self, buffer: Any) -> None:
        self._buffer = buffer
        self.aval = buffer.aval.aval  # one object for equal ones: see `buffer_aval`

    def _literal(self) -> bool | int | float | complex | None:
        """The Python scalar that an array without dimensions holds."""
        return self._value.item()  # type: ignore[no-any-return]

    @property
    def _value(self) -> np.ndarray[Any, Any]:
        """The values as a NumPy array that cannot be written to.

        Raises:
            RuntimeError: if the array was deleted or donated.
        """
        return to_numpy(self._buffer)


def array_of(value: np.ndarray[Any, Any], *, weak_type: bool = False) -> ArrayImpl:
    """An array with these values, of this very dtype.

    Raises:
        TypeError: for a dtype that JAX has not.
    """
    return where_set(ArrayImpl(put(value, _aval_of(value.shape, value.dtype, weak_type))))


def where_set(array: ArrayImpl) -> ArrayImpl:
    """A new array, on the device that is set here as the default one."""
    if config.device_here() is None:
        return array
    from arraytyping.runtime.placed_array import by_default

    return by_default(array)


@lru_cache(maxsize=4096)
def _aval_of(shape: tuple[int, ...], dtype: np.dtype[Any], weak_type: bool) -> ShapedArray:
    name = dtype_name_of(dtype)
    if name is None:
        raise TypeError(f"an array of dtype {dtype} was given; expected numbers or bool")
    return ShapedArray(shape, name, weak_type)


_FORMS: Final[dict[Any, tuple[Any, np.dtype[Any] | None]]] = {}
"""The types of buffers that NumPy's arrays become, with the dtype where that is another, by what those are."""


def buffer_from(value: np.ndarray[Any, Any], promotion: JaxPromotion) -> Any:
    """The buffer that an array of NumPy becomes where it is an argument, its dtype canonicalized.

    Raises:
        TypeError: for a dtype that JAX has not.
    """
    key = (value.shape, value.dtype, id(promotion))  # promotions are there for ever
    form = _FORMS.get(key)
    if form is None:
        if len(_FORMS) >= 4096:
            _FORMS.clear()
        name = dtype_name_of(value.dtype)
        if name is None:
            raise TypeError(f"an array of dtype {value.dtype} was given; expected numbers or bool")
        what = buffer_aval(ShapedArray(value.shape, promotion.canonicalize(name), False))
        form = _FORMS[key] = what, None if what.dtype == value.dtype else what.dtype
    what, dtype = form
    if dtype is not None:
        with np.errstate(all="ignore"):
            value = value.astype(dtype)
    return put_as(value, what)


@lru_cache(maxsize=4096)
def _scalar_buffer(kind: Any, text: str, value: Any, aval: ShapedArray) -> Any:
    return put(np.asarray(value).astype(np_dtype(str(aval.dtype))), aval)


def own_buffer_of(value: Any) -> Any:
    """The same for an argument that is given away: of a constant one that nobody else has."""
    return (
        _scalar_buffer.__wrapped__(None, "", value.value, value.aval)
        if type(value) is TypedScalar
        else buffer_of(value)
    )


def buffer_of(value: Any) -> Any:
    """The buffer of an operand of a primitive: an array, or a constant that becomes one.

    Raises:
        UnexpectedTracerError: for a tracer, which has left its function.
    """
    if type(value) is ArrayImpl:
        return value._buffer
    if type(value) is TypedScalar:
        kind: Any = type(value.value)
        value._buffer = buffer = _scalar_buffer(kind, repr(value.value), value.value, value.aval)
        return buffer
    if isinstance(value, Tracer):
        raise escaped(value)
    if isinstance(value, ArrayImpl):
        raise AttributeError("an array that lies elsewhere has no buffer on the default device")
    raise TypeError(f"an array is expected, got {type(value).__name__}")
