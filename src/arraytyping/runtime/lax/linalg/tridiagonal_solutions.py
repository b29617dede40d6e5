"""Systems of equations whose matrices have three diagonals.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.linalg.tridiagonal_solve.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p, add_tangents, constant_like, mul_p, neg_p
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.linalg.matrices import batch_first
from arraytyping.runtime.lax.slicing import pad_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, moveaxis, reshape
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.runtime.tracing.tangents import is_zero
from arraytyping.semantics.rules.named import named

__all__ = ["tridiagonal_solve", "tridiagonal_solve_p"]

tridiagonal_solve_p: Final = Primitive("tridiagonal_solve", named("lax.linalg.tridiagonal_solve"))


def _shifted(x: Any, by: int, axis: int) -> Any:
    """The elements moved along a dimension by one place, with zero where one is left free."""
    rank = len(x.aval.shape)
    config = [(0, 0, 0)] * rank
    config[axis] = (by, -by, 0)
    return pad_p.bind(x, constant_like(x, 0), padding_config=tuple(config))


def _times_rows(diagonal: Any, x: Any) -> Any:
    """Each row of matrices multiplied by a number."""
    shape = x.aval.shape
    spread = broadcast_in_dim_p.bind(diagonal, shape=shape, broadcast_dimensions=tuple(range(len(shape) - 1)))
    return mul_p.bind(spread, x)


def _product(dl: Any, d: Any, du: Any, x: Any) -> Any:
    """The matrices of these diagonals multiplied by others; what stands outside of them is not looked at."""
    axis = len(x.aval.shape) - 2
    above, below = _times_rows(dl, _shifted(x, 1, axis)), _times_rows(du, _shifted(x, -1, axis))
    return add_p.bind(_times_rows(d, x), add_p.bind(above, below))


def _jvp(primals: Sequence[Any], tangents: Sequence[Any], *, perturb_singular: bool) -> tuple[Any, Any]:
    *diagonals, _ = primals
    *of_diagonals, of_right = tangents
    result = tridiagonal_solve_p.bind(*primals, perturb_singular=perturb_singular)
    right = of_right
    if not all(map(is_zero, of_diagonals)):
        dl, d, du = [zeros_of(x.aval) if is_zero(t) else t for t, x in zip(of_diagonals, diagonals)]
        right = add_tangents(of_right, neg_p.bind(_product(dl, d, du, result)))
    if is_zero(right):
        return result, right
    return result, tridiagonal_solve_p.bind(*diagonals, right, perturb_singular=perturb_singular)


def _transpose(ct: Any, dl: Any, d: Any, du: Any, b: Any, *, perturb_singular: bool) -> list[Any]:
    axis = len(d.aval.shape) - 1
    solved = tridiagonal_solve_p.bind(
        _shifted(du, 1, axis), d, _shifted(dl, -1, axis), ct, perturb_singular=perturb_singular
    )
    return [None, None, None, solved]


def _batch(axis: Axis, args: Sequence[Any], dims: Sequence[int | None], **params: Any) -> tuple[Any, int]:
    *diagonals, b = args
    if any(dim is not None for dim in dims[:-1]):
        return _all_first(axis, args, dims, **params)  # type: ignore[no-any-return]
    assert dims[-1] is not None  # more right-hand sides for the same matrix
    place = len(b.aval.shape) - 2
    moved = moveaxis(b, dims[-1], place)
    *lead, m, n = moved.aval.shape
    flat = reshape(moved, (*lead, m * n))
    return reshape(tridiagonal_solve_p.bind(*diagonals, flat, **params), (*lead, m, n)), place


_all_first: Final = batch_first(tridiagonal_solve_p)
tridiagonal_solve_p.jvp_rule = _jvp
tridiagonal_solve_p.transpose_rule = _transpose
tridiagonal_solve_p.batching_rule = _batch


@operation("lax.linalg.tridiagonal_solve", "dl", "d", "du", "b", how="inline")
def tridiagonal_solve(dl: Any, d: Any, du: Any, b: Any, *, perturb_singular: bool = False) -> Any:
    """`jax.lax.linalg.tridiagonal_solve`: the solution for matrices of three diagonals.

    The first element of the lower one and the last of the upper one stand outside of the matrix.
    """
    return tridiagonal_solve_p.bind(dl, d, du, b, perturb_singular=bool(perturb_singular))
