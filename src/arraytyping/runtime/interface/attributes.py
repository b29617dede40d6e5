"""What is known of an array without its values: shape, dtype, weak type.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.Array.html.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from arraytyping.basearray import Array
from arraytyping.runtime.interface.installing import attribute, method
from arraytyping.runtime.np_dtypes import np_dtype

__all__: list[str] = []


@attribute
def shape(x: Any) -> tuple[int, ...]:
    """The size of each dimension."""
    return x.aval.shape  # type: ignore[no-any-return]


@attribute
def dtype(x: Any) -> np.dtype[Any]:
    """The dtype, as NumPy's."""
    return np_dtype(x.aval.dtype)


@attribute
def __numpy_dtype__(x: Any) -> np.dtype[Any]:
    """The dtype that NumPy takes an array for where a dtype is expected."""
    return np_dtype(x.aval.dtype)


@attribute
def weak_type(x: Any) -> bool:
    """Whether the dtype gives way to that of a strong array."""
    return bool(x.aval.weak_type)


@attribute
def ndim(x: Any) -> int:
    """The number of dimensions."""
    return len(x.aval.shape)


@attribute
def size(x: Any) -> int:
    """The number of elements."""
    return math.prod(x.aval.shape)


@attribute
def itemsize(x: Any) -> int:
    """The bytes of one element."""
    return np_dtype(x.aval.dtype).itemsize


@attribute
def nbytes(x: Any) -> int:
    """The bytes of all elements, as NumPy stores them: a narrow one takes a whole byte."""
    return int(math.prod(x.aval.shape)) * np_dtype(x.aval.dtype).itemsize


@method("__len__")
def length(x: Any) -> int:
    """The size of the first dimension.

    Raises:
        TypeError: for an array without dimensions.
    """
    if not x.aval.shape:
        raise TypeError("len() of unsized object: the array has no dimensions")
    return x.aval.shape[0]  # type: ignore[no-any-return]


setattr(Array, "__hash__", None)  # noqa: B010 (`==` is elementwise; Python says so where a class defines it)
