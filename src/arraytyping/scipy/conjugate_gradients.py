"""Linear equations by conjugate gradients, and by stabilized biconjugate gradients.

Source: https://docs.jax.dev/en/latest/jax.scipy.html#module-jax.scipy.sparse.linalg; H. van der Vorst, "Bi-CGSTAB: a
fast and smoothly converging variant of Bi-CG", SIAM Journal on Scientific and Statistical Computing 13 (1992).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping import lax, tree
from arraytyping.numpy import iscomplexobj, maximum, square, where
from arraytyping.numpy.conversion import asarray
from arraytyping.scipy.linear_operators import (
    Operator,
    added,
    common_dtype,
    identity,
    inner_product,
    operator_of,
    scaled,
    size_of,
    squared_norm,
    started,
    subtracted,
)

__all__ = ["bicgstab", "cg"]


def _bound(b: Any, tol: Any, atol: Any) -> Any:
    """The square of what the residual may have."""
    return maximum(square(tol) * squared_norm(b, b), square(atol))


def _cg(a: Operator, b: Any, x0: Any, tol: Any, atol: Any, maxiter: Any, m: Operator) -> Any:
    bound = _bound(b, tol, atol)
    r = subtracted(b, a(x0))
    p = m(r)
    dtype = common_dtype(p)
    gamma = squared_norm(r, p).astype(dtype)

    def goes_on(state: Any) -> Any:
        _, r, gamma, _, k = state
        size = gamma.real if m is identity else squared_norm(r, r)
        return (size > bound) & (k < maxiter)

    def step(state: Any) -> Any:
        x, r, gamma, p, k = state
        ap = a(p)
        alpha = gamma / squared_norm(p, ap).astype(dtype)
        x, r = added(x, scaled(alpha, p)), subtracted(r, scaled(alpha, ap))
        z = m(r)
        after = squared_norm(r, z).astype(dtype)
        return x, r, after, added(z, scaled(after / gamma, p)), k + 1

    return lax.while_loop(goes_on, step, (x0, r, gamma, p, 0))[0]


def _bicgstab(a: Operator, b: Any, x0: Any, tol: Any, atol: Any, maxiter: Any, m: Operator) -> Any:
    bound = _bound(b, tol, atol)
    shadow = r = subtracted(b, a(x0))
    one = asarray(1, dtype=common_dtype(b))

    def goes_on(state: Any) -> Any:
        _, r, *_, k = state
        return (squared_norm(r, r) > bound) & (k < maxiter) & (k >= 0)

    def step(state: Any) -> Any:
        x, r, alpha, omega, rho, p, q, k = state
        before, rho = rho, inner_product(shadow, r)
        p = added(r, scaled(rho / before * alpha / omega, subtracted(p, scaled(omega, q))))
        towards = m(p)
        q = a(towards)
        alpha = rho / inner_product(shadow, q)
        s = subtracted(r, scaled(alpha, q))
        is_enough = squared_norm(s, s) < bound
        further = m(s)
        t = a(further)
        omega = inner_product(t, s) / inner_product(t, t)
        half = added(x, scaled(alpha, towards))
        x = tree.map(lambda u, v: where(is_enough, u, v), half, added(half, scaled(omega, further)))
        r = tree.map(lambda u, v: where(is_enough, u, v), s, subtracted(s, scaled(omega, t)))
        k = where((omega == 0) | (alpha == 0), -11, k + 1)  # it has broken down, and ends
        return x, r, alpha, omega, rho, p, q, where(rho == 0, -10, k)

    return lax.while_loop(goes_on, step, (x0, r, one, one, one, r, r, 0))[0]


def _solved(
    method: Callable[..., Any], A: Any, b: Any, x0: Any, tol: Any, atol: Any, maxiter: Any, M: Any, of_symmetric: bool
) -> tuple[Any, None]:
    b, x0 = started(b, x0)
    limit = 10 * size_of(b) if maxiter is None else maxiter
    m = identity if M is None else operator_of(M)

    def solve(a: Operator, b: Any) -> Any:
        return method(a, b, x0, tol, atol, limit, m)

    is_symmetric = of_symmetric and not any(map(iscomplexobj, tree.leaves(b)))
    x = lax.custom_linear_solve(operator_of(A), b, solve=solve, transpose_solve=solve, symmetric=is_symmetric)
    return x, None


def cg(
    A: Any, b: Any, x0: Any = None, *, tol: Any = 1e-5, atol: Any = 0.0, maxiter: Any = None, M: Any = None
) -> tuple[Any, None]:
    """`jax.scipy.sparse.linalg.cg`: the solution of Ax = b, for a matrix that is Hermitian and positive definite.

    Raises:
        ValueError: for a matrix that is not square, and for a start that does not fit.
        TypeError: for what is no linear operator.
    """
    return _solved(_cg, A, b, x0, tol, atol, maxiter, M, True)


def bicgstab(
    A: Any, b: Any, x0: Any = None, *, tol: Any = 1e-5, atol: Any = 0.0, maxiter: Any = None, M: Any = None
) -> tuple[Any, None]:
    """`jax.scipy.sparse.linalg.bicgstab`: the solution of Ax = b, for any matrix.

    Raises:
        ValueError: for a matrix that is not square, and for a start that does not fit.
        TypeError: for what is no linear operator.
    """
    return _solved(_bicgstab, A, b, x0, tol, atol, maxiter, M, False)
