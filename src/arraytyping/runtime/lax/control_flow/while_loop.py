"""`while_loop`: a function is applied to its own result as long as a predicate holds.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping import config
from arraytyping.errors import ConcretizationTypeError
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import convert_to, materialized
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, short_aval
from arraytyping.runtime.lax.control_flow.bodies import (
    Body,
    check_carry,
    handed_on,
    leaves_of,
    made_to_differ,
    rearranged,
    run_compiled,
    select_by,
    split,
    structure_of_tuple,
    traced,
    with_fixed,
)
from arraytyping.runtime.tracebacks import api_boundary
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.control_flow import check_types, promoted_carry

__all__ = ["while_loop", "while_p"]


def _rule(
    cx: Any, *avals: ShapedArray, cond_jaxpr: ClosedJaxpr, cond_nconsts: int, body_jaxpr: ClosedJaxpr, body_nconsts: int
) -> list[ShapedArray]:
    cond_consts, body_consts, carry = split(avals, cond_nconsts, body_nconsts)
    check_types("the operands of the predicate of while", [*cond_consts, *carry], cond_jaxpr.in_avals)
    check_types("the predicate of while", cond_jaxpr.out_avals, [ShapedArray((), "bool")])
    check_types("the operands of the body of while", [*body_consts, *carry], body_jaxpr.in_avals)
    check_types("the carry that the body of while gives", body_jaxpr.out_avals, carry)
    return body_jaxpr.out_avals


while_p: Final = Primitive("while", _rule, multiple_results=True, has_jaxprs=True)
while_p.eval_rule = lambda *args, **params: run_compiled(while_p, params["body_jaxpr"], args, params)


@api_boundary
def while_loop(cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any) -> Any:
    """`jax.lax.while_loop`: `body_fun` applied again and again, from `init_val` on, while `cond_fun` of it holds.

    It can be differentiated forward, not in reverse.

    Raises:
        TypeError: if an argument is no function, the predicate no bool without dimensions, or the body's result of
        another
            structure, shape or dtype than its argument.
    """
    if not (callable(body_fun) and callable(cond_fun)):
        raise TypeError(
            f"lax.while_loop: body_fun and cond_fun arguments should be callable, got {cond_fun!r:.60} and "
            f"{body_fun!r:.60}"
        )
    leaves, in_tree = leaves_of(init_val, body_fun)
    if config.jit_is_disabled():
        value = tree.unflatten(in_tree, map(materialized, leaves))
        try:
            goes_on = bool(cond_fun(value))
        except ConcretizationTypeError:
            goes_on = None  # traced by a transformation around this
        if goes_on is not None:
            while goes_on:
                value = body_fun(value)
                goes_on = bool(cond_fun(value))
            return value
    args_tree = structure_of_tuple(in_tree)

    def both() -> tuple[Body, Body]:
        avals = [leaf.aval for leaf in leaves]
        cond = traced(cond_fun, args_tree, avals)
        body = traced(body_fun, args_tree, avals)
        if not cond.out_tree.is_leaf():
            raise TypeError(f"cond_fun must return a boolean scalar, but got pytree {cond.out_tree}")
        (pred,) = cond.out_avals
        if pred.shape != () or pred.dtype != "bool":
            raise TypeError(f"cond_fun must return a boolean scalar, but got {short_aval(pred)}")
        return cond, body

    cond, body = both()
    if len(body.out_avals) == len(leaves):
        wanted = [promoted_carry(config.promotion(), leaf.aval, out) for leaf, out in zip(leaves, body.out_avals)]
        if wanted != [leaf.aval for leaf in leaves]:
            leaves = [convert_to(leaf, str(w.dtype), bool(w.weak_type)) for leaf, w in zip(leaves, wanted)]
            cond, body = both()
        while (differing := made_to_differ(body_fun, leaves, body.out_avals)) is not leaves:
            leaves = differing
            cond, body = both()
    check_carry("while_loop body", body_fun, in_tree, [v.aval for v in leaves], body.out_tree, body.out_avals)
    # what the body only hands on, and the predicate does not look at, is no carry: it stays unbatched where others are
    # not
    used = {v for eqn in cond.jaxpr.eqns for v in eqn.invars} | set(cond.jaxpr.jaxpr.outvars)
    seen = [v in used for v in cond.jaxpr.jaxpr.invars[len(cond.consts) :]]
    fixed = [f and not s for f, s in zip(handed_on(body.jaxpr, len(body.consts), len(leaves)), seen)]
    changing = [i for i, f in enumerate(fixed) if not f]
    n = len(cond.consts)
    cond_jaxpr = rearranged(cond.jaxpr, [*range(n), *(n + i for i in changing)])
    outs = iter(
        while_p.bind(
            *cond.consts, *body.consts, *select_by(fixed, leaves), *(leaves[i] for i in changing),
            cond_jaxpr=cond_jaxpr, cond_nconsts=n,
            body_jaxpr=with_fixed(body.jaxpr, len(body.consts), fixed), body_nconsts=len(body.consts) + sum(fixed),
        )
    )  # fmt: skip
    return tree.unflatten(body.out_tree, [materialized(v) if f else next(outs) for v, f in zip(leaves, fixed)])
