"""The logarithm of a sum of exponentials, without overflow.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.logaddexp.html; `logaddexp` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/other.py.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.runtime.lax.arithmetic import add_p, constant_like, mul_p, neg_p, sub_p
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import eq_p, lt_p, max_p, ne_p
from arraytyping.runtime.lax.complex_numbers import complex_p, imag_p, real_p
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.elementary import exp_p, log1p_p
from arraytyping.runtime.lax.integers import abs_p, rem_p

__all__ = ["logaddexp_of", "without_infinity"]


def logaddexp_of(x: Any, y: Any) -> Any:
    """log(exp(x) + exp(y)) of two arrays of one shape; of complex numbers with the imaginary part within pi."""
    greatest = max_p.bind(x, y)
    if not x.aval.dtype.startswith("complex"):
        difference = sub_p.bind(x, y)
        ordinary = add_p.bind(greatest, log1p_p.bind(exp_p.bind(neg_p.bind(abs_p.bind(difference)))))
        # NaNs, or infinities of one sign
        return select_n_p.bind(ne_p.bind(difference, difference), ordinary, add_p.bind(x, y))
    difference = sub_p.bind(add_p.bind(x, y), mul_p.bind(greatest, constant_like(greatest, 2)))
    result = add_p.bind(greatest, log1p_p.bind(exp_p.bind(difference)))
    return complex_p.bind(real_p.bind(result), _within_pi(imag_p.bind(result)))


def _within_pi(x: Any) -> Any:
    """The angle between -pi and pi."""
    pi, turn = constant_like(x, math.pi), constant_like(x, 2 * math.pi)
    rest = rem_p.bind(add_p.bind(x, pi), turn)
    negative = lt_p.bind(rest, constant_like(rest, 0))
    return sub_p.bind(select_n_p.bind(negative, rest, add_p.bind(rest, turn)), pi)


def without_infinity(x: Any) -> Any:
    """The array with 0 in the place of infinity, so that differences of infinities are none."""
    real = real_p.bind(x) if x.aval.dtype.startswith("complex") else x
    return select_n_p.bind(eq_p.bind(real, constant_like(real, math.inf)), x, zeros_of(x.aval))
