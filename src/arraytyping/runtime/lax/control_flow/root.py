"""`custom_root`: a root of a function that is found in any way, differentiated by the implicit function theorem.

With f(m, x) = 0, the tangent of x solves (df/dx) dx = -(df/dm) dm, by a function that is given.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.custom_root.html;
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/control_flow/solves.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from arraytyping.runtime import tree
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.lax.control_flow.bodies import leaves_of, structure_of_tuple, traced
from arraytyping.runtime.lax.control_flow.linear_solve import checked_structure
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.transformations.custom_forward import custom_jvp
from arraytyping.runtime.transformations.differentiation import jvp, linearize
from arraytyping.semantics.avals import ShapedArray

__all__ = ["custom_root"]


def custom_root(
    f: Callable[[Any], Any], initial_guess: Any, solve: Callable[[Callable[[Any], Any], Any], Any],
    tangent_solve: Callable[[Callable[[Any], Any], Any], Any], has_aux: bool = False,
) -> Any:  # fmt: skip
    """`jax.lax.custom_root`: what `solve(f, initial_guess)` gives, differentiated as the root of `f`.

    Raises:
        TypeError: if a function gives another container than the guess.
        ValueError: if `solve` gives no pair, with `has_aux`.
    """
    guess, structure = leaves_of(initial_guess, solve)
    avals = [x.aval for x in guess]
    of_f = traced(f, structure_of_tuple(structure), avals)
    checked_structure("f", "initial_guess", of_f.out_tree, structure)
    of_solve = traced(lambda x: solve(f, x), structure_of_tuple(structure), avals)
    checked_structure("solve", "initial_guess", of_solve.out_tree, structure, has_aux)

    def of_tangents(x: Any, right: Any) -> Any:
        return tangent_solve(linearize(f, x)[1], right)

    of_dots = traced(of_tangents, structure_of_tuple(structure, structure), [*avals, *avals])
    checked_structure("tangent_solve", "x", of_dots.out_tree, structure)
    n = len(avals)

    @custom_jvp
    def root(consts: list[Any], solve_consts: list[Any], dot_consts: list[Any], guess: list[Any]) -> list[Any]:
        return _run(of_solve.jaxpr, *solve_consts, *guess)

    @root.defjvp
    def root_jvp(primals: Any, tangents: Any) -> Any:
        consts, _, dot_consts, _ = primals
        outs = root(*primals)
        at_root = functools.partial(_at, of_f.jaxpr, outs[:n])
        if consts:
            _, right = jvp(at_root, (consts,), (tangents[0],))
        else:
            right = [full_of(0, ShapedArray(a.shape, a.dtype, False)) for a in avals]
        dots = [-v for v in _run(of_dots.jaxpr, *dot_consts, *outs[:n], *right)]
        return outs, [*dots, *[full_of(0, ShapedArray(v.aval.shape, v.aval.dtype, False)) for v in outs[n:]]]

    outs = root(of_f.consts, of_solve.consts, of_dots.consts, guess)
    return tree.unflatten(of_solve.out_tree, outs)


def _run(closed: ClosedJaxpr, *args: Any) -> list[Any]:
    return eval_jaxpr(closed.jaxpr, closed.consts, *args)


def _at(closed: ClosedJaxpr, root: list[Any], consts: list[Any]) -> list[Any]:
    return _run(closed, *consts, *root)
