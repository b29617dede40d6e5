"""The scalar types under the names of `jax.numpy`: they are dtypes, and calling one makes an array.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `arraytyping.scalars`, where the classes are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping import scalars
from arraytyping.scalars import *  # noqa: F403
from arraytyping.scalars import NAMES

dtype = np.dtype
bool = scalars.bool_
int_ = scalars.int64
uint = scalars.uint64
single = scalars.float32
double = scalars.float64
float_ = scalars.float64
csingle = scalars.complex64
cdouble = scalars.complex128
complex_ = scalars.complex128
character = np.character
flexible = np.flexible
object_ = np.object_

__all__ = [
    "bool",
    "cdouble",
    "character",
    "complex_",
    "csingle",
    "double",
    "dtype",
    "flexible",
    "float_",
    "int_",
    "object_",
    "single",
    "uint",
]
__all__ += scalars.__all__


def made(scalar: type, value: Any) -> Any:
    """The array that calling a scalar type makes: of its dtype, strong.

    Raises:
        TypeError: if the class stands for several dtypes, or the value is none of an array.
        OverflowError: for a number that the dtype does not hold.
    """
    if scalar not in NAMES:
        raise TypeError(f"{scalar.__name__} stands for several dtypes, and makes no array; call one such as float32")
    from arraytyping.numpy.conversion import converted_array

    return converted_array(scalar.__name__, value, scalar)
