"""The dtypes that are arguments of public functions, as the parameters of primitives have them: by canonical name."""

from __future__ import annotations

from typing import Any

from arraytyping import config
from arraytyping.runtime.call_arguments import described
from arraytyping.runtime.core import raised
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.operands import requested_dtype

__all__ = ["canonical_dtype"]


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
