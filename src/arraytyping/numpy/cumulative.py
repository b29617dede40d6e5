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
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.lax.cumulative import cumprod_p, cumsum_p
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.reduction_arguments import summed

__all__ = ["cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "nancumprod", "nancumsum"]


def _accumulated(primitive: Primitive, x: Any, axis: int, dtype: Any, promote: bool) -> Any:
    own = x.aval.dtype
    if dtype is None:
        widened = summed(Context(config.promotion()), primitive.name, own) if promote or own == "bool" else own
        result = computed = str(widened)
    else:
        result = computed = canonical_dtype(dtype, primitive.name)
        if result == "bool":
            x = convert_to(x, "bool")
            computed = config.promotion().default("int")
    return convert_to(primitive.bind(convert_to(x, computed), axis=axis, reverse=False), result)


def _function(name: str, primitive: Primitive, identity: int | None) -> Callable[..., Any]:
    def function(a: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
        shape = a.aval.shape
        if axis is None or (not shape and a.aval.weak_type):  # JAX takes the latter for a Python scalar
            a = reshape(a, (math.prod(shape),))
        if identity is not None and is_inexact(a):
            a = without_nan(a, identity)
        along = 0 if axis is None else operator.index(axis) % len(a.aval.shape)
        return _accumulated(primitive, a, along, dtype, promote=False)

    function.__name__ = function.__qualname__ = name
    what = "product" if primitive is cumprod_p else "sum"
    without = "" if identity is None else " that are not NaN"
    function.__doc__ = f"The {what} of all elements up to each{without}: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "a")(function)


cumsum: Final = _function("cumsum", cumsum_p, None)
cumprod: Final = _function("cumprod", cumprod_p, None)
nancumsum: Final = _function("nancumsum", cumsum_p, 0)
nancumprod: Final = _function("nancumprod", cumprod_p, 1)


def _standard(name: str, primitive: Primitive, identity: int) -> Callable[..., Any]:
    def function(x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: bool = False) -> Any:
        along = 0 if axis is None else operator.index(axis) % len(x.aval.shape)
        result = _accumulated(primitive, x, along, dtype, promote=primitive is cumsum_p)
        if not include_initial:
            return result
        shape = tuple(1 if i == along else n for i, n in enumerate(result.aval.shape))
        first = full_of(identity, ShapedArray(shape, result.aval.dtype, False))
        return concatenate_p.bind(first, result, dimension=along)

    function.__name__ = function.__qualname__ = name
    what = "product" if primitive is cumprod_p else "sum"
    function.__doc__ = f"The {what} of all elements up to each, from that of none on if asked for: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "x")(function)


cumulative_sum: Final = _standard("cumulative_sum", cumsum_p, 0)
cumulative_prod: Final = _standard("cumulative_prod", cumprod_p, 1)
