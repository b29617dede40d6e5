"""Methods that reduce or accumulate along dimensions.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.Array.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.runtime.interface.installing import method, numpy_function

__all__: list[str] = []


@method()
def all(self: Any, axis: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None) -> Any:
    """Whether all elements are true."""
    return numpy_function("all")(self, axis, out, keepdims, where=where)


@method()
def any(self: Any, axis: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None) -> Any:
    """Whether an element is true."""
    return numpy_function("any")(self, axis, out, keepdims, where=where)


@method()
def argmax(self: Any, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Any:
    """Where the greatest element is."""
    return numpy_function("argmax")(self, axis, out, keepdims)


@method()
def argmin(self: Any, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Any:
    """Where the least element is."""
    return numpy_function("argmin")(self, axis, out, keepdims)


@method()
def cumprod(self: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
    """The products up to each element."""
    return numpy_function("cumprod")(self, axis, dtype, out)


@method()
def cumsum(self: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
    """The sums up to each element."""
    return numpy_function("cumsum")(self, axis, dtype, out)


@method()
def max(
    self: Any, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any:
    """The greatest element."""
    return numpy_function("max")(self, axis, out, keepdims, initial, where)


@method()
def mean(
    self: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None
) -> Any:
    """The mean of the elements."""
    return numpy_function("mean")(self, axis, dtype, out, keepdims, where=where)


@method()
def min(
    self: Any, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any:
    """The least element."""
    return numpy_function("min")(self, axis, out, keepdims, initial, where)


@method()
def prod(
    self: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
    where: Any = None, promote_integers: bool = True,
) -> Any:  # fmt: skip
    """The product of the elements."""
    return numpy_function("prod")(self, axis, dtype, out, keepdims, initial, where, promote_integers)


@method()
def ptp(self: Any, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
    """From the least to the greatest element."""
    return numpy_function("ptp")(self, axis, out, keepdims)


@method()
def std(
    self: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: int = 0, keepdims: bool = False, *,
    where: Any = None, correction: float | None = None,
) -> Any:  # fmt: skip
    """The standard deviation of the elements."""
    return numpy_function("std")(self, axis, dtype, out, ddof, keepdims, where=where, correction=correction)


@method()
def sum(
    self: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
    where: Any = None, promote_integers: bool = True,
) -> Any:  # fmt: skip
    """The sum of the elements."""
    return numpy_function("sum")(self, axis, dtype, out, keepdims, initial, where, promote_integers)


@method()
def var(
    self: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: int = 0, keepdims: bool = False, *,
    where: Any = None, correction: float | None = None,
) -> Any:  # fmt: skip
    """The variance of the elements."""
    return numpy_function("var")(self, axis, dtype, out, ddof, keepdims, where=where, correction=correction)
