"""The error function and its kin, and the distribution function of normally distributed numbers.

Source: https://docs.jax.dev/en/latest/jax.scipy.html; the Cephes library, https://www.netlib.org/cephes/, `ndtri.c` and
`dawsn.c`; J. Weideman, "Computation of the complex error function", SIAM Journal on Numerical Analysis 31 (1994).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from arraytyping import lax
from arraytyping.numpy import exp, log, maximum, minimum, sign, sqrt, where
from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.promoting import is_complex
from arraytyping.runtime.array_likes import convert_to, materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.scipy.gamma_functions import operands

__all__ = ["dawsn", "erf", "erfc", "erfcx", "erfinv", "log_ndtr", "ndtr", "ndtri", "polynomial", "wofz"]


def polynomial(coefficients: Sequence[float], x: Any) -> Any:
    """The value of a polynomial, of which the coefficient of the highest power is first, by Horner's scheme."""
    result = lax.full_like(x, coefficients[0])
    for c in coefficients[1:]:
        result = result * x + c
    return result


@operation("scipy.special.erf", "x")
def erf(x: Any) -> Any:
    """`jax.scipy.special.erf`: the error function."""
    return lax.erf(*operands(x))


@operation("scipy.special.erfc", "x")
def erfc(x: Any) -> Any:
    """`jax.scipy.special.erfc`: 1 less the error function."""
    return lax.erfc(*operands(x))


@operation("scipy.special.erfinv", "x")
def erfinv(x: Any) -> Any:
    """`jax.scipy.special.erfinv`: the inverse of the error function."""
    return lax.erf_inv(*operands(x))


def _in_32_bits(function: Any, x: Any) -> Any:
    dtype = x.aval.dtype
    return function(x) if dtype in ("float32", "float64") else convert_to(function(convert_to(x, "float32")), dtype)


_FAR: Final = (7918.06640625, -1055.7421875, 162.421875, -29.53125, 6.5625, -1.875, 0.75, -0.5, 1.0)
"""(2k - 1)!! / (-2)^k, the coefficients of the asymptotic series."""


def _scaled_erfc(x: Any) -> Any:
    info = limits_of(x.aval.dtype)
    is_far = x > math.sqrt(math.log(float(info.max)))
    near = where(is_far, 1.0, x)
    far = polynomial(_FAR[-5 if x.aval.dtype == "float32" else -9 :], 1 / (x * x)) / (x * math.sqrt(math.pi))
    return where(is_far, far, exp(near * near) * lax.erfc(near))


@custom_jvp
def _erfcx(x: Any) -> Any:
    return _in_32_bits(_scaled_erfc, x)


_erfcx.defjvps(lambda g, ans, x: g * (2 * x * ans - 2 / math.sqrt(math.pi)))


@operation("scipy.special.erfcx", "x")
def erfcx(x: Any) -> Any:
    """`jax.scipy.special.erfcx`: exp(x^2) erfc(x)."""
    (x,) = operands(x)
    return _wofz(lax.complex(-x.imag, x.real)) if is_complex(x) else _erfcx(x)


@functools.cache
def _weideman(n: int) -> tuple[float, tuple[float, ...]]:
    """The scale, and the coefficients of a polynomial: a Fourier transform of what is to be approximated."""
    scale = math.sqrt(n / math.sqrt(2))
    t = scale * np.tan(np.arange(-2 * n + 1, 2 * n) * np.pi / (2 * n) / 2)
    values = np.concatenate([[0.0], np.exp(-(t**2)) * (scale**2 + t**2)])
    spectrum = np.real(np.fft.fft(np.fft.fftshift(values))) / (4 * n)
    return scale, tuple(spectrum[n:0:-1].tolist())


def _upper(z: Any) -> Any:
    scale, coefficients = _weideman(32)
    iz = lax.complex(-z.imag, z.real)
    below = scale - iz
    return 2 * polynomial(coefficients, (scale + iz) / below) / (below * below) + 1 / math.sqrt(math.pi) / below


@custom_jvp
def _wofz(z: Any) -> Any:
    is_upper = z.imag >= 0
    upper = _upper(where(is_upper, z, -z))
    return where(is_upper, upper, 2 * exp(-(z * z)) - upper)


_wofz.defjvps(lambda g, ans, z: g * (-(2 * z * ans) + 2j / math.sqrt(math.pi)))


@operation("scipy.special.wofz", "z")
def wofz(z: Any) -> Any:
    """`jax.scipy.special.wofz`: Faddeeva's function, exp(-z^2) erfc(-iz)."""
    (z,) = operands(z)
    if not is_complex(z):
        z = convert_to(z, "complex128" if z.aval.dtype == "float64" else "complex64")
    return _wofz(z)


_DAN: Final = (
    1.1368149897175597e-11,
    8.492622676674738e-10,
    1.9443420417555306e-08,
    9.531517412544844e-07,
    3.078283098749132e-06,
    0.00035251336852028877,
    -0.0008501498467244109,
    0.04226182230055466,
    -0.09174803717734524,
    1.0,
)
_DAD: Final = (
    2.403720730667626e-11,
    1.488646813684934e-09,
    5.212652810105416e-08,
    1.2725847827318697e-06,
    2.324902498207895e-05,
    0.00032552474182605793,
    0.003488058146571626,
    0.027944853119882897,
    0.15887424196012057,
    0.5749186294893204,
    1.0,
)
_DBN: Final = (
    0.5089551564179009,
    -0.24475441814269785,
    0.09415123353035344,
    -0.021871125514203903,
    0.003662076123295692,
    -0.0004232091144603888,
    3.5964130479389666e-05,
    -2.1464035171996896e-06,
    9.100107800763914e-08,
    -2.4027452082825098e-09,
    3.592333854409284e-11,
)
_DBD: Final = (
    1.0,
    -0.6318398698733682,
    0.2367067882282487,
    -0.053180636700322324,
    0.008480417185862954,
    -0.0009479967684866654,
    7.810255929445524e-05,
    -4.558751532524426e-06,
    1.8910035811142186e-07,
    -4.913246913319206e-09,
    7.184664032357345e-11,
)
_DCN: Final = (
    -0.5905928605347732,
    0.6292352427243688,
    -0.17285897538038814,
    0.016483704782518965,
    -0.0004868276130204627,
)
_DCD: Final = (
    1.0,
    -2.698200571975449,
    1.7327079904594784,
    -0.3937085822819395,
    0.03442789240412334,
    -0.0009736552260409412,
)


def _dawson(x: Any) -> Any:
    """Rational functions of three ranges."""
    size = abs(x)
    is_near, is_far = size < 3.25, size >= 6.25
    s = where(is_near, size, 1.0)
    near = s * polynomial(_DAN, s * s) / polynomial(_DAD, s * s)
    between = ~is_near & ~is_far
    found = []
    for here, above, below in ((between, _DBN, _DBD), (is_far, _DCN, _DCD)):
        own = where(here, size, 1.0)
        t = where(here, 1 / (size * size), 1.0)
        found.append(0.5 / own * (1 + t * polynomial(above, t) / polynomial(below, t)))
    return sign(x) * where(is_near, near, where(is_far, found[1], found[0]))


@custom_jvp
def _dawsn(x: Any) -> Any:
    return _in_32_bits(_dawson, x)


_dawsn.defjvps(lambda g, ans, x: g * (1 - 2 * x * ans))


@operation("scipy.special.dawsn", "x")
def dawsn(x: Any) -> Any:
    """`jax.scipy.special.dawsn`: Dawson's integral, exp(-x^2) times that of exp(t^2)."""
    return _dawsn(*operands(x))


def _ndtr(x: Any) -> Any:
    half_root = 0.5 * math.sqrt(2)
    w = x * half_root
    size = abs(w)
    far = where(w > 0, 2 - lax.erfc(size), lax.erfc(size))
    return 0.5 * where(size < half_root, 1 + lax.erf(w), far)


@operation("scipy.special.ndtr", "x")
def ndtr(x: Any) -> Any:
    """`jax.scipy.special.ndtr`: how likely a normally distributed number is less than x."""
    return _ndtr(materialized(asarray(x)))


_P0: Final = (-5.99633501014107895267e1, 9.80010754185999661536e1, -5.66762857469070293439e1, 1.39312609387279679503e1,
              -1.23916583867381258016e0)  # fmt: skip
_Q0: Final = (1.0, 1.95448858338141759834e0, 4.67627912898881538453e0, 8.63602421390890590575e1,
              -2.25462687854119370527e2, 2.00260212380060660359e2, -8.20372256168333339912e1, 1.59056225126211695515e1,
              -1.18331621121330003142e0)  # fmt: skip
_P1: Final = (4.05544892305962419923e0, 3.15251094599893866154e1, 5.71628192246421288162e1, 4.40805073893200834700e1,
              1.46849561928858024014e1, 2.18663306850790267539e0, -1.40256079171354495875e-1,
              -3.50424626827848203418e-2, -8.57456785154685413611e-4)  # fmt: skip
_Q1: Final = (1.0, 1.57799883256466749731e1, 4.53907635128879210584e1, 4.13172038254672030440e1,
              1.50425385692907503408e1, 2.50464946208309415979e0, -1.42182922854787788574e-1,
              -3.80806407691578277194e-2, -9.33259480895457427372e-4)  # fmt: skip
_P2: Final = (3.23774891776946035970e0, 6.91522889068984211695e0, 3.93881025292474443415e0, 1.33303460815807542389e0,
              2.01485389549179081538e-1, 1.23716634817820021358e-2, 3.01581553508235416007e-4,
              2.65806974686737550832e-6, 6.23974539184983293730e-9)  # fmt: skip
_Q2: Final = (1.0, 6.02427039364742014255e0, 3.67983563856160859403e0, 1.37702099489081330271e0,
              2.16236993594496635890e-1, 1.34204006088543189037e-2, 3.28014464682127739104e-4,
              2.89247864745380683936e-6, 6.79019408009981274425e-9)  # fmt: skip


@operation("scipy.special.ndtri", "p")
def ndtri(p: Any) -> Any:
    """`jax.scipy.special.ndtri`: less than which number a normally distributed one is with probability p."""
    p = materialized(p)
    tail = math.exp(-2.0)
    rest = where(p > 1 - tail, 1 - p, p)
    rest = where(rest == 0, 0.5, rest)
    w = rest - 0.5
    middle = (w + w * w * w * (polynomial(_P0, w * w) / polynomial(_Q0, w * w))) * -math.sqrt(2 * math.pi)
    z = sqrt(-2.0 * log(rest))
    first = z - log(z) / z
    far = first - polynomial(_P2, 1 / z) / polynomial(_Q2, 1 / z) / z
    near = first - polynomial(_P1, 1 / z) / polynomial(_Q1, 1 / z) / z
    x = where(rest > tail, middle, where(z >= 8, far, near))
    x = where(p > 1 - tail, x, -x)
    return where(p == 0, -np.inf, where(p == 1, np.inf, x))


_SEGMENTS: Final = {"float32": (-10.0, 5.0), "float64": (-20.0, 8.0)}


def _log_ndtr_value(series_order: int, x: Any) -> Any:
    lower, upper = _SEGMENTS[x.aval.dtype]
    is_upper = x > upper
    probability = _ndtr(where(is_upper, -x, maximum(x, lower)))
    far = minimum(x, lower)
    series: Any = 1.0
    factor, square = 1.0, far * far
    power: Any = square
    for n in range(1, series_order + 1):
        factor *= -(2 * n - 1)
        series = series + factor / power
        power = power * square
    lowest = -0.5 * square - log(-far) - 0.5 * math.log(2 * math.pi) + log(series)
    return where(is_upper, -probability, where(x > lower, log(probability), lowest))


_log_ndtr = custom_jvp(_log_ndtr_value, nondiff_argnums=(0,))


@_log_ndtr.defjvp
def _log_ndtr_jvp(series_order: int, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    result = _log_ndtr(series_order, x)
    return result, t * exp(-0.5 * (x * x) - 0.5 * math.log(2 * math.pi) - result)


@operation("scipy.special.log_ndtr", "x")
def log_ndtr(x: Any, series_order: int = 3) -> Any:
    """`jax.scipy.special.log_ndtr`: the logarithm of `ndtr`, exact where that is small."""
    return _log_ndtr(int(series_order), materialized(asarray(x)))
