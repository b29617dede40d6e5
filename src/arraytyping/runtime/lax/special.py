"""Special functions, elementwise.

Source: https://docs.jax.dev/en/latest/jax.lax.html; M. Abramowitz and I. Stegun, *Handbook of Mathematical
Functions*, chapters 6, 7 and 9, for the derivatives.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, integer_pow_p, mul_p, neg_p, square_p, sub_p
from arraytyping.runtime.lax.comparisons import gt_p
from arraytyping.runtime.lax.elementary import exp_p
from arraytyping.runtime.lax.integers import abs_p, sign_p
from arraytyping.runtime.lax.making import unary_function
from arraytyping.runtime.lax.nary import elementwise
from arraytyping.runtime.np_dtypes import limits_of

__all__ = ["bessel_i0e", "bessel_i1e", "digamma", "erf", "erf_inv", "erfc", "lgamma"]


def _times(g: Any, x: Any, factor: float, values: Any) -> Any:
    return mul_p.bind(constant_like(x, factor), mul_p.bind(g, values))


def _gaussian(x: Any) -> Any:
    return exp_p.bind(neg_p.bind(square_p.bind(x)))


def _i1e_tangent(g: Any, ans: Any, x: Any) -> Any:
    from arraytyping.runtime.lax.choices import select_n_p
    from arraytyping.runtime.lax.creation import full_of

    smallest = float(limits_of(x.aval.dtype).eps)
    ordinary = gt_p.bind(abs_p.bind(x), constant_like(x, smallest))
    safe = select_n_p.bind(ordinary, full_of(smallest, x.aval), x)
    slope = sub_p.bind(
        bessel_i0e_p.bind(safe), mul_p.bind(ans, add_p.bind(sign_p.bind(safe), integer_pow_p.bind(safe, y=-1)))
    )
    return mul_p.bind(g, select_n_p.bind(ordinary, full_of(0.5, slope.aval), slope))


lgamma_p: Primitive = elementwise("lgamma", lambda g, ans, x: mul_p.bind(g, digamma_p.bind(x)))
digamma_p: Primitive = elementwise("digamma", lambda g, ans, x: mul_p.bind(g, polygamma_p.bind(constant_like(x, 1), x)))


def _order_tangent(g: Any, ans: Any, m: Any, x: Any) -> Any:
    raise ValueError("polygamma gradient with respect to m is not supported")


polygamma_p: Primitive = elementwise(
    "polygamma",
    _order_tangent,
    lambda g, ans, m, x: mul_p.bind(g, polygamma_p.bind(add_p.bind(m, constant_like(m, 1)), x)),
)
erf_p: Primitive = elementwise("erf", lambda g, ans, x: _times(g, x, 2 / math.sqrt(math.pi), _gaussian(x)))
erfc_p: Primitive = elementwise("erfc", lambda g, ans, x: _times(g, x, -2 / math.sqrt(math.pi), _gaussian(x)))
erf_inv_p: Primitive = elementwise(
    "erf_inv", lambda g, ans, x: _times(g, x, math.sqrt(np.pi) / 2, exp_p.bind(square_p.bind(ans)))
)
bessel_i0e_p: Primitive = elementwise(
    "bessel_i0e",
    lambda g, ans, x: mul_p.bind(g, sub_p.bind(bessel_i1e_p.bind(x), mul_p.bind(sign_p.bind(x), ans))),
)
bessel_i1e_p: Primitive = elementwise("bessel_i1e", _i1e_tangent)

lgamma: Final = unary_function(lgamma_p)
digamma: Final = unary_function(digamma_p)
erf: Final = unary_function(erf_p)
erfc: Final = unary_function(erfc_p)
erf_inv: Final = unary_function(erf_inv_p)
bessel_i0e: Final = unary_function(bessel_i0e_p)
bessel_i1e: Final = unary_function(bessel_i1e_p)
