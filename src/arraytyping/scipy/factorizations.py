"""Factorizations of general matrices, what is solved by one, and the exponential, for `arraytyping.scipy.linalg`.

Source: https://docs.jax.dev/en/latest/jax.scipy.html; of the exponential, N. J. Higham, "The scaling and squaring
method for the matrix exponential revisited".
"""

from __future__ import annotations

import functools
import math
from typing import Any, Final

from arraytyping import lax
from arraytyping.nn.operations import composed
from arraytyping.numpy import (
    arange,
    array,
    conj,
    digitize,
    dot,
    eye,
    floor,
    full_like,
    linalg,
    log2,
    matmul,
    maximum,
    tril,
    triu,
    vectorize,
)
from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.semantics.rules import scipy_factorizations as scipy_factorizations  # the definitions
from arraytyping.semantics.rules.dtype_kinds import to_real

__all__ = ["expm", "lu", "lu_factor", "lu_solve", "polar", "qr"]

lu_factor: Final = composed("scipy.linalg.lu_factor", "a")
qr: Final = composed("scipy.linalg.qr", "a")


def _inexact(*xs: Any) -> list[Any]:
    return [materialized(x) for x in promoted_inexact(*map(asarray, xs))]


@operation("scipy.linalg.lu", "a")
def lu(a: Any, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """`jax.scipy.linalg.lu`: the permutation and both factors; or the product of the permutation with the lower one."""
    (x,) = _inexact(a)
    factors, _, order = lax.linalg.lu(x)
    m, n = x.aval.shape
    k = min(m, n)
    permutation = (order[None, :] == arange(m, dtype="int32")[:, None]).astype(np_dtype(to_real(x.aval.dtype)))
    lower = tril(factors, -1)[:, :k] + eye(m, k, dtype=x.dtype)
    upper = triu(factors)[:k, :]
    return (matmul(permutation, lower, precision="highest"), upper) if permute_l else (permutation, lower, upper)


def _solution(factors: Any, order: Any, b: Any, trans: int) -> Any:
    """The solution for one matrix, whose rows are in another order, and several right-hand sides."""
    solve: Any = functools.partial(lax.linalg.triangular_solve, factors, left_side=True)
    if trans == 0:
        return solve(solve(b[order], lower=True, unit_diagonal=True))
    options = {"transpose_a": True, "conjugate_a": trans == 2}
    x = solve(solve(b, **options), lower=True, unit_diagonal=True, **options)
    return x[order.argsort()]


@operation("scipy.linalg.lu_solve", "b")
def _by_factors(lu_and_piv: Any, b: Any, trans: int = 0) -> Any:
    factors, right = _inexact(lu_and_piv[0], b)
    order = lax.linalg.lu_pivots_to_permutation(asarray(lu_and_piv[1]), factors.shape[-2])
    is_row = right.ndim == 1 or (factors.ndim == right.ndim + 1 and factors.shape[-1] == right.shape[-1])
    if is_row:
        row: Any = lambda a, p, b: _solution(a, p, b[:, None], trans)[:, 0]  # noqa: E731
        return vectorize(row, signature="(n,n),(n),(n)->(n)")(factors, order, right)
    several: Any = functools.partial(_solution, trans=trans)
    return vectorize(several, signature="(n,n),(n),(n,k)->(n,k)")(factors, order, right)


def lu_solve(
    lu_and_piv: Any, b: Any, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True
) -> Any:  # fmt: skip
    """`jax.scipy.linalg.lu_solve`: the solution of equations of which `lu_factor` has factored the matrix."""
    factors, pivots = lu_and_piv
    return _by_factors((asarray(factors), asarray(pivots)), b, trans)


PADE: Final[dict[int, tuple[int, ...]]] = {
    3: (120, 60, 12, 1),
    5: (30240, 15120, 3360, 420, 30, 1),
    7: (17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1),
    9: (17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880, 3960, 90, 1),
    13: (64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
         670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1),
}  # fmt: skip
"""The coefficients of the numerators of the approximations of exp by quotients of polynomials, by their degree."""

NARROW: Final = (3, 5, 7), (4.258730016922831e-001, 1.880152677804762e000), 3.925724783138660
WIDE: Final = (
    (3, 5, 7, 9, 13),
    (1.495585217958292e-002, 2.539398330063230e-001, 9.504178996162932e-001, 2.097847961257068e000),
    5.371920351148152,
)
"""Degrees, the norms up to which each is exact enough, and that up to which the last one is."""


def _precise(a: Any, b: Any) -> Any:
    return dot(a, b, precision="highest")


def _odd_and_even(degree: int, a: Any) -> tuple[Any, Any]:
    """The odd and the even part of the numerator of one degree."""
    b = [float(c) for c in PADE[degree]]
    one = eye(a.shape[0], dtype=a.dtype)
    a2 = _precise(a, a)
    if degree == 13:
        a4 = _precise(a2, a2)
        a6 = _precise(a4, a2)
        inner = _precise(a6, b[13] * a6 + b[11] * a4 + b[9] * a2)
        odd = _precise(a, inner + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * one)
        even = _precise(a6, b[12] * a6 + b[10] * a4 + b[8] * a2)
        return odd, even + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * one
    powers = [one, a2]
    while len(powers) < (degree + 1) // 2:
        powers.append(_precise(powers[-1], a2))
    odd, even = [sum(b[2 * i + k] * power for i, power in enumerate(powers)) for k in (1, 0)]
    return _precise(a, odd), even


@operation("scipy.linalg.expm", "A")
def expm(A: Any, *, upper_triangular: bool = False, max_squarings: int = 16) -> Any:
    """`jax.scipy.linalg.expm`: the exponential of square matrices, by quotients of polynomials and squaring.

    It is NaN where the norm of a matrix takes more than `max_squarings`.
    """
    (x,) = _inexact(A)
    return vectorize(
        functools.partial(_exponential, upper_triangular=upper_triangular, max_squarings=max_squarings),
        signature="(n,n)->(n,n)",
    )(x)


def _exponential(a: Any, *, upper_triangular: bool, max_squarings: int) -> Any:
    is_wide = str(a.dtype) in ("float64", "complex128")
    degrees, bounds, last = WIDE if is_wide else NARROW
    norm = linalg.norm(a, 1)
    count = maximum(0, floor(log2(norm / last)))
    scaled = a / 2 ** count.astype(a.dtype)
    branches = [functools.partial(_odd_and_even, degree) for degree in degrees]
    odd, even = lax.switch(digitize(norm, array(bounds, dtype=norm.dtype)), branches, scaled)
    numerator, denominator = even + odd, even - odd

    def computed(operands: Any) -> Any:
        p, q = operands
        r = lax.linalg.triangular_solve(q, p, left_side=True) if upper_triangular else linalg.solve(q, p)

        def squared(r: Any, i: Any) -> Any:
            return lax.cond(i < count, lambda r: _precise(r, r), lambda r: r, r), None

        return lax.scan(squared, r, arange(max_squarings, dtype=count.dtype))[0]

    def nothing(operands: Any) -> Any:
        return full_like(operands[0], math.nan)

    return lax.cond(count > max_squarings, nothing, computed, (numerator, denominator))


def _factors(a: Any, *, side: str) -> Any:
    u, s, vh = lax.linalg.svd(a, full_matrices=False)
    s = s.astype(u.dtype)
    return u @ vh, (conj(vh.T) * s[None, :]) @ vh if side == "right" else (u * s[None, :]) @ conj(u.T)


@operation("scipy.linalg.polar", "a")
def polar(a: Any, side: str = "right", *, method: str = "qdwh", eps: Any = None, max_iterations: Any = None) -> Any:
    """`jax.scipy.linalg.polar`: a unitary and a positive factor, by singular values whatever the method."""
    signature = "(m,n)->(m,n),(n,n)" if side == "right" else "(m,n)->(m,n),(m,m)"
    factors: Any = functools.partial(_factors, side=side)
    return vectorize(factors, signature=signature)(materialized(asarray(a)))
