"""Comparisons, elementwise; their results have no tangent.

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, mul_p
from arraytyping.runtime.lax.converting import convert_element_type_p
from arraytyping.runtime.lax.making import binary_function, unary_function
from arraytyping.runtime.lax.nary import elementwise

__all__ = ["eq", "ge", "gt", "is_finite", "le", "lt", "max", "min", "ne", "nextafter"]

eq_p: Final = elementwise("eq")
ne_p: Final = elementwise("ne")
lt_p: Final = elementwise("lt")
le_p: Final = elementwise("le")
gt_p: Final = elementwise("gt")
ge_p: Final = elementwise("ge")
is_finite_p: Final = elementwise("is_finite")
nextafter_p: Final = elementwise("nextafter")
nextafter_p.jvp_rule = None  # as in JAX: it is not known how it changes
nextafter_p.jvp_rule = None  # JAX does not differentiate it either


def _share(x: Any, ans: Any, y: Any) -> Any:
    """How much of the tangent an operand of max or min gets: all where it is the result, half of it for both."""
    weak = bool(ans.aval.weak_type)
    is_it = convert_element_type_p.bind(eq_p.bind(x, ans), new_dtype=ans.aval.dtype, weak_type=weak)
    is_other = convert_element_type_p.bind(eq_p.bind(y, ans), new_dtype=ans.aval.dtype, weak_type=weak)
    return div_p.bind(is_it, add_p.bind(constant_like(ans, 1), mul_p.bind(is_it, is_other)))


_SHARES = (
    lambda g, ans, x, y: mul_p.bind(g, _share(x, ans, y)),
    lambda g, ans, x, y: mul_p.bind(g, _share(y, ans, x)),
)
max_p: Final = elementwise("max", *_SHARES)
min_p: Final = elementwise("min", *_SHARES)

eq: Final = binary_function(eq_p)
ne: Final = binary_function(ne_p)
lt: Final = binary_function(lt_p)
le: Final = binary_function(le_p)
gt: Final = binary_function(gt_p)
ge: Final = binary_function(ge_p)
max: Final = binary_function(max_p)
min: Final = binary_function(min_p)
is_finite: Final = unary_function(is_finite_p)


@operation("lax.nextafter", "x1", "x2", how="inline")
def nextafter(x1: Any, x2: Any) -> Any:
    """`jax.lax.nextafter`: the next number from the first towards the second."""
    return nextafter_p.bind(x1, x2)
