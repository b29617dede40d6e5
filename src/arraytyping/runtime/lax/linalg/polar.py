"""The polar decomposition by weighted steps of Halley's iteration, which need factorizations and products alone.

Source: Y. Nakatsukasa, Z. Bai and F. Gygi, "Optimizing Halley's iteration for computing the matrix polar
decomposition", https://doi.org/10.1137/090774999; https://docs.jax.dev/en/latest/_autosummary/jax.lax.linalg.qdwh.html.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.elementary import sqrt_p
from arraytyping.runtime.lax.extremes import reduce_max_p
from arraytyping.runtime.lax.integers import abs_p
from arraytyping.runtime.lax.linalg.cholesky import cholesky_p
from arraytyping.runtime.lax.linalg.matrices import adjoint, as_dtype, identity, matmul, rows
from arraytyping.runtime.lax.linalg.orthogonal import qr_p
from arraytyping.runtime.lax.linalg.triangular import solve_triangular
from arraytyping.runtime.lax.reductions import reduce_sum
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.semantics.rules.dtype_kinds import to_real

__all__ = ["qdwh"]

Weights = tuple[float, float, float]
"""Of one step, a, b and c: X (a + b X* X) (1 + c X* X)^-1 follows X."""

LAST: Final[Weights] = (3, 1, 3)
"""To which the weights converge: Halley's."""


def weights_of(least: float, count: int) -> Iterator[Weights]:
    """The weights by which the least singular value, of a matrix with norm 1, comes near 1, in so many steps."""
    tolerance = 5 * least
    for _ in range(count):
        if least + tolerance >= 1:
            return
        square = least * least
        d = (4 * (1 / square - 1) / square) ** (1 / 3)
        root = math.sqrt(1 + d)
        a = root + math.sqrt(2 - d + 2 * (2 - square) / (square * root))
        b = (a - 1) ** 2 / 4
        c = a + b - 1
        least *= (a + b * square) / (1 + c * square)
        yield a, b, c


def _by_qr(u: Any, weights: Weights) -> Any:
    a, b, c = weights
    m, n = u.aval.shape
    stacked = concatenate_p.bind(math.sqrt(c) * u, identity(u.aval.dtype, (n, n)), dimension=0)
    q, _ = qr_p.bind(stacked, pivoting=False, full_matrices=False)
    return b / c * u + (a - b / c) / math.sqrt(c) * matmul(rows(q, 0, m), adjoint(rows(q, m, m + n)))


def _by_cholesky(u: Any, weights: Weights) -> Any:
    a, b, c = weights
    n = u.aval.shape[1]
    factor = cholesky_p.bind(c * matmul(adjoint(u), u) + identity(u.aval.dtype, (n, n)))
    half = solve_triangular(factor, adjoint(u), left_side=True, lower=True)
    whole = solve_triangular(factor, half, left_side=True, lower=True, transpose_a=True, conjugate_a=True)
    return b / c * u + (a - b / c) * adjoint(whole)


def _started(x: Any) -> Any:
    """The matrix divided by a bound of its norm."""
    sizes = abs_p.bind(x)
    norms = [reduce_max_p.bind(reduce_sum(sizes, (axis,)), axes=(0,)) for axis in (0, 1)]
    bound = sqrt_p.bind(norms[0]) * sqrt_p.bind(norms[1])
    return x / as_dtype(select_n_p.bind(bound == 0, bound, bound * 0 + 1), x.aval.dtype)


@operation("lax.linalg.qdwh", "x")
def qdwh(
    x: Any, *, is_hermitian: bool = False, max_iterations: int | None = None, eps: float | None = None,
    dynamic_shape: tuple[int, int] | None = None,
) -> Any:  # fmt: skip
    """`jax.lax.linalg.qdwh`: the unitary and the positive polar factor, the iterations, and whether they sufficed."""
    from arraytyping.runtime.lax.control_flow.while_loop import while_loop

    if dynamic_shape is not None:
        raise NotImplementedError("qdwh: dynamic_shape is not implemented; give the matrix in its own shape")
    most = 10 if max_iterations is None else int(max_iterations)
    least = float(limits_of(to_real(x.aval.dtype)).eps) if eps is None else float(eps)
    tolerance = math.cbrt(5 * least)

    def step(u: Any, weights: Weights) -> tuple[Any, Any]:
        after = _by_cholesky(u, weights)
        change = abs_p.bind(after - u)
        return after, sqrt_p.bind(reduce_sum(change * change, (0, 1))) > tolerance

    u, goes_on = _started(x), np.True_
    chosen = list(weights_of(least, most))
    for weights in chosen:  # a matrix that is not well conditioned has no exact square
        u, goes_on = (_by_qr(u, weights), np.True_) if weights[2] > 100 else step(u, weights)
    iterations, u, goes_on = while_loop(
        lambda s: s[2] & (s[0] < most), lambda s: (s[0] + 1, *step(s[1], LAST)), (len(chosen), u, goes_on)
    )
    u = 1.5 * u - 0.5 * matmul(u, matmul(adjoint(u), u))
    h = matmul(adjoint(u), x)
    return u, (h + adjoint(h)) / 2, iterations, ~goes_on
