"""The LU decomposition with partial pivoting.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.linalg.lu.html; the derivative, F. R. de Hoog et al.,
"Differentiation of matrix functionals using triangular factorization".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p, constant_like
from arraytyping.runtime.lax.linalg.matrices import batch_first, columns, identity, matmul, rows, triangle
from arraytyping.runtime.lax.linalg.triangular import solve_triangular
from arraytyping.runtime.lax.slicing import pad_p
from arraytyping.runtime.lax.sorting import taken_along
from arraytyping.runtime.lax.structure import broadcast_in_dim_p
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.semantics.rules.named import named

__all__ = ["lu", "lu_p", "permuted_rows", "solve_with_lu"]

lu_p: Final = Primitive("lu", named("lax.linalg.lu"), multiple_results=True)
lu_p.batching_rule = batch_first(lu_p)


def permuted_rows(x: Any, permutation: Any) -> Any:
    """The rows of matrices in another order."""
    shape = (*x.aval.shape[:-2], permutation.aval.shape[-1], x.aval.shape[-1])
    order = broadcast_in_dim_p.bind(
        permutation, shape=shape, broadcast_dimensions=tuple(range(len(permutation.aval.shape)))
    )
    return taken_along(x, order, len(shape) - 2)


def solve_with_lu(factors: Any, permutation: Any, b: Any) -> Any:
    """The solution x of adjoint(A) x = b, of the factors of a square A."""
    from arraytyping.runtime.lax.creation import iota_of
    from arraytyping.runtime.lax.sorting import sort_p

    y = solve_triangular(factors, b, left_side=True, lower=False, transpose_a=True, conjugate_a=True)
    z = solve_triangular(factors, y, left_side=True, lower=True, transpose_a=True, conjugate_a=True, unit_diagonal=True)
    last = len(permutation.aval.shape) - 1
    places = iota_of("int32", permutation.aval.shape, last)
    _, inverse = sort_p.bind(permutation, places, dimension=last, is_stable=True, num_keys=1)
    return permuted_rows(z, inverse)


def _padded(x: Any, more_rows: int, more_columns: int) -> Any:
    config = ((0, 0, 0),) * (len(x.aval.shape) - 2) + ((0, more_rows, 0), (0, more_columns, 0))
    return pad_p.bind(x, constant_like(x, 0), padding_config=config)


def _jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    (a,), (da,) = primals, tangents
    factors, pivots, permutation = lu_p.bind(a)
    if is_zero(da):
        return [factors, pivots, permutation], [Zero(x.aval) for x in (factors, pivots, permutation)]
    *lead, m, n = a.aval.shape
    k, dtype = min(m, n), a.aval.dtype
    lower = _padded(triangle(columns(factors, 0, k), lower=True, offset=-1), 0, m - k)
    lower = add_p.bind(lower, identity(dtype, (*lead, m, m)))
    upper = _padded(triangle(rows(factors, 0, k), lower=False), n - k, 0)
    if n > k:  # ones on the rest of the diagonal
        rest = identity(dtype, (*lead, n - k, n - k))
        config = ((0, 0, 0),) * len(lead) + ((k, 0, 0),) * 2
        upper = add_p.bind(upper, pad_p.bind(rest, constant_like(rest, 0), padding_config=config))
    inner = solve_triangular(lower, permuted_rows(da, permutation), left_side=True, lower=True, unit_diagonal=True)
    inner = solve_triangular(upper, inner, left_side=False, lower=False)
    of_lower = matmul(lower, triangle(inner, lower=True, offset=-1))
    of_upper = matmul(triangle(inner, lower=False), upper)
    tangent = add_p.bind(of_lower, of_upper)
    return [factors, pivots, permutation], [tangent, Zero(pivots.aval), Zero(permutation.aval)]


lu_p.jvp_rule = _jvp


@operation("lax.linalg.lu", "x", how="inline")
def lu(x: Any) -> Any:
    """`jax.lax.linalg.lu`: both factors in one matrix, the exchanges of rows, and the permutation that they make."""
    return tuple(lu_p.bind(x))
