"""Where the greatest and the least elements are.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final

from arraytyping import config
from arraytyping.numpy.promoting import chosen, is_inexact
from arraytyping.numpy.reducing import ALL, Axes, kept_shape, reduced
from arraytyping.numpy.reductions import is_nan, without_nan
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import constant_like
from arraytyping.runtime.lax.extremes import argmax_p, argmin_p
from arraytyping.runtime.lax.structure import reshape

__all__ = ["argmax", "argmin", "nanargmax", "nanargmin"]


def _place(primitive: Primitive, a: Any, axis: Any, keepdims: Any) -> Any:
    shape = a.aval.shape
    if axis is None:
        flat = reshape(a, (math.prod(shape),))
        along, left = 0, (1,) * len(shape)
    else:
        flat, along = a, operator.index(axis) % len(shape)
        left = kept_shape(shape, (along,))
    result = primitive.bind(flat, axes=(along,), index_dtype=config.promotion().default("int"))
    return reshape(result, left) if keepdims else result


def _function(name: str, primitive: Primitive, which: str) -> Callable[..., Any]:
    def function(a: Any, axis: Any = None, out: None = None, keepdims: bool | None = None) -> Any:
        return _place(primitive, a, axis, keepdims)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The index of the {which} element, of the first NaN if there is one: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "a")(function)


def _nan_function(name: str, primitive: Primitive, which: str, worst: float) -> Callable[..., Any]:
    def function(a: Any, axis: Any = None, out: None = None, keepdims: bool | None = None) -> Any:
        if not is_inexact(a):
            return _place(primitive, a, axis, keepdims)
        result = _place(primitive, without_nan(a, worst), axis, keepdims)
        rank = len(a.aval.shape)
        axes = tuple(range(rank)) if axis is None else (operator.index(axis) % rank,)
        only_nan = reduced(ALL, is_nan(a), Axes(axes), bool(keepdims))
        return chosen(only_nan, constant_like(result, -1), result)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The index of the {which} element that is not NaN, -1 if all are: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "a")(function)


argmax: Final = _function("argmax", argmax_p, "greatest")
argmin: Final = _function("argmin", argmin_p, "least")
nanargmax: Final = _nan_function("nanargmax", argmax_p, "greatest", -math.inf)
nanargmin: Final = _nan_function("nanargmin", argmin_p, "least", math.inf)
