"""Elementary functions, elementwise: exponentials, trigonometric and hyperbolic functions, roots.

Source: https://docs.jax.dev/en/latest/jax.lax.html; the derivatives, any table of derivatives, of the complex
functions too.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import (
    add_p,
    constant_like,
    div_p,
    integer_pow_p,
    mul_p,
    neg_p,
    square_p,
    sub_p,
)
from arraytyping.runtime.lax.making import accurate_function, binary_function, unary_function
from arraytyping.runtime.lax.nary import elementwise

__all__ = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp", "exp2", "expm1",
    "log", "log1p", "logistic", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh",
]  # fmt: skip


def _one_minus(x: Any) -> Any:
    return sub_p.bind(constant_like(x, 1), x)


def _one_plus(x: Any) -> Any:
    return add_p.bind(constant_like(x, 1), x)


exp_p: Primitive = elementwise("exp", lambda g, ans, x: mul_p.bind(g, ans))
exp2_p: Primitive = elementwise(
    "exp2", lambda g, ans, x: mul_p.bind(log_p.bind(constant_like(x, 2)), mul_p.bind(g, ans))
)
expm1_p: Primitive = elementwise("expm1", lambda g, ans, x: mul_p.bind(g, _one_plus(ans)))
log_p: Primitive = elementwise("log", lambda g, ans, x: div_p.bind(g, x))
log1p_p: Primitive = elementwise("log1p", lambda g, ans, x: div_p.bind(g, _one_plus(x)))
sin_p: Primitive = elementwise("sin", lambda g, ans, x: mul_p.bind(g, cos_p.bind(x)))
cos_p: Primitive = elementwise("cos", lambda g, ans, x: neg_p.bind(mul_p.bind(g, sin_p.bind(x))))
tan_p: Primitive = elementwise("tan", lambda g, ans, x: mul_p.bind(g, _one_plus(square_p.bind(ans))))
asin_p: Primitive = elementwise("asin", lambda g, ans, x: mul_p.bind(g, rsqrt_p.bind(_one_minus(square_p.bind(x)))))
acos_p: Primitive = elementwise(
    "acos", lambda g, ans, x: mul_p.bind(g, neg_p.bind(rsqrt_p.bind(_one_minus(square_p.bind(x)))))
)
atan_p: Primitive = elementwise("atan", lambda g, ans, x: div_p.bind(g, _one_plus(square_p.bind(x))))
sinh_p: Primitive = elementwise("sinh", lambda g, ans, x: mul_p.bind(g, cosh_p.bind(x)))
cosh_p: Primitive = elementwise("cosh", lambda g, ans, x: mul_p.bind(g, sinh_p.bind(x)))
tanh_p: Primitive = elementwise(
    "tanh", lambda g, ans, x: mul_p.bind(add_p.bind(g, mul_p.bind(g, ans)), _one_minus(ans))
)
asinh_p: Primitive = elementwise("asinh", lambda g, ans, x: mul_p.bind(g, rsqrt_p.bind(_one_plus(square_p.bind(x)))))
acosh_p: Primitive = elementwise(
    "acosh", lambda g, ans, x: mul_p.bind(g, rsqrt_p.bind(sub_p.bind(square_p.bind(x), constant_like(x, 1))))
)
atanh_p: Primitive = elementwise(
    "atanh",
    lambda g, ans, x: mul_p.bind(integer_pow_p.bind(_one_plus(x), y=-1), div_p.bind(g, _one_minus(x))),
)
logistic_p: Primitive = elementwise("logistic", lambda g, ans, x: mul_p.bind(g, mul_p.bind(ans, _one_minus(ans))))
sqrt_p: Primitive = elementwise("sqrt", lambda g, ans, x: mul_p.bind(g, div_p.bind(constant_like(x, 0.5), ans)))
rsqrt_p: Primitive = elementwise(
    "rsqrt", lambda g, ans, x: mul_p.bind(g, mul_p.bind(constant_like(x, -0.5), div_p.bind(ans, x)))
)
cbrt_p: Primitive = elementwise(
    "cbrt", lambda g, ans, x: mul_p.bind(g, mul_p.bind(constant_like(x, 1 / 3), integer_pow_p.bind(ans, y=-2)))
)
atan2_p: Primitive = elementwise(
    "atan2",
    lambda g, ans, x, y: mul_p.bind(g, div_p.bind(y, add_p.bind(square_p.bind(x), square_p.bind(y)))),
    lambda g, ans, x, y: mul_p.bind(g, div_p.bind(neg_p.bind(x), add_p.bind(square_p.bind(x), square_p.bind(y)))),
)


exp: Final = accurate_function(exp_p)
exp2: Final = accurate_function(exp2_p)
expm1: Final = accurate_function(expm1_p)
log: Final = accurate_function(log_p)
log1p: Final = accurate_function(log1p_p)
logistic: Final = accurate_function(logistic_p)
sin: Final = accurate_function(sin_p)
cos: Final = accurate_function(cos_p)
tan: Final = accurate_function(tan_p)
tanh: Final = accurate_function(tanh_p)
sqrt: Final = accurate_function(sqrt_p)
rsqrt: Final = accurate_function(rsqrt_p)
cbrt: Final = accurate_function(cbrt_p)
asin: Final = unary_function(asin_p)
acos: Final = unary_function(acos_p)
atan: Final = unary_function(atan_p)
sinh: Final = unary_function(sinh_p)
cosh: Final = unary_function(cosh_p)
asinh: Final = unary_function(asinh_p)
acosh: Final = unary_function(acosh_p)
atanh: Final = unary_function(atanh_p)
atan2: Final = binary_function(atan2_p)
