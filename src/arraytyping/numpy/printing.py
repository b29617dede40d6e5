"""Arrays as text by functions, and NumPy's settings for it, which hold for all arrays.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

__all__ = ["array_repr", "array_str", "get_printoptions", "printoptions", "set_printoptions"]

get_printoptions: Final = np.get_printoptions
set_printoptions: Final = np.set_printoptions
printoptions: Final = np.printoptions


def array_repr(
    arr: Any, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """`jax.numpy.array_repr`: the values and the dtype, as NumPy writes them."""
    return np.array_repr(np.asarray(arr), max_line_width, precision, suppress_small)


def array_str(
    a: Any, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """`jax.numpy.array_str`: the values, as NumPy writes them."""
    return np.array_str(np.asarray(a), max_line_width, precision, suppress_small)
