"""Complex numbers and their parts, elementwise.

Source: https://docs.jax.dev/en/latest/jax.lax.html; tangents are those of the real and the imaginary part.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import constant_like, div_p, mul_p, neg_p
from arraytyping.runtime.lax.making import binary_function, unary_function
from arraytyping.runtime.lax.nary import elementwise, unbroadcast
from arraytyping.runtime.tracing.transposing import is_linear

__all__ = ["complex", "conj", "imag", "real"]

real_p: Primitive = elementwise("real", lambda g, ans, x: real_p.bind(g))
imag_p: Primitive = elementwise("imag", lambda g, ans, x: imag_p.bind(g))
complex_p: Primitive = elementwise(
    "complex",
    lambda g, ans, x, y: complex_p.bind(g, constant_like(g, 0)),
    lambda g, ans, x, y: complex_p.bind(constant_like(g, 0), g),
)
conj_p: Primitive = elementwise("conj", lambda g, ans, x: conj_p.bind(g))

real_p.transpose_rule = lambda ct, x: [complex_p.bind(ct, constant_like(ct, 0, weak_type=False))]
imag_p.transpose_rule = lambda ct, x: [complex_p.bind(constant_like(ct, 0, weak_type=False), neg_p.bind(ct))]
complex_p.transpose_rule = lambda ct, x, y: [
    unbroadcast(real_p.bind(ct), x.aval) if is_linear(x) else None,
    unbroadcast(neg_p.bind(imag_p.bind(ct)), y.aval) if is_linear(y) else None,
]
conj_p.transpose_rule = lambda ct, x: [
    conj_p.bind(ct) if x.aval.dtype.startswith("complex") else real_p.bind(conj_p.bind(ct))
]


def abs_tangent(g: Any, ans: Any, x: Any) -> Any:
    """The tangent of the absolute value, 0 at 0."""
    from arraytyping.runtime.lax.choices import select_n_p
    from arraytyping.runtime.lax.comparisons import eq_p

    at_zero = eq_p.bind(ans, constant_like(ans, 0))
    safe = select_n_p.bind(at_zero, ans, ones_like(ans))
    return div_p.bind(real_p.bind(mul_p.bind(g, conj_p.bind(x))), safe)


def ones_like(x: Any) -> Any:
    """Ones of the dtype and shape of an array."""
    from arraytyping.runtime.lax.creation import full_of

    return full_of(1, x.aval)


real: Final = unary_function(real_p)
imag: Final = unary_function(imag_p)
complex: Final = binary_function(complex_p)


@operation("lax.conj", "x", how="inline")
def conj(x: Any) -> Any:
    """`jax.lax.conj`: the complex conjugate; of a real array as a complex one."""
    return conj_p.bind(x)
