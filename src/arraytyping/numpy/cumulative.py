"""Cumulative sums and products, also of what is not NaN.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final

from arraytyping import config
from arraytyping.numpy.promoting import is_inexact
from arraytyping.numpy.reductions import without_nan
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import answered, dtype_of
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.lax.cumulative import cumprod_p, cumsum_p
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.semantics.avals import ShapedArray

__all__ = ["cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "nancumprod", "nancumsum"]


def _accumulated(primitive: Primitive, result: str, x: Any, axis: int) -> Any:
    """The sums or products so far, in the dtype of the result; as bool, whether those of the truth values are 0."""
    if result != "bool":
        return primitive.bind(convert_to(x, result), axis=axis, reverse=False)
    truth = convert_to(convert_to(x, "bool"), config.promotion().default("int"))
    return convert_to(primitive.bind(truth, axis=axis, reverse=False), result)


def _function(name: str, primitive: Primitive, identity: int | None) -> Callable[..., Any]:
    def function(answer: ShapedArray, a: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
        shape = a.aval.shape
        if axis is None or (not shape and a.aval.weak_type):  # JAX takes the latter for a Python scalar
            a = reshape(a, (math.prod(shape),))
        if identity is not None and is_inexact(a):
            a = without_nan(a, identity)
        along = 0 if axis is None else operator.index(axis) % len(a.aval.shape)
        return _accumulated(primitive, dtype_of(answer), a, along)

    function.__name__ = function.__qualname__ = name
    what = "product" if primitive is cumprod_p else "sum"
    without = "" if identity is None else " that are not NaN"
    function.__doc__ = f"The {what} of all elements up to each{without}: `jax.numpy.{name}`."
    return answered(f"numpy.{name}", "a")(function)


cumsum: Final = _function("cumsum", cumsum_p, None)
cumprod: Final = _function("cumprod", cumprod_p, None)
nancumsum: Final = _function("nancumsum", cumsum_p, 0)
nancumprod: Final = _function("nancumprod", cumprod_p, 1)


def _standard(name: str, primitive: Primitive, identity: int) -> Callable[..., Any]:
    def function(
        answer: ShapedArray, x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: bool = False
    ) -> Any:
        along = 0 if axis is None else operator.index(axis) % len(x.aval.shape)
        result = _accumulated(primitive, dtype_of(answer), x, along)
        if not include_initial:
            return result
        shape = tuple(1 if i == along else n for i, n in enumerate(result.aval.shape))
        first = full_of(identity, ShapedArray(shape, result.aval.dtype, False))
        return concatenate_p.bind(first, result, dimension=along)

    function.__name__ = function.__qualname__ = name
    what = "product" if primitive is cumprod_p else "sum"
    function.__doc__ = f"The {what} of all elements up to each, from that of none on if asked for: `jax.numpy.{name}`."
    return answered(f"numpy.{name}", "x")(function)


cumulative_sum: Final = _standard("cumulative_sum", cumsum_p, 0)
cumulative_prod: Final = _standard("cumulative_prod", cumprod_p, 1)
