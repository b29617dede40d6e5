"""Functions of complex numbers by functions of their parts, where XLA's own lose digits or signs of zero.

Source: the formulas of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py, `_sin_complex` and `_cos_complex`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, mul_p, neg_p, sub_p
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import eq_p, max_p, min_p
from arraytyping.runtime.lax.complex_numbers import complex_p, imag_p, real_p
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.elementary import cos_p, expm1_p, sin_p
from arraytyping.runtime.xla.lowerings.building import nary
from arraytyping.runtime.xla.lowerings.composing import built
from arraytyping.runtime.xla.lowerings.reductions import greater, lesser


def _hyperbolic(x: Any) -> tuple[Any, Any]:
    """The hyperbolic sine and cosine, by way of `expm1`, which is exact near 0."""
    two = constant_like(x, 2)
    up, down = expm1_p.bind(x), expm1_p.bind(neg_p.bind(x))
    return div_p.bind(sub_p.bind(up, down), two), div_p.bind(add_p.bind(add_p.bind(up, down), two), two)


def _sine(x: Any) -> Any:
    a, b = real_p.bind(x), imag_p.bind(x)
    sinh, cosh = _hyperbolic(b)
    real, imaginary = mul_p.bind(sin_p.bind(a), cosh), mul_p.bind(cos_p.bind(a), sinh)
    # 0 where a is, also if cosh is infinite
    at_zero = eq_p.bind(a, constant_like(a, 0))
    return select_n_p.bind(at_zero, complex_p.bind(real, imaginary), complex_p.bind(zeros_of(a.aval), imaginary))


def _cosine(x: Any) -> Any:
    a, b = real_p.bind(x), imag_p.bind(x)
    sinh, cosh = _hyperbolic(b)
    real, imaginary = mul_p.bind(cos_p.bind(a), cosh), mul_p.bind(neg_p.bind(sin_p.bind(a)), sinh)
    at_zero = eq_p.bind(a, constant_like(a, 0))
    return select_n_p.bind(at_zero, complex_p.bind(real, imaginary), complex_p.bind(real, zeros_of(a.aval)))


def _by_parts(primitive: Primitive, function: Callable[[Any], Any], of_real: Callable[[Any], Any]) -> None:
    def lowering(cx: Any, avals_in: Any, aval_out: Any, x: Any) -> Any:
        if not avals_in[0].dtype.startswith("complex"):
            return of_real(x)
        return built(cx, function, avals_in, [x])

    primitive.lowering = lowering


_by_parts(sin_p, _sine, hlo.sine)
_by_parts(cos_p, _cosine, hlo.cosine)
nary(max_p, greater)
nary(min_p, lesser)
