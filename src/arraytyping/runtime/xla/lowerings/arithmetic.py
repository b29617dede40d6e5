"""Elementwise primitives.

Source: https://openxla.org/stablehlo/spec; CHLO, https://openxla.org/stablehlo/generated/chlo.
"""

from __future__ import annotations

import math
from typing import Any

from jaxlib.mlir.dialects import chlo, stablehlo as hlo

from arraytyping.runtime.lax import arithmetic, comparisons, complex_numbers, elementary, integers, powers, special
from arraytyping.runtime.lax.converting import convert_element_type_p
from arraytyping.runtime.xla.lowerings.building import broadcast, nary
from arraytyping.runtime.xla.types import splat, tensor_type
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray

for _primitive, _build in (
    (arithmetic.neg_p, hlo.negate),
    (arithmetic.add_p, hlo.add),
    (arithmetic.sub_p, hlo.subtract),
    (arithmetic.mul_p, hlo.multiply),
    (arithmetic.div_p, hlo.divide),
    (comparisons.is_finite_p, hlo.is_finite),
    (comparisons.nextafter_p, chlo.next_after),
    (complex_numbers.real_p, hlo.real),
    (complex_numbers.imag_p, hlo.imag),
    (complex_numbers.complex_p, hlo.complex),
    (elementary.exp_p, hlo.exponential),
    (elementary.expm1_p, hlo.exponential_minus_one),
    (elementary.log_p, hlo.log),
    (elementary.log1p_p, hlo.log_plus_one),
    (elementary.tan_p, hlo.tan),
    (elementary.asin_p, chlo.asin),
    (elementary.acos_p, chlo.acos),
    (elementary.atan_p, chlo.atan),
    (elementary.sinh_p, chlo.sinh),
    (elementary.cosh_p, chlo.cosh),
    (elementary.tanh_p, hlo.tanh),
    (elementary.asinh_p, chlo.asinh),
    (elementary.acosh_p, chlo.acosh),
    (elementary.atanh_p, chlo.atanh),
    (elementary.sqrt_p, hlo.sqrt),
    (elementary.rsqrt_p, hlo.rsqrt),
    (elementary.cbrt_p, hlo.cbrt),
    (elementary.atan2_p, hlo.atan2),
    (integers.bitwise_and_p, hlo.and_),
    (integers.bitwise_or_p, hlo.or_),
    (integers.bitwise_xor_p, hlo.xor),
    (integers.bitwise_not_p, hlo.not_),
    (integers.shift_left_p, hlo.shift_left),
    (integers.shift_right_arithmetic_p, hlo.shift_right_arithmetic),
    (integers.shift_right_logical_p, hlo.shift_right_logical),
    (integers.population_count_p, hlo.popcnt),
    (integers.clz_p, hlo.count_leading_zeros),
    (integers.floor_p, hlo.floor),
    (integers.ceil_p, hlo.ceil),
    (integers.rem_p, hlo.remainder),
    (special.lgamma_p, chlo.lgamma),
    (special.digamma_p, chlo.digamma),
    (special.polygamma_p, chlo.polygamma),
    (special.erf_p, chlo.erf),
    (special.erfc_p, chlo.erfc),
    (special.erf_inv_p, chlo.erf_inv),
    (special.bessel_i1e_p, chlo.bessel_i1e),
):
    nary(_primitive, _build)


def _compare(direction: str) -> Any:
    def lowering(cx: Any, avals_in: Any, aval_out: Any, x: Any, y: Any) -> Any:
        a, b = avals_in
        kind = KINDS[a.dtype]
        how = "FLOAT" if kind in "fc" else "SIGNED" if kind == "i" else "UNSIGNED"
        return hlo.compare(
            broadcast(x, a, aval_out.shape),
            broadcast(y, b, aval_out.shape),
            hlo.ComparisonDirectionAttr.get(direction),
            compare_type=hlo.ComparisonTypeAttr.get(how),
        )

    return lowering


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    getattr(comparisons, f"{_name}_p").lowering = _compare(_name.upper())


def _convert(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, new_dtype: str, weak_type: bool) -> Any:
    (aval,) = avals_in
    if aval.dtype == new_dtype:
        return x
    if new_dtype == "bool":
        return hlo.compare(x, splat(0, aval), hlo.ComparisonDirectionAttr.get("NE"))
    if aval.dtype.startswith("complex") and not new_dtype.startswith("complex"):
        x = hlo.real(x)
    return hlo.convert(tensor_type(aval_out), x)


def _conj(cx: Any, avals_in: Any, aval_out: ShapedArray, x: Any) -> Any:
    (aval,) = avals_in
    if not aval.dtype.startswith("complex"):
        return hlo.complex(x, hlo.negate(splat(0, aval)))
    return hlo.complex(hlo.real(x), hlo.negate(hlo.imag(x)))


def _abs(cx: Any, avals_in: Any, aval_out: ShapedArray, x: Any) -> Any:
    return hlo.abs(x)


def _sign(cx: Any, avals_in: Any, aval_out: ShapedArray, x: Any) -> Any:
    if KINDS[avals_in[0].dtype] != "u":
        return hlo.sign(x)
    is_zero = hlo.compare(x, splat(0, aval_out), hlo.ComparisonDirectionAttr.get("EQ"))
    return hlo.select(is_zero, splat(0, aval_out), splat(1, aval_out))


def _round(cx: Any, avals_in: Any, aval_out: ShapedArray, x: Any, *, rounding_method: int) -> Any:
    return hlo.round_nearest_even(x) if rounding_method else hlo.round_nearest_afz(x)


def _exp2(cx: Any, avals_in: Any, aval_out: ShapedArray, x: Any) -> Any:
    return hlo.exponential(hlo.multiply(splat(math.log(2), aval_out), x))  # as JAX has it


def _logistic(cx: Any, avals_in: Any, aval_out: ShapedArray, x: Any) -> Any:
    """Each step rounded to the dtype, as JAX has it; XLA's own operation computes in float32 what is narrower."""
    one = splat(1, aval_out)
    return hlo.divide(one, hlo.add(one, hlo.exponential(hlo.negate(x))))


def _square(cx: Any, avals_in: Any, aval_out: ShapedArray, x: Any) -> Any:
    return hlo.multiply(x, x) if KINDS[avals_in[0].dtype] in "iu" else chlo.square(x)


def _pow(cx: Any, avals_in: Any, aval_out: Any, x: Any, y: Any) -> Any:
    base, exponent = avals_in
    if base.dtype != exponent.dtype:
        exponent = ShapedArray(exponent.shape, base.dtype)
        y = hlo.convert(tensor_type(exponent), y)
    return hlo.power(broadcast(x, base, aval_out.shape), broadcast(y, exponent, aval_out.shape))


def _integer_pow(cx: Any, avals_in: Any, aval_out: ShapedArray, x: Any, *, y: int) -> Any:
    """By repeated squaring."""
    if y == 0:
        return splat(1, aval_out)
    power, base = abs(y), x
    result: Any = None
    while power:
        if power & 1:
            result = base if result is None else hlo.multiply(result, base)
        power >>= 1
        if power:
            base = hlo.multiply(base, base)
    return hlo.divide(splat(1, aval_out), result) if y < 0 else result


convert_element_type_p.lowering = _convert
complex_numbers.conj_p.lowering = _conj
integers.abs_p.lowering = _abs
integers.sign_p.lowering = _sign
integers.round_p.lowering = _round
elementary.exp2_p.lowering = _exp2
elementary.logistic_p.lowering = _logistic
arithmetic.square_p.lowering = _square
powers.pow_p.lowering = _pow
arithmetic.integer_pow_p.lowering = _integer_pow
