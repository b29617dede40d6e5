"""Methods that reduce or accumulate along dimensions.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.Array.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.interface.installing import method, numpy_function

__all__: list[str] = []


def _numpy(name: str) -> Any:
    return numpy_function(name)


@method()
def all(self: Any, axis: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None) -> Any:
    """Whether all elements are true."""
    return _numpy("all")(self, axis, out, keepdims, where=where)


@method()
def any(self: Any, axis: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None) -> Any:
    """Whether an element is true."""
    return _numpy("any")(self, axis, out, keepdims, where=where)


@method()
def argmax(self: Any, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Any:
    """Where the greatest element is."""
    return _numpy("argmax")(self, axis, out, keepdims)


@method()
def argmin(self: Any, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Any:
    """Where the least element is."""
    return _numpy("argmin")(self, axis, out, keepdims)


@method()
def cumprod(self: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
    """The products up to each element."""
    return _numpy("cumprod")(self, axis, dtype, out)


@method()
def cumsum(self: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
    """The sums up to each element."""
    return _numpy("cumsum")(self, axis, dtype, out)


@method()
def max(
    self: Any, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any:
    """The greatest element."""
    return _numpy("max")(self, axis, out, keepdims, initial, where)


@method()
def mean(
    self: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None
) -> Any:
    """The mean of the elements."""
    return _numpy("mean")(self, axis, dtype, out, keepdims, where=where)


@method()
def min(
    self: Any, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any:
    """The least element."""
    return _numpy("min")(self, axis, out, keepdims, initial, where)


@method()
def prod(
    self: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
    where: Any = None, promote_integers: bool = True,
) -> Any:  # fmt: skip
    """The product of the elements."""
    return _numpy("prod")(self, axis, dtype, out, keepdims, initial, where, promote_integers)


@method()
def ptp(self: Any, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
    """From the least to the greatest element."""
    return _numpy("ptp")(self, axis, out, keepdims)


@method()
def std(
    self: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: int = 0, keepdims: bool = False, *,
    where: Any = None, correction: float | None = None,
) -> Any:  # fmt: skip
    """The standard deviation of the elements."""
    return _numpy("std")(self, axis, dtype, out, ddof, keepdims, where=where, correction=correction)


@method()
def sum(
    self: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
    where: Any = None, promote_integers: bool = True,
) -> Any:  # fmt: skip
    """The sum of the elements."""
    return _numpy("sum")(self, axis, dtype, out, keepdims, initial, where, promote_integers)


@method()
def var(
    self: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: int = 0, keepdims: bool = False, *,
    where: Any = None, correction: float | None = None,
) -> Any:  # fmt: skip
    """The variance of the elements."""
    return _numpy("var")(self, axis, dtype, out, ddof, keepdims, where=where, correction=correction)
