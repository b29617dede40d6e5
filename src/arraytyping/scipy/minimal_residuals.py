"""Linear equations by the generalized minimal residual method, begun anew after so many steps.

Source: https://docs.jax.dev/en/latest/jax.scipy.html#module-jax.scipy.sparse.linalg; Y. Saad, M. Schultz, "GMRES: a
generalized minimal residual algorithm for solving nonsymmetric linear systems", SIAM Journal on Scientific and
Statistical Computing 7 (1986).
"""

from __future__ import annotations

import functools
import operator
from typing import Any

from arraytyping import lax, tree
from arraytyping.lax import Precision
from arraytyping.numpy import dot, einsum, eye, isnan, maximum, minimum, pad, where, zeros
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.scipy.linalg import solve as solved, solve_triangular
from arraytyping.scipy.linear_operators import (
    Operator,
    added,
    common_dtype,
    identity,
    norm,
    operator_of,
    size_of,
    started,
    subtracted,
)

__all__ = ["gmres"]


def _unit(x: Any, least: Any = None) -> tuple[Any, Any]:
    """The tree of norm 1, and the norm; both are 0 where that is nothing but rounding."""
    size = norm(x)
    dtype = common_dtype(x)
    is_something = size > (float(limits_of(size.aval.dtype).eps) if least is None else least)
    scaled = tree.map(lambda leaf: where(is_something, leaf / size.astype(dtype), 0.0).astype(leaf.dtype), x)
    return scaled, where(is_something, size, 0.0)


def _combination(vectors: Any, factors: Any) -> Any:
    return tree.map(lambda columns: dot(columns, factors, precision=Precision.HIGHEST), vectors)


def _orthogonal(vectors: Any, x: Any) -> tuple[Any, Any]:
    """What of a tree is in none of these, and how much of it is in each; taken away twice, against rounding."""
    total: Any = 0.0
    for _ in range(2):
        parts = tree.map(
            lambda columns, leaf: einsum("...n,...->n", columns.conj(), leaf, precision=Precision.HIGHEST), vectors, x
        )
        factors = functools.reduce(operator.add, tree.leaves(parts))
        x, total = subtracted(x, _combination(vectors, factors)), total + factors
    return x, total


def _next_vector(a: Operator, m: Operator, k: Any, vectors: Any) -> tuple[Any, Any, Any]:
    """The vectors with the next one, its coordinates, and its norm before it is scaled: Arnoldi's iteration."""
    x = m(a(tree.map(lambda columns: columns[..., k], vectors)))
    _, size = _unit(x)
    x, row = _orthogonal(vectors, x)
    unit, rest = _unit(x, float(limits_of(size.aval.dtype).eps) * size)
    vectors = tree.map(lambda columns, leaf: columns.at[..., k + 1].set(leaf), vectors, unit)
    return vectors, row.at[k + 1].set(rest.astype(row.dtype)), rest


def _space(unit: Any, restart: int) -> Any:
    """Room for the vectors, of which the first is known."""
    return tree.map(lambda x: pad(x[..., None], [(0, 0)] * x.ndim + [(0, restart)]), unit)


def _by_least_squares(a: Operator, m: Operator, unit: Any, size: Any, _: Any, restart: int) -> Any:
    """All vectors first, then the combination of them that leaves least, by its normal equations."""

    def goes_on(state: Any) -> Any:
        _, _, has_ended, k = state
        return (k < restart) & ~has_ended

    def step(state: Any) -> Any:
        vectors, rows, _, k = state
        vectors, row, rest = _next_vector(a, m, k, vectors)
        return vectors, rows.at[k, :].set(row), rest == 0.0, k + 1

    dtype = common_dtype(unit)
    start = (_space(unit, restart), eye(restart, restart + 1, dtype=dtype), False, 0)
    vectors, rows, _, _ = lax.while_loop(goes_on, step, start)
    wanted = zeros(restart + 1, dtype).at[0].set(size.astype(dtype))
    conjugated = rows.conj()
    left, right = (dot(conjugated, x, precision=Precision.HIGHEST) for x in (rows.T, wanted))
    return _combination(tree.map(lambda columns: columns[..., :-1], vectors), solved(left, right, assume_a="pos"))


def _rotation(a: Any, b: Any) -> tuple[Any, Any]:
    """The cosine and the sine by which the second of two numbers becomes 0."""
    is_second_greater = abs(a) < abs(b)
    ratio = -where(is_second_greater, a, b) / where(is_second_greater, b, a)
    length = lax.rsqrt(1 + abs(ratio) ** 2).astype(ratio.dtype)
    cosine = where(is_second_greater, length * ratio, length)
    sine = where(is_second_greater, length, length * ratio)
    return where(abs(b) == 0, 1, cosine).astype(ratio.dtype), where(abs(b) == 0, 0, sine).astype(ratio.dtype)


def _rotated(x: Any, i: Any, cosine: Any, sine: Any) -> Any:
    first, second = x[i], x[i + 1]
    x = x.at[i].set(cosine.conj() * first - sine.conj() * second)
    return x.at[i + 1].set(sine * first + cosine * second)


def _step_by_step(a: Operator, m: Operator, unit: Any, size: Any, enough: Any, restart: int) -> Any:
    """The residual is known after each vector, by rotations that make the coordinates triangular."""
    dtype = common_dtype(unit)

    def step(state: Any) -> Any:
        k, _, vectors, rows, left, rotations = state
        vectors, row, _ = _next_vector(a, m, k, vectors)
        row = lax.fori_loop(0, k, lambda i, row: _rotated(row, i, rotations[i, 0], rotations[i, 1]), row)
        cosine, sine = _rotation(row[k], row[k + 1])
        rotations = rotations.at[k, 0].set(cosine).at[k, 1].set(sine)
        rows = rows.at[k, :].set(_rotated(row, k, cosine, sine))
        left = _rotated(left, k, cosine, sine)
        return k + 1, abs(left[k + 1]), vectors, rows, left, rotations

    left = zeros(restart + 1, dtype).at[0].set(size.astype(dtype))
    start = (
        0, size, _space(unit, restart), eye(restart, restart + 1, dtype=dtype), left, zeros((restart, 2), dtype),
    )  # fmt: skip
    _, _, vectors, rows, left, _ = lax.while_loop(lambda s: (s[0] < restart) & (s[1] > enough), step, start)
    factors = solve_triangular(rows[:, :-1].T, left[:-1])
    return _combination(tree.map(lambda columns: columns[..., :-1], vectors), factors)


_METHODS = {"batched": _by_least_squares, "incremental": _step_by_step}


def gmres(
    A: Any, b: Any, x0: Any = None, *, tol: Any = 1e-5, atol: Any = 0.0, restart: int = 20, maxiter: Any = None,
    M: Any = None, solve_method: str = "batched",
) -> tuple[Any, Any]:  # fmt: skip
    """`jax.scipy.sparse.linalg.gmres`: the solution of Ax = b, for any matrix, and -1 if it is none.

    Raises:
        ValueError: for a matrix that is not square, a start that does not fit, and an unknown method.
        TypeError: for what is no linear operator.
    """
    b, x0 = started(b, x0)
    m = identity if M is None else operator_of(M)
    size = size_of(b)
    limit, steps = 10 * size if maxiter is None else maxiter, min(restart, size)
    if solve_method not in _METHODS:
        raise ValueError(f"invalid solve_method {solve_method}, must be either 'incremental' or 'batched'")
    method = _METHODS[solve_method]
    whole = norm(b)
    bound = maximum(tol * whole, atol)
    enough = norm(m(b)) * minimum(1.0, bound / whole)

    def solve(a: Operator, b: Any) -> Any:
        def left(x: Any) -> tuple[Any, Any]:
            return _unit(m(subtracted(b, a(x))))

        def step(state: Any) -> Any:
            x, k, unit, size = state
            x = added(x, method(a, m, unit, size, enough, steps))
            return x, k + 1, *left(x)

        start = (x0, 0, *left(x0))
        return lax.while_loop(lambda s: (s[1] < limit) & (s[3] > bound), step, start)[0]

    x = lax.custom_linear_solve(operator_of(A), b, solve=solve, transpose_solve=solve)
    return x, where(isnan(norm(x)), -1, 0)
