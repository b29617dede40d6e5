"""Sums, products, extremes and logical reductions along axes.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping.numpy.parts import real_part
from arraytyping.numpy.promoting import chosen, is_inexact
from arraytyping.numpy.reducing import ALL, ANY, MAX, MIN, PROD, SUM, Reduction, axes_of, reduced, total, total_in
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import answered, dtype_of, operation
from arraytyping.runtime.lax.arithmetic import constant_like, sub_p
from arraytyping.runtime.lax.comparisons import ne_p
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "all", "amax", "amin", "any", "count_nonzero", "max", "min", "nanmax", "nanmin", "nanprod", "nansum", "prod", "ptp",
    "sum",
]  # fmt: skip


@answered("numpy.sum", "a", "initial", "where")
def sum(
    answer: ShapedArray, a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False,
    initial: Any = None, where: Any = None, promote_integers: bool = True,
) -> Any:  # fmt: skip
    """The sum along axes, by default of all elements: `jax.numpy.sum`."""
    return total_in(SUM, dtype_of(answer), a, axis, dtype, keepdims, initial, where)


@answered("numpy.prod", "a", "initial", "where")
def prod(
    answer: ShapedArray, a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False,
    initial: Any = None, where: Any = None, promote_integers: bool = True,
) -> Any:  # fmt: skip
    """The product along axes, by default of all elements: `jax.numpy.prod`."""
    return total_in(PROD, dtype_of(answer), a, axis, dtype, keepdims, initial, where)


def is_nan(x: Any) -> Any:
    """Whether each element is NaN."""
    return ne_p.bind(x, x)


def without_nan(x: Any, value: Any) -> Any:
    """The floats or complex numbers with a constant in the place of NaN."""
    return chosen(is_nan(x), constant_like(x, value), x)


@answered("numpy.nansum", "a", "initial", "where")
def nansum(
    answer: ShapedArray, a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False,
    initial: Any = None, where: Any = None,
) -> Any:  # fmt: skip
    """The sum along axes of what is not NaN: `jax.numpy.nansum`."""
    a = without_nan(a, 0) if is_inexact(a) else a
    return total_in(SUM, dtype_of(answer), a, axis, dtype, keepdims, initial, where)


@answered("numpy.nanprod", "a", "initial", "where")
def nanprod(
    answer: ShapedArray, a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False,
    initial: Any = None, where: Any = None,
) -> Any:  # fmt: skip
    """The product along axes of what is not NaN: `jax.numpy.nanprod`."""
    a = without_nan(a, 1) if is_inexact(a) else a
    return total_in(PROD, dtype_of(answer), a, axis, dtype, keepdims, initial, where)


def _extreme(kind: Reduction, a: Any, axis: Any, keepdims: Any, initial: Any = None, where: Any = None) -> Any:
    return reduced(kind, a, axes_of(axis, len(a.aval.shape)), bool(keepdims), initial, where)


def _extreme_function(name: str, kind: Reduction, which: str) -> Callable[..., Any]:
    def function(
        a: Any, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
    ) -> Any:
        return _extreme(kind, a, axis, keepdims, initial, where)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The {which} element along axes, NaN if one is: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "a", "initial", "where")(function)


def _nan_extreme_function(name: str, kind: Reduction, which: str) -> Callable[..., Any]:
    def function(
        a: Any, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
    ) -> Any:
        if not is_inexact(a):
            return _extreme(kind, a, axis, keepdims, initial, where)
        result = _extreme(kind, without_nan(a, kind.identity(a.aval.dtype)), axis, keepdims, initial, where)
        if initial is not None:
            return result
        only_nan = _extreme(ALL, is_nan(a), axis, keepdims)
        return chosen(only_nan, constant_like(result, float("nan")), result)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The {which} element along axes of those that are not NaN: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "a", "initial", "where")(function)


max: Final = _extreme_function("max", MAX, "greatest")
amax: Final = _extreme_function("amax", MAX, "greatest")
min: Final = _extreme_function("min", MIN, "least")
amin: Final = _extreme_function("amin", MIN, "least")
nanmax: Final = _nan_extreme_function("nanmax", MAX, "greatest")
nanmin: Final = _nan_extreme_function("nanmin", MIN, "least")


def _logical(name: str, kind: Reduction, doc: str) -> Callable[..., Any]:
    def function(a: Any, axis: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None) -> Any:
        # of complex numbers JAX looks at the real part
        return _extreme(kind, convert_to(real_part(a), "bool"), axis, keepdims, None, where)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc} along axes: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "a", "where")(function)


all: Final = _logical("all", ALL, "Whether all elements hold")
any: Final = _logical("any", ANY, "Whether at least one element holds")


@operation("numpy.ptp", "a")
def ptp(a: Any, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
    """The greatest less the least element along axes: `jax.numpy.ptp`."""
    return sub_p.bind(_extreme(MAX, a, axis, keepdims), _extreme(MIN, a, axis, keepdims))


@answered("numpy.count_nonzero", "a")
def count_nonzero(answer: ShapedArray, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """How many elements along axes are not 0: `jax.numpy.count_nonzero`."""
    return total(SUM, convert_to(a, "bool"), axis, dtype_of(answer), keepdims)
