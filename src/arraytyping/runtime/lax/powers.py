"""Powers, elementwise.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.pow.html.
"""

from __future__ import annotations

import operator
from typing import Any, Final

from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.arithmetic import constant_like, integer_pow_p, mul_p, square_p, sub_p
from arraytyping.runtime.lax.comparisons import eq_p
from arraytyping.runtime.lax.converting import convert_element_type_p
from arraytyping.runtime.lax.elementary import log_p
from arraytyping.runtime.lax.making import binary_function, unary_function
from arraytyping.runtime.lax.nary import elementwise
from arraytyping.scalars import KINDS

__all__ = ["integer_pow", "pow", "reciprocal", "square"]


def _base_tangent(g: Any, ans: Any, x: Any, y: Any) -> Any:
    from arraytyping.runtime.lax.choices import select_n_p
    from arraytyping.runtime.lax.complex_numbers import ones_like

    if KINDS[y.aval.dtype] in "iu":
        # y x^(y-1), and 0 where y is 0, so that 0^0 has a derivative
        zero = eq_p.bind(y, constant_like(y, 0))
        lower = pow_p.bind(x, sub_p.bind(select_n_p.bind(zero, y, ones_like(y)), constant_like(y, 1)))
        factor = convert_element_type_p.bind(y, new_dtype=x.aval.dtype, weak_type=False)
        return mul_p.bind(g, mul_p.bind(factor, lower))
    return mul_p.bind(g, mul_p.bind(y, pow_p.bind(x, sub_p.bind(y, constant_like(y, 1, weak_type=False)))))


def _exponent_tangent(g: Any, ans: Any, x: Any, y: Any) -> Any:
    from arraytyping.runtime.lax.choices import select_n_p
    from arraytyping.runtime.lax.complex_numbers import ones_like

    safe = select_n_p.bind(eq_p.bind(x, constant_like(x, 0)), x, ones_like(x))
    tangent = mul_p.bind(g, mul_p.bind(log_p.bind(safe), ans))
    return convert_to(tangent, y.aval.dtype)  # strong, as JAX's


pow_p: Final = elementwise("pow", _base_tangent, _exponent_tangent)

pow: Final = binary_function(pow_p)
square: Final = unary_function(square_p)


@operation("lax.reciprocal", "x", how="inline")
def reciprocal(x: Any) -> Any:
    """`jax.lax.reciprocal`: one over every element."""
    return integer_pow_p.bind(x, y=-1)


@operation("lax.integer_pow", "x", how="inline")
def integer_pow(x: Any, y: int) -> Any:
    """`jax.lax.integer_pow`: every element to the power of a Python int."""
    return integer_pow_p.bind(x, y=operator.index(y))
