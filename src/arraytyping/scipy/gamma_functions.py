"""The gamma function and its kin: logarithms, derivatives, incomplete ones, and what is made of them.

Source: https://docs.jax.dev/en/latest/jax.scipy.html; C. Lanczos, "A precision approximation of the gamma function",
SIAM Journal on Numerical Analysis 1 (1964); A. DiDonato, A. Morris, "Algorithm 708", ACM TOMS 18 (1992), for the
logarithm of the beta function of great arguments.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np

from arraytyping import lax
from arraytyping.numpy import (
    arange,
    ceil,
    cumprod,
    exp,
    expand_dims,
    floor,
    isnan,
    log,
    log1p,
    maximum,
    minimum,
    sin,
    where,
)
from arraytyping.numpy.conversion import array
from arraytyping.numpy.promoting import is_complex, one_shape, promoted_inexact
from arraytyping.runtime.array_likes import array_from, concrete_int, materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.control_flow.while_loop import while_loop
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.runtime.transformations.differentiation import jvp

__all__ = [
    "bernoulli", "beta", "betainc", "betaln", "comb", "digamma", "factorial", "gamma", "gammainc", "gammaincc",
    "gammaln", "gammasgn", "loggamma", "multigammaln", "operands", "poch", "polygamma", "zeta",
]  # fmt: skip


def operands(*xs: Any) -> list[Any]:
    """The arguments as arrays of one inexact dtype and one shape."""
    arrays = [materialized(x) for x in promoted_inexact(*map(array_from, xs))]
    return one_shape(*arrays) if len(arrays) > 1 else arrays


@operation("scipy.special.gammaln", "x")
def gammaln(x: Any) -> Any:
    """`jax.scipy.special.gammaln`: the logarithm of the absolute value of the gamma function."""
    return lax.lgamma(*operands(x))


@operation("scipy.special.digamma", "x")
def digamma(x: Any) -> Any:
    """`jax.scipy.special.digamma`: the derivative of the logarithm of the gamma function."""
    return lax.digamma(*operands(x))


def _sign(x: Any) -> Any:
    whole = floor(x)
    is_negative = x < 0
    undefined = (is_negative & (x == whole)) | isnan(x)
    minus_zero = (x == 0) & (1 / where(x == 0, x, 1) < 0)
    return where(undefined, np.nan, where((is_negative & (whole % 2 != 0)) | minus_zero, -1.0, lax.full_like(x, 1)))


@operation("scipy.special.gammasgn", "x")
def gammasgn(x: Any) -> Any:
    """`jax.scipy.special.gammasgn`: the sign of the gamma function."""
    return _sign(*operands(x))


_LANCZOS: Final = (
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
)  # fmt: skip
_BETWEEN: Final = 7.5


def _lanczos(z: Any) -> Any:
    """The logarithm of the gamma function of complex numbers: Lanczos' sum, and the reflection of the left half."""
    is_left = z.real < 0.5
    right = where(is_left, 1 - z, z) - 1
    total = _LANCZOS[0] + sum(c / (right + k) for k, c in enumerate(_LANCZOS[1:], 1))
    t = right + _BETWEEN
    result = 0.5 * math.log(2 * math.pi) + (right + 0.5) * log(t) - t + log(total)
    reflected = math.log(math.pi) - log(sin(math.pi * where(is_left, z, 0.5))) - result
    return where(is_left, reflected, result)


def _safe(z: Any) -> tuple[Any, Any]:
    """Where the gamma function has no value, and the numbers with 1 there."""
    is_pole = (z.imag == 0) & (z.real == floor(z.real)) & (z.real <= 0)
    nowhere = is_pole | isnan(z)
    return nowhere, where(nowhere, 1, z)


def _loggamma_complex(z: Any) -> Any:
    """The branch that is real on the positive numbers: of the right half, by steps of 1."""
    nowhere, z = _safe(z)
    steps = maximum(0, ceil(0.5 - z.real))

    def step(carry: Any) -> Any:
        k, total = carry
        is_left = k < steps
        return k + 1, total + where(is_left, log(where(is_left, z + k, 1)), 0)

    first = np.zeros((), z.real.dtype)
    _, total = while_loop(lambda carry: (carry[0] < steps).any(), step, (first, lax.full_like(z, 0)))
    return where(nowhere, complex(np.nan, np.nan), _lanczos(z + steps) - total)


@operation("scipy.special.loggamma", "x")
def loggamma(x: Any) -> Any:
    """`jax.scipy.special.loggamma`: the logarithm of the gamma function; NaN where that is negative."""
    (x,) = operands(x)
    return _loggamma_complex(x) if is_complex(x) else where(x > 0, lax.lgamma(x), np.nan)


def gamma_of(x: Any) -> Any:
    """The gamma function."""
    if is_complex(x):
        nowhere, z = _safe(x)
        return where(nowhere, complex(np.nan, np.nan), exp(_lanczos(z)))
    return _sign(x) * exp(lax.lgamma(x))


@operation("scipy.special.gamma", "x")
def gamma(x: Any) -> Any:
    """`jax.scipy.special.gamma`: the gamma function."""
    return gamma_of(*operands(x))


@operation("scipy.special.factorial", "n")
def factorial(n: Any, exact: bool = False) -> Any:
    """`jax.scipy.special.factorial`: the gamma function of one more, 0 of negative numbers."""
    (n,) = operands(n)
    return where(n < 0, 0, exp(lax.lgamma(n + 1)))


def _combinations(n: Any, k: Any) -> Any:
    fits = (k <= n) & (n >= 0) & (k >= 0)
    n, k = where(fits, n, 0.0), where(fits, k, 0.0)
    return where(fits, exp(lax.lgamma(n + 1) - lax.lgamma(k + 1) - lax.lgamma(n + 1 - k)), 0.0)


@operation("scipy.special.comb", "N", "k")
def comb(N: Any, k: Any, *, repetition: bool = False) -> Any:
    """`jax.scipy.special.comb`: how many choices of `k` of `N` things there are."""
    n, k = operands(N, k)
    if repetition:
        return where((k == 0) & (n >= 0), 1.0, _combinations(n + k - 1, k))
    return _combinations(n, k)


_DELTA: Final = (
    -0.165322962780713e-02, 0.837308034031215e-03, -0.595202931351870e-03, 0.793650666825390e-03,
    -0.277777777760991e-02, 0.833333333333333e-01,
)  # fmt: skip
"""Of Stirling's series, the highest power first."""


def _log_quotient(a: Any, b: Any) -> Any:
    """log(Gamma(b) / Gamma(a + b)), where b is at least 8 and a not greater: the functions are nearly equal."""
    x = (a / b) / (1 + a / b)
    sums = [1.0]
    for _ in range(5):  # (1 - x^n) / (1 - x) of n = 1, 3, ... 11
        sums.append(1.0 + (x + x * x * sums[-1]))
    t = (1.0 / b) ** 2
    w: Any = 0.0
    for c, s in zip(_DELTA, reversed(sums)):
        w = w * t + c * s
    w = w * (x / b)
    u, v = (b + (a - 0.5)) * log1p(a / b), a * (log(b) - 1.0)
    return where(u <= v, (w - v) - u, (w - u) - v)


def _betaln(a: Any, b: Any) -> Any:
    a, b = minimum(a, b), maximum(a, b)
    of_a = lax.lgamma(a)
    return where(b < 8, of_a + (lax.lgamma(b) - lax.lgamma(a + b)), of_a + _log_quotient(a, b))


@operation("scipy.special.betaln", "a", "b")
def betaln(a: Any, b: Any) -> Any:
    """`jax.scipy.special.betaln`: the logarithm of the absolute value of the beta function."""
    return _betaln(*operands(a, b))


@operation("scipy.special.beta", "a", "b")
def beta(a: Any, b: Any) -> Any:
    """`jax.scipy.special.beta`: the beta function."""
    a, b = operands(a, b)
    return _sign(a) * _sign(b) * _sign(a + b) * exp(_betaln(a, b))


@operation("scipy.special.betainc", "a", "b", "x")
def betainc(a: Any, b: Any, x: Any) -> Any:
    """`jax.scipy.special.betainc`: the regularized incomplete beta function."""
    return lax.betainc(*operands(a, b, x))


@operation("scipy.special.gammainc", "a", "x")
def gammainc(a: Any, x: Any) -> Any:
    """`jax.scipy.special.gammainc`: the regularized lower incomplete gamma function."""
    return lax.igamma(*operands(a, x))


@operation("scipy.special.gammaincc", "a", "x")
def gammaincc(a: Any, x: Any) -> Any:
    """`jax.scipy.special.gammaincc`: the regularized upper incomplete gamma function."""
    return lax.igammac(*operands(a, x))


@custom_jvp
def _poch(z: Any, m: Any) -> Any:
    return where(m == 0, 1, gamma_of(z + m) / gamma_of(z))


_poch.defjvps(
    lambda g, ans, z, m: (lax.digamma(z + m) - lax.digamma(z)) * ans * g,
    lambda g, ans, z, m: lax.digamma(z + m) * ans * g,
)


@operation("scipy.special.poch", "z", "m")
def poch(z: Any, m: Any) -> Any:
    """`jax.scipy.special.poch`: Pochhammer's symbol, Gamma(z + m) / Gamma(z)."""
    return _poch(*operands(z, m))


@operation("scipy.special.multigammaln", "a")
def multigammaln(a: Any, d: Any) -> Any:
    """`jax.scipy.special.multigammaln`: the logarithm of the gamma function of dimension `d`."""
    d = int(d)
    (a,) = operands(a)
    steps = arange(d, dtype=a.aval.dtype) / 2
    terms = lax.lgamma(expand_dims(a, -1) - steps)
    return terms.sum(-1) + 0.25 * d * (d - 1) * math.log(math.pi)


@operation("scipy.special.polygamma", "n", "x")
def polygamma(n: Any, x: Any) -> Any:
    """`jax.scipy.special.polygamma`: the derivative of order `n` of the digamma function."""
    return lax.polygamma(*operands(n, x))


def _divisors(count: int) -> list[float]:
    """(2k)! / B_2k of k from 1 on, which Euler and Maclaurin's sum divides by."""
    numbers = [Fraction(1)]
    for n in range(1, 2 * count + 1):
        numbers.append(-sum((math.comb(n + 1, k) * numbers[k] for k in range(n)), Fraction(0)) / (n + 1))
    return [float(math.factorial(n) / numbers[n]) for n in range(2, 2 * count + 1, 2)]


def _zeta_series(x: Any, q: Any) -> Any:
    """The sum by Euler and Maclaurin, which can be differentiated by both arguments."""
    dtype = q.aval.dtype
    n = 8 if dtype == "float32" else 16
    first = sum((q + k) ** -x for k in range(n))
    integral = (q + n) ** (1 - x) / (x - 1)
    ratios = (expand_dims(x, -1) + arange(2 * n, dtype=dtype)) / expand_dims(q + n, -1)
    terms = cumprod(ratios, -1)[..., ::2].clip(max=float(limits_of(dtype).max))
    rest = (terms / np.array(_divisors(n), dtype)).sum(-1)
    return first + integral + (q + n) ** -x * (0.5 + rest)


@custom_jvp
def _zeta(x: Any, q: Any) -> Any:
    return lax.zeta(x, q)


@_zeta.defjvp
def _zeta_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    return jvp(_zeta_series, tuple(primals), tuple(tangents))  # type: ignore[no-any-return]


@operation("scipy.special.zeta", "x", "q")
def zeta(x: Any, q: Any = None) -> Any:
    """`jax.scipy.special.zeta`: Hurwitz' zeta function, the sum of (q + k)^-x."""
    return _zeta(*operands(x, q))


@functools.cache
def _even_numbers(n: int) -> list[float]:
    """Bernoulli's numbers by the sum of powers, which float64 holds to all digits."""
    found = [1.0, -0.5, 1 / 6] + [0.0] * (n - 2)
    product = 1.0 / np.pi**2
    for m in range(4, n + 1, 2):
        product *= -(m - 1) * m / 4 / np.pi**2
        found[m] = product * (1 + sum(float(k) ** -m for k in range(2, 50)))
    return found[: n + 1]


def bernoulli(n: int) -> Any:
    """`jax.scipy.special.bernoulli`: the first `n` + 1 of Bernoulli's numbers.

    Raises:
        TypeError: if `n` is no integer.
        ValueError: if it is negative.
    """
    n = concrete_int(n, "the argument n of bernoulli")
    if n < 0:
        raise ValueError(f"bernoulli: n must be a non-negative integer, got {n}")
    return array(_even_numbers(n), dtype=float)
