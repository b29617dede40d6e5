"""Special functions that StableHLO has no operation for: sums of Chebyshev polynomials, and loops.

Source: the coefficients of the Cephes library, https://www.netlib.org/cephes/, `i0.c` and `i0f.c`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, mul_p, sub_p
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import le_p
from arraytyping.runtime.lax.elementary import sqrt_p
from arraytyping.runtime.lax.incomplete_beta import betainc_of, regularized_incomplete_beta_p
from arraytyping.runtime.lax.incomplete_gamma import (
    igamma_grad_a_p,
    igamma_grad_of,
    igamma_of,
    igamma_p,
    igammac_of,
    igammac_p,
    in_one_shape,
)
from arraytyping.runtime.lax.integers import abs_p
from arraytyping.runtime.lax.special import bessel_i0e_p
from arraytyping.runtime.xla.lowerings.composing import composed

_TO_8: Final = (
    -4.41534164647933937950e-18, 3.33079451882223809783e-17, -2.43127984654795469359e-16, 1.71539128555513303061e-15,
    -1.16853328779934516808e-14, 7.67618549860493561688e-14, -4.85644678311192946090e-13, 2.95505266312963983461e-12,
    -1.72682629144155570723e-11, 9.67580903537323691224e-11, -5.18979560163526290666e-10, 2.65982372468238665035e-9,
    -1.30002500998624804212e-8, 6.04699502254191894932e-8, -2.67079385394061173391e-7, 1.11738753912010371815e-6,
    -4.41673835845875056359e-6, 1.64484480707288970893e-5, -5.75419501008210370398e-5, 1.88502885095841655729e-4,
    -5.76375574538582365885e-4, 1.63947561694133579842e-3, -4.32430999505057594430e-3, 1.05464603945949983183e-2,
    -2.37374148058994688156e-2, 4.93052842396707084878e-2, -9.49010970480476444210e-2, 1.71620901522208775349e-1,
    -3.04682672343198398683e-1, 6.76795274409476084995e-1,
)  # fmt: skip
_FROM_8: Final = (
    -7.23318048787475395456e-18, -4.83050448594418207126e-18, 4.46562142029675999901e-17, 3.46122286769746109310e-17,
    -2.82762398051658348494e-16, -3.42548561967721913462e-16, 1.77256013305652638360e-15, 3.81168066935262242075e-15,
    -9.55484669882830764870e-15, -4.15056934728722208663e-14, 1.54008621752140982691e-14, 3.85277838274214270114e-13,
    7.18012445138366623367e-13, -1.79417853150680611778e-12, -1.32158118404477131188e-11, -3.14991652796324136454e-11,
    1.18891471078464383424e-11, 4.94060238822496958910e-10, 3.39623202570838634515e-9, 2.26666899049817806459e-8,
    2.04891858946906374183e-7, 2.89137052083475648297e-6, 6.88975834691682398426e-5, 3.36911647825569408990e-3,
    8.04490411014108831608e-1,
)  # fmt: skip
_TERMS: Final = {"float32": (18, 7), "float64": (30, 25)}
"""How many of the coefficients count in a dtype, up to 8 and beyond."""


def _chebyshev(x: Any, coefficients: Sequence[float]) -> Any:
    """The sum of Chebyshev polynomials of half of x, the one of highest degree first, by Clenshaw's recurrence."""
    zero = mul_p.bind(x, constant_like(x, 0))
    last, before, b2 = zero, zero, zero
    for c in coefficients:
        b2, before = before, last
        last = add_p.bind(sub_p.bind(mul_p.bind(x, before), b2), constant_like(x, c))
    return mul_p.bind(constant_like(x, 0.5), sub_p.bind(last, b2))


def _bessel_i0e(x: Any) -> Any:
    dtype = x.aval.dtype
    if dtype not in _TERMS:
        return convert_to(_bessel_i0e(convert_to(x, "float32")), dtype)
    low, high = _TERMS[dtype]
    x = abs_p.bind(x)
    two = constant_like(x, 2)
    near = _chebyshev(sub_p.bind(mul_p.bind(x, constant_like(x, 0.5)), two), _TO_8[-low:])
    far = _chebyshev(sub_p.bind(div_p.bind(constant_like(x, 32), x), two), _FROM_8[-high:])
    return select_n_p.bind(le_p.bind(x, constant_like(x, 8)), div_p.bind(far, sqrt_p.bind(x)), near)


composed(bessel_i0e_p, _bessel_i0e)
for _primitive, _function in (
    (igamma_p, igamma_of), (igammac_p, igammac_of), (igamma_grad_a_p, igamma_grad_of),
    (regularized_incomplete_beta_p, betainc_of),
):  # fmt: skip
    composed(_primitive, in_one_shape(_function))
