"""`scatter_apply`: a function of the elements at traced places, once for every time that a place is named.

There is no derivative of it, as in JAX.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.scatter_apply.html.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Any, Final

from arraytyping import config
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.core import EVAL, Primitive, Tracer, use_trace
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.gathering import GatherScatterMode
from arraytyping.runtime.lax.scattering import batch_scatter
from arraytyping.runtime.tracing.staging import stage
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.rules.dimension_numbers import ScatterDimensionNumbers
from arraytyping.semantics.rules.named import named

__all__ = ["element_jaxpr", "scatter_apply", "scatter_apply_p"]


def _rule(
    cx: Any, x: ShapedArray, indices: ShapedArray, unused: ShapedArray, *, jaxpr: ClosedJaxpr, dimension_numbers: Any,
    **params: Any,
) -> ShapedArray:  # fmt: skip
    result: ShapedArray = named("lax.scatter_apply")(
        cx, x, indices, None, dimension_numbers, update_shape=unused.shape, **params
    )
    return result


scatter_apply_p: Final = Primitive("scatter_apply", _rule, has_jaxprs=True)
scatter_apply_p.batching_rule = batch_scatter(scatter_apply_p)


def element_jaxpr(func: Callable[[Any], Any], dtype: str) -> ClosedJaxpr:
    """The jaxpr of a function of one element, whose result is converted back to the dtype; one for equal functions.

    Raises:
        NotImplementedError: if the function uses a traced value of an outer function.
    """
    make = _jaxpr if isinstance(func, Hashable) else _jaxpr.__wrapped__
    closed: ClosedJaxpr = make(func, dtype, config.promotion())
    return closed


@lru_cache(maxsize=256)
def _jaxpr(func: Callable[[Any], Any], dtype: str, promotion: JaxPromotion) -> ClosedJaxpr:
    with use_trace(EVAL):
        closed = stage(lambda x: [convert_to(array_from(func(x)), dtype)], [ShapedArray((), dtype, False)])
    if any(isinstance(c, Tracer) for c in closed.consts):
        raise NotImplementedError(
            "scatter_apply takes a function that uses no traced value but its argument; use get, and set the result"
        )
    return closed


def scatter_apply(
    operand: Any, scatter_indices: Any, func: Callable[[Any], Any], dimension_numbers: Any, *,
    update_shape: Sequence[int] = (), indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.scatter_apply`: the array with a function of the elements for each index vector.

    Raises:
        TypeError, ValueError: as the rule says, for what does not go together.
    """
    x, indices = array_from(operand), array_from(scatter_indices)
    fields = ScatterDimensionNumbers._fields
    return scatter_apply_p.bind(
        x, indices, zeros_of(ShapedArray(tuple(map(int, update_shape)), x.aval.dtype, False)),
        jaxpr=element_jaxpr(func, x.aval.dtype),
        dimension_numbers=ScatterDimensionNumbers(*(tuple(map(int, getattr(dimension_numbers, f))) for f in fields)),
        indices_are_sorted=bool(indices_are_sorted), unique_indices=bool(unique_indices),
        mode=GatherScatterMode.from_any(mode),
    )  # fmt: skip
