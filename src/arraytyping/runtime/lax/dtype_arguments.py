"""The dtypes that are arguments of public functions, as the parameters of primitives have them: by canonical name.

Source of `dtype`: `jax/_src/dtypes.py` of jax 0.10.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.runtime.array_likes import PYTHON_SCALARS
from arraytyping.runtime.call_arguments import described
from arraytyping.runtime.core import raised
from arraytyping.runtime.np_dtypes import canonicalize_dtype, dtype_name_of, float0, np_dtype
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.operands import requested_dtype

__all__ = ["canonical_dtype", "dtype"]


def canonical_dtype(dtype: Any, operation: str) -> str:
    """The name of the dtype that an argument asks for, under the x64 mode in force.

    Raises:
        TypeError: for what names no dtype.
    """
    try:
        name = requested_dtype(Context(config.promotion()), described(dtype), operation)
    except RuleError as error:
        raise raised(error) from None
    if name is None:
        raise TypeError(f"{operation}: {dtype!r} is no dtype; give one such as 'float32'")
    return name


def dtype(x: Any) -> Any:
    """`jax.lax.dtype`: the dtype of a value, or the one that a name or a class stands for.

    Raises:
        ValueError: for None.
        TypeError: for what has no dtype of JAX.
    """
    if x is None:
        raise ValueError(f"Invalid argument to dtype: {x}.")
    if isinstance(x, Array):
        return x.dtype  # type: ignore[attr-defined]
    if type(x) in PYTHON_SCALARS:
        return np_dtype(config.promotion().default(type(x).__name__))
    if isinstance(x, np.dtype) and x == float0:
        return x
    if isinstance(x, type | str | np.dtype) and not hasattr(x, "key_shape"):
        return np_dtype(canonical_dtype(x, "dtype"))
    own = getattr(x, "dtype", None)
    if hasattr(own, "key_shape"):
        return own
    try:
        found = own if isinstance(own, np.dtype) else np.result_type(x)
    except TypeError as error:
        raise TypeError(f"Cannot determine dtype of {x}") from error
    if dtype_name_of(found) is None:
        raise TypeError(
            f"Value '{x}' with dtype {found} is not a valid JAX array type. Only arrays of numeric types are supported "
            "by JAX."
        )
    return canonicalize_dtype(found)
