"""The Cholesky decomposition.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.linalg.cholesky.html; the derivative, I. Murray,
"Differentiation of the Cholesky decomposition", https://arxiv.org/abs/1602.07527.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.lax.linalg.matrices import adjoint, as_dtype, batch_first, identity, matmul, triangle
from arraytyping.runtime.lax.linalg.triangular import solve_triangular
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.scalars import KINDS
from arraytyping.semantics.rules.named import named

__all__ = ["cholesky", "cholesky_p", "symmetrized"]


def _rule(cx: Any, x: Any) -> Any:
    return named("lax.linalg.cholesky")(cx, x, symmetrize_input=False)


cholesky_p: Final = Primitive("cholesky", _rule)
cholesky_p.batching_rule = batch_first(cholesky_p)


def symmetrized(x: Any) -> Any:
    """The mean of matrices and their adjoints, a float also of integers."""
    if KINDS[x.aval.dtype] not in "fc":
        from arraytyping import config

        x = as_dtype(x, config.promotion().default("float"))
    return div_p.bind(add_p.bind(x, adjoint(x)), constant_like(x, 2))


def _jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    (x,), (dx,) = primals, tangents
    factor = triangle(cholesky_p.bind(x), lower=True)
    if is_zero(dx):
        return factor, Zero(factor.aval)

    def phi(y: Any) -> Any:
        """The lower triangle with half of the diagonal."""
        part = triangle(y, lower=True)
        return div_p.bind(part, add_p.bind(full_of(1, part.aval), identity(part.aval.dtype, part.aval.shape)))

    right = solve_triangular(factor, dx, left_side=False, lower=True, transpose_a=True, conjugate_a=True)
    return factor, matmul(factor, phi(solve_triangular(factor, right, left_side=True, lower=True)))


cholesky_p.jvp_rule = _jvp


@operation("lax.linalg.cholesky", "x", how="inline")
def cholesky(x: Any, *, symmetrize_input: bool = True) -> Any:
    """`jax.lax.linalg.cholesky`: the lower triangular factor; NaN where a matrix is not positive definite."""
    return triangle(cholesky_p.bind(symmetrized(x) if symmetrize_input else x), lower=True)
