"""Triangular systems of equations.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.linalg.triangular_solve.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_tangents, neg_p
from arraytyping.runtime.lax.complex_numbers import conj_p
from arraytyping.runtime.lax.linalg.matrices import is_complex, matmul, swapped, triangle
from arraytyping.runtime.lax.structure import moveaxis, reshape
from arraytyping.runtime.tracing.batching import Axis, move_batch_dim
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.semantics.rules.named import named

__all__ = ["solve_triangular", "triangular_solve", "triangular_solve_p"]

triangular_solve_p: Final = Primitive("triangular_solve", named("lax.linalg.triangular_solve"))


def solve_triangular(
    a: Any, b: Any, *, left_side: bool, lower: bool, transpose_a: bool = False, conjugate_a: bool = False,
    unit_diagonal: bool = False,
) -> Any:  # fmt: skip
    """The solution x of a x = b, or of x a = b."""
    return triangular_solve_p.bind(
        a, b, left_side=left_side, lower=lower, transpose_a=transpose_a, conjugate_a=conjugate_a and is_complex(a),
        unit_diagonal=unit_diagonal,
    )  # fmt: skip


def _jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
    (a, b), (da, db) = primals, tangents
    result = triangular_solve_p.bind(a, b, **params)
    total: Any = Zero(result.aval)
    if not is_zero(da):
        total = _matrix_tangent(da, result, a, **params)
    if not is_zero(db):
        total = add_tangents(total, triangular_solve_p.bind(a, db, **params))
    return result, total


def _matrix_tangent(
    da: Any, result: Any, a: Any, *, left_side: bool, lower: bool, transpose_a: bool, conjugate_a: bool,
    unit_diagonal: bool,
) -> Any:  # fmt: skip
    """- A^-1 dA A^-1 b, in the cheaper order."""
    inner = int(unit_diagonal)
    da = neg_p.bind(triangle(da, lower=lower, offset=-inner if lower else inner))
    da = swapped(da) if transpose_a else da
    da = conj_p.bind(da) if conjugate_a else da

    def solved(b: Any) -> Any:
        return triangular_solve_p.bind(
            a, b, left_side=left_side, lower=lower, transpose_a=transpose_a, conjugate_a=conjugate_a,
            unit_diagonal=unit_diagonal,
        )  # fmt: skip

    m, n = result.aval.shape[-2:]
    if left_side:
        return solved(matmul(da, result)) if m > n else matmul(solved(da), result)
    return solved(matmul(result, da)) if m < n else matmul(result, solved(da))


def _transpose(ct: Any, a: Any, b: Any, *, transpose_a: bool, **params: Any) -> list[Any]:
    return [None, triangular_solve_p.bind(a, ct, transpose_a=not transpose_a, **params)]


def _batch(axis: Axis, args: Sequence[Any], dims: Sequence[int | None], **params: Any) -> tuple[Any, int]:
    (a, b), (of_a, of_b) = args, dims
    if of_a is None and axis.cut is None:  # more right-hand sides for the same matrix
        assert of_b is not None
        rank = len(b.aval.shape)
        place = rank - 1 if params["left_side"] else rank - 2
        moved = moveaxis(b, of_b, place)
        shape = moved.aval.shape
        first = rank - 2 if params["left_side"] else rank - 3
        flat = reshape(moved, (*shape[:first], shape[first] * shape[first + 1], *shape[first + 2 :]))
        return reshape(triangular_solve_p.bind(a, flat, **params), shape), place
    return triangular_solve_p.bind(*(move_batch_dim(axis, x, d, 0) for x, d in zip(args, dims)), **params), 0


triangular_solve_p.jvp_rule = _jvp
triangular_solve_p.transpose_rule = _transpose
triangular_solve_p.batching_rule = _batch


@operation("lax.linalg.triangular_solve", "a", "b", how="inline")
def triangular_solve(
    a: Any, b: Any, *, left_side: bool = False, lower: bool = False, transpose_a: bool = False,
    conjugate_a: bool = False, unit_diagonal: bool = False,
) -> Any:  # fmt: skip
    """`jax.lax.linalg.triangular_solve`: the solution for a matrix of which one triangle is read."""
    vector = len(b.aval.shape) == len(a.aval.shape) - 1
    if vector:
        *lead, n = b.aval.shape
        b = reshape(b, (*lead, n, 1) if left_side else (*lead, 1, n))
    result = solve_triangular(
        a, b, left_side=bool(left_side), lower=bool(lower), transpose_a=bool(transpose_a),
        conjugate_a=bool(conjugate_a), unit_diagonal=bool(unit_diagonal),
    )  # fmt: skip
    return reshape(result, (*lead, n)) if vector else result
