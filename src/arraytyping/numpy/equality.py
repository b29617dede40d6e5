"""Whether arrays as a whole are equal or close, and what kind of value an object is.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping.basearray import Array
from arraytyping.numpy.comparing import equal, isclose, isnan, logical_and, logical_or
from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.promoting import is_complex
from arraytyping.numpy.reductions import all
from arraytyping.runtime.calling import operation

__all__ = ["allclose", "array_equal", "array_equiv", "iscomplexobj", "isrealobj", "isscalar"]


@operation("numpy.allclose", "a", "b", "rtol", "atol")
def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    """Whether all elements differ by no more than the tolerances: `jax.numpy.allclose`."""
    return all(isclose(a, b, rtol, atol, equal_nan))


@operation("numpy.array_equal", "a1", "a2")
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """Whether the arrays have one shape and equal elements: `jax.numpy.array_equal`."""
    a1, a2 = asarray(a1), asarray(a2)
    if a1.aval.shape != a2.aval.shape:
        return asarray(False)
    same = equal(a1, a2)
    if equal_nan:
        same = logical_or(same, logical_and(isnan(a1), isnan(a2)))
    return all(same)


@operation("numpy.array_equiv", "a1", "a2")
def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether the arrays broadcast to one shape and are equal there: `jax.numpy.array_equiv`."""
    a1, a2 = asarray(a1), asarray(a2)
    try:
        same = equal(a1, a2)
    except (TypeError, ValueError):
        return asarray(False)
    return all(same)


def isscalar(element: Any) -> bool:
    """Whether this is a number, or an array without dimensions: `jax.numpy.isscalar`."""
    if np.isscalar(element):
        return True
    if isinstance(element, Array):
        return not element.shape  # type: ignore[attr-defined]
    if isinstance(element, np.ndarray):
        return element.ndim == 0
    return hasattr(element, "__jax_array__") and not asarray(element).aval.shape


def iscomplexobj(x: Any) -> bool:
    """Whether this is complex, by its type: `jax.numpy.iscomplexobj`."""
    if isinstance(x, complex | np.complexfloating):
        return True
    if x is None or isinstance(x, bool | int | float | str | np.generic):
        return False
    if isinstance(x, np.ndarray):
        return np.iscomplexobj(x)
    return is_complex(asarray(x))


def isrealobj(x: Any) -> bool:
    """Whether this is not complex, by its type: `jax.numpy.isrealobj`."""
    return not iscomplexobj(x)
