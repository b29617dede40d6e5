"""The sizes of ranges of numbers, and the shapes of numbers that are evenly spaced.

Source: https://data-apis.org/array-api/latest/API_specification/generated/array_api.arange.html and array_api.linspace
there.
"""

from __future__ import annotations

import math
from types import NoneType
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Dim, Scalar, Shape, ShapedArray, SymbolicDim
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.sizes.dims import add_dims, divide_dim, max_dim, subtract_dims

__all__ = ["arange_size", "spaced"]


def arange_size(start: Any, stop: Any, step: Any) -> Dim:
    """The size of a range, computed as JAX does, in Python's numbers.

    Raises:
        RuleError: where JAX's computation raises: ZeroDivisionError, OverflowError, ValueError for NaN.
    """
    if stop is UNKNOWN:  # it may be None
        return None
    if stop is None:
        start, stop = 0, start
    from_zero = step is None and isinstance(start, int | float) and start == 0
    if from_zero and isinstance(stop, ShapedArray) and isinstance(stop.value, int):
        stop = stop.value
    if SymbolicDim in (type(start), type(stop)) and type(step) in (int, NoneType) and step != 0:
        return _counted(start, stop, 1 if step is None else step)
    if isinstance(step, int | float) and step == 0 and all(_is_python_real(v) for v in (start, stop)):
        raise RuleError("arange: step must not be 0", ZeroDivisionError)
    if not all(isinstance(v, int | float) for v in (start, stop)) or not isinstance(step, int | float | None):
        return None
    try:
        distance: float = stop if step is None and start == 0 else stop - start
        quotient: float = distance if step is None else distance / step
        return max(0, math.ceil(quotient))
    except OverflowError:
        exception: type[Exception] = OverflowError
    except ValueError:
        exception = ValueError
    raise RuleError("arange: the size is not finite; give finite numbers", exception)


def _counted(start: Any, stop: Any, step: int) -> Dim:
    """The size of a range whose bounds are integers, some of them known by name."""
    if not all(isinstance(bound, int | SymbolicDim) for bound in (start, stop)):
        return None
    distance = subtract_dims(stop, start) if step > 0 else subtract_dims(start, stop)
    return max_dim(divide_dim(add_dims((distance, abs(step) - 1)), abs(step)), 0)


def _is_python_real(value: Any) -> bool:
    if isinstance(value, Scalar):
        return value.kind != "complex"
    return isinstance(value, int | float | SymbolicDim)


def spaced(operation: str, ends: Shape | None, axis: Any, size: Dim) -> Shape | None:
    """The shape of so many numbers between ends that have broadcast to a shape, along a new axis.

    Raises:
        DimError: if the result has no such axis.
    """
    rank = None if ends is None else len(ends) + 1
    number = canonicalize_axis(operation, axis, rank)
    if ends is None:
        return None
    return (None,) * (len(ends) + 1) if number is None else (*ends[:number], size, *ends[number:])
