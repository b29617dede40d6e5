"""Static arguments of jitted functions, which JAX looks up by their hash: a list is none, nor is an array.

Source: `static_argnames` of https://docs.jax.dev/en/latest/_autosummary/jax.jit.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.rules.errors import DimError

__all__ = ["check_hashable"]


def check_hashable(operation: str, **arguments: Any) -> None:
    """Check that each argument can be hashed, as far as one can know.

    Raises:
        DimError: (ValueError) for a list, and for an array other than a NumPy scalar.
    """
    for name, value in arguments.items():
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, list | ShapedArray) or (isinstance(part, NumPyArray) and part.shape):
                what = "a list" if isinstance(part, list) else "an array"
                raise DimError(
                    f"{operation}: {name} must be hashable, but {what} is not; "
                    "give a Python value, a tuple where there are several"
                )
