"""`custom_linear_solve`: the solution of linear equations by any function, differentiated at the solution.

With A x = b, the tangent of x is that which solves A dx = db - dA x, by the same function; going back, the cotangent of
b solves the transposed equations, by a function of their own.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.custom_linear_solve.html;
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/control_flow/solves.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.runtime import tree
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.lax.arithmetic import neg_p
from arraytyping.runtime.lax.control_flow.bodies import Body, leaves_of, run_compiled, split, structure_of_tuple, traced
from arraytyping.runtime.tracing.batching import Axis, batch_jaxpr, move_batch_dim
from arraytyping.runtime.tracing.forward import jvp_flat
from arraytyping.runtime.tracing.tangents import Zero, instantiate, is_zero
from arraytyping.runtime.transformations.linear_functions import linear_transpose
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS

__all__ = ["checked_structure", "custom_linear_solve", "linear_solve_p"]

Jaxprs = tuple[ClosedJaxpr, ...]
"""`matvec` and `solve`; then, if there are transposed equations, `vecmat` and `transpose_solve`."""


def _rule(cx: Any, *avals: ShapedArray, const_lengths: tuple[int, ...], jaxprs: Jaxprs) -> list[ShapedArray]:
    n = len(jaxprs[0].out_avals)
    return [*avals[sum(const_lengths) :], *jaxprs[1].out_avals[n:]]


linear_solve_p: Final = Primitive("custom_linear_solve", _rule, multiple_results=True, has_jaxprs=True)


def _evaluate(*args: Any, const_lengths: tuple[int, ...], jaxprs: Jaxprs) -> list[Any]:
    return run_compiled(linear_solve_p, jaxprs[1], args, {"const_lengths": const_lengths, "jaxprs": jaxprs})


linear_solve_p.eval_rule = _evaluate


def solve_arguments(args: Sequence[Any], const_lengths: tuple[int, ...]) -> list[Any]:
    """What the function that solves is called with: what it closes over, and the right-hand side."""
    _, consts, *_ = parts = split(args, *const_lengths)
    return [*consts, *parts[-1]]


def _jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, const_lengths: tuple[int, ...], jaxprs: Jaxprs
) -> tuple[list[Any], list[Any]]:
    params = {"const_lengths": const_lengths, "jaxprs": jaxprs}
    outs = linear_solve_p.bind(*primals, **params)
    matvec = jaxprs[0]
    n, n_consts = len(matvec.out_avals), sum(const_lengths)
    right = list(tangents[n_consts:])
    changes = tangents[: const_lengths[0]]
    if not all(map(is_zero, changes)):
        x = outs[:n]
        _, moved = jvp_flat(
            lambda *xs: eval_jaxpr(matvec.jaxpr, matvec.consts, *xs),
            [*primals[: const_lengths[0]], *x], [*changes, *[Zero(v.aval) for v in x]],
        )  # fmt: skip
        right = [b if is_zero(m) else _sum(b, neg_p.bind(m)) for b, m in zip(right, moved)]
    dots = linear_solve_p.bind(*primals[:n_consts], *map(instantiate, right), **params)
    return outs, [*dots[:n], *[Zero(v.aval) for v in outs[n:]]]


def _sum(x: Any, y: Any) -> Any:
    return y if is_zero(x) else OPERATIONS.add(x, y)


def _transpose(cts: Sequence[Any], *args: Any, const_lengths: tuple[int, ...], jaxprs: Jaxprs) -> list[Any]:
    if len(jaxprs) == 2:
        raise TypeError(
            "transpose_solve required for backwards mode automatic differentiation of custom_linear_solve; give one, "
            "or symmetric=True if the equations are"
        )
    matvec, solve, vecmat, transpose_solve = split(args, *const_lengths)[:4]
    n = len(jaxprs[0].out_avals)
    transposed = [vecmat, transpose_solve, matvec, solve]
    found = linear_solve_p.bind(
        *[c for part in transposed for c in part], *map(instantiate, cts[:n]),
        const_lengths=(*const_lengths[2:], *const_lengths[:2]), jaxprs=(*jaxprs[2:], *jaxprs[:2]),
    )  # fmt: skip
    return [*[None] * sum(const_lengths), *found[:n]]


def _batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, const_lengths: tuple[int, ...], jaxprs: Jaxprs
) -> tuple[list[Any], list[int]]:
    """Every right-hand side and solution is batched; of the equations, what is."""
    n_consts = sum(const_lengths)
    consts = [a if d is None else move_batch_dim(axis, a, d, 0) for a, d in zip(args[:n_consts], dims)]
    right = [move_batch_dim(axis, a, d, 0) for a, d in zip(args[n_consts:], dims[n_consts:])]
    flags = split([d is not None for d in dims[:n_consts]], *const_lengths)
    batched = tuple(batch_jaxpr(jaxpr, axis, [*of, *[True] * len(right)], True)[0] for jaxpr, of in zip(jaxprs, flags))
    outs = linear_solve_p.bind(*consts, *right, const_lengths=const_lengths, jaxprs=batched)
    return outs, [0] * len(outs)


linear_solve_p.jvp_rule = _jvp
linear_solve_p.transpose_rule = _transpose
linear_solve_p.batching_rule = _batch


def checked_structure(name: str, expected_name: str, found: Any, expected: Any, has_aux: bool = False) -> None:
    """Refuse a function whose result is in another container than what it solves for.

    Raises:
        TypeError: if it is.
        ValueError: if it gives no pair, where one with what it tells besides is wanted.
    """
    if has_aux:
        if found.num_children != 2:
            raise ValueError(
                f"{name}() produced a pytree with structure {found}, but a pytree tuple with auxiliary output was "
                "expected because has_aux was set to True."
            )
        found = found.children()[0]
    if found != expected:
        raise TypeError(f"{name}() output pytree structure must match {expected_name}, got {found} and {expected}.")


def custom_linear_solve(
    matvec: Callable[[Any], Any], b: Any, solve: Callable[[Callable[[Any], Any], Any], Any],
    transpose_solve: Callable[[Callable[[Any], Any], Any], Any] | None = None, symmetric: bool = False,
    has_aux: bool = False,
) -> Any:  # fmt: skip
    """`jax.lax.custom_linear_solve`: what `solve(matvec, b)` gives, differentiated as the x with `matvec(x) = b`.

    Raises:
        TypeError: if a function gives another container than `b`; when differentiated backwards, without
            `transpose_solve` where the equations are not symmetric.
        ValueError: if it gives other shapes.
    """
    leaves, structure = leaves_of(b, matvec)
    avals = [x.aval for x in leaves]
    if transpose_solve is None and symmetric:
        transpose_solve = solve

    def body(function: Callable[[Any], Any], name: str, aux: bool) -> Body:
        made = traced(function, structure_of_tuple(structure), avals)
        checked_structure(name, "b", made.out_tree, structure, aux)
        shapes, wanted = [a.shape for a in made.out_avals[: len(avals)]], [a.shape for a in avals]
        if shapes != wanted:
            raise ValueError(f"{name}() output shapes must match b, got {shapes} and {wanted}")
        return made

    bodies = [body(matvec, "matvec", False), body(lambda x: solve(matvec, x), "solve", has_aux)]
    if transpose_solve is not None:
        backwards = transpose_solve
        back = linear_transpose(matvec, tree.unflatten(structure, leaves))
        vecmat = matvec if symmetric else lambda x: back(x)[0]
        bodies += [
            bodies[0] if symmetric else body(vecmat, "vecmat", False),
            body(lambda x: backwards(vecmat, x), "transpose_solve", has_aux),
        ]
    outs = linear_solve_p.bind(
        *[c for made in bodies for c in made.consts], *leaves,
        const_lengths=tuple(len(made.consts) for made in bodies), jaxprs=tuple(made.jaxpr for made in bodies),
    )  # fmt: skip
    return tree.unflatten(bodies[1].out_tree, outs)
