"""Functions of SciPy that only compute, as in runs: for known arguments, and for arrays of known dtypes and shapes."""

from __future__ import annotations

import pytest
from flow_values import interpreted, is_known, run, wrong_claims

from arraytyping.checker.flow.state.showing import show

PROGRAM = """
import numpy as np, scipy.stats, scipy.special, scipy.linalg, scipy.signal, scipy.optimize, scipy.integrate
from scipy.stats import norm, truncnorm
import jax.numpy as jnp
import sys
n = len(sys.path)
x = np.random.rand(7)
f = x.astype('float32')
k = np.random.randint(0, 9, (4, 5))
M = np.random.rand(3, 3) + 3 * np.eye(3)
F = M.astype('float32')
S = np.random.rand(n, 5)
s = float(np.random.rand())
a = (
    norm.cdf(s),
    norm.cdf(x),
    norm.cdf(f),
    norm.pdf(k),
    norm.cdf(x, loc=1, scale=2),
    norm.ppf(S),
    norm.cdf(S, x[:5]),
    norm.logpdf(np.float32(1.5)),
)
b = (
    truncnorm.std(a=-2, b=2, loc=0.0, scale=1.0),
    scipy.stats.gamma.mean(2.0),
    scipy.stats.binom.cdf(2, 5, 0.4),
    scipy.stats.poisson.pmf(k, 3.0),
)
c = (
    scipy.special.logsumexp(x),
    scipy.special.logsumexp(k, axis=1),
    scipy.special.logsumexp(f),
    scipy.special.softmax(S, axis=-1),
    scipy.special.softmax(f),
    scipy.special.log_softmax(k, axis=0),
)
d = (
    scipy.linalg.expm(M),
    scipy.linalg.expm(F),
    scipy.linalg.inv(F),
    scipy.linalg.pinv(np.random.rand(4, 2)),
    scipy.linalg.det(M),
    scipy.linalg.solve(M, np.random.rand(3)),
    scipy.linalg.toeplitz(f),
    scipy.linalg.circulant(k[0]),
    scipy.linalg.block_diag(M, k),
)
e = (
    scipy.linalg.eigh(F),
    scipy.linalg.eigvalsh(M),
    scipy.linalg.svd(np.random.rand(4, 2), full_matrices=False),
    scipy.linalg.qr(F),
    scipy.linalg.lu(M),
    scipy.linalg.norm(F),
    scipy.linalg.norm(M, axis=1),
    scipy.linalg.solve_triangular(M, M, lower=True),
    scipy.linalg.cholesky(F @ F.T, lower=True),
    scipy.linalg.svdvals(F),
)
g = (
    scipy.signal.convolve(x, x[:3]),
    scipy.signal.fftconvolve(k, k, mode='same'),
    scipy.signal.convolve(k, k),
    scipy.signal.correlate(f, f),
)
h = (
    scipy.optimize.brentq(lambda t: t - 0.3, 0, 1),
    scipy.integrate.quad(lambda t: t, 0, 1),
    scipy.optimize.bisect(lambda t: t - 0.3, 0, 1, xtol=0.001),
)
i = (
    scipy.special.factorial(5),
    scipy.special.factorial(k),
    scipy.special.comb(5, 2),
    scipy.special.comb(5, 2, exact=True),
    scipy.linalg.hadamard(4),
    scipy.signal.windows.hann(16),
    scipy.signal.butter(2, 0.2),
    scipy.signal.get_window('hann', 8),
    scipy.linalg.sqrtm(np.eye(2)),
)
j = jnp.ones(3) / truncnorm.std(a=-2, b=2)
l = scipy.linalg.inv(M, overwrite_a=True)
w = norm.cdf(jnp.ones(3))
"""
KNOWN = """
import scipy.stats, scipy.special, scipy.signal
import numpy as np
a = scipy.stats.truncnorm.std(a=-2, b=2, loc=0.0, scale=1.0)
b = scipy.stats.norm.ppf(0.975), scipy.special.factorial(5), scipy.special.comb(5, 2, exact=True)
c = scipy.signal.windows.hann(4)
"""


@pytest.mark.parametrize("program", [PROGRAM, KNOWN])
def test_what_scipy_gives(program: str) -> None:
    pytest.importorskip("scipy")
    variables, result = interpreted(program)
    assert not result.crashes, result.crashes
    assert not result.diagnostics
    assert wrong_claims(program, variables, run(program)) == []
    left = {n for n, v in variables.items() if n in "abcdeghj" and any("something" in show(p) for p in _parts(v))}
    assert not left
    if program is KNOWN:
        assert all(is_known(variables[name]) for name in "abc")


def _parts(value: object) -> list[object]:
    return [part for one in value for part in _parts(one)] if isinstance(value, tuple) else [value]


NOT_KNOWN = [
    "scipy.linalg.inv(M, overwrite_a=True)",
    "scipy.stats.norm.rvs(size=3)",
    "scipy.special.factorial(np.random.randint(0, 9, 3), exact=True)",
    "scipy.linalg.sqrtm(M)",
    "scipy.stats.norm.cdf(np.load('x.npy'))",
    "scipy.stats.norm.cdf(np.random.rand(len(sys.path)), np.random.rand(len(sys.modules)))",
    "scipy.optimize.brentq(lambda t: t, -1, 1, full_output=True)",
]


@pytest.mark.parametrize("text", NOT_KNOWN)
def test_what_hangs_on_values_is_not_known(text: str) -> None:
    pytest.importorskip("scipy")
    head = (
        "import sys, numpy as np, scipy.stats, scipy.linalg, scipy.special, scipy.optimize\nM = np.random.rand(3, 3)\n"
    )
    variables, result = interpreted(f"{head}z = {text}\n")
    assert not result.crashes, result.crashes
    assert show(variables["z"]).startswith(("something", "a Python", "the NumPy array ?"))
