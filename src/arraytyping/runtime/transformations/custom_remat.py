"""The forward pass of `custom_vjp` with `optimize_remat`: the function itself where no residual is wanted.

That is so under `checkpoint`, which computes the residuals again for the backward pass.

Source: `jax/_src/custom_derivatives.py` of jax 0.10.2, `remat_opt_p`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.jaxpr.dce import dce_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, JaxprEqn, Var
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.runtime.tracing.forward import jvp_flat
from arraytyping.runtime.tracing.partial_eval import PartialTrace
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.transformations.calls import hoisted, jit_p
from arraytyping.runtime.transformations.custom_calls import Function, OnBatch, evaluate_call, run_call
from arraytyping.semantics.avals import ShapedArray

__all__ = ["remat_opt_p", "results_and_residuals"]


def _rule(cx: Any, *avals: ShapedArray, jaxpr: ClosedJaxpr, **params: Any) -> list[ShapedArray]:
    return jaxpr.out_avals


remat_opt_p: Final = Primitive("remat_opt", _rule, multiple_results=True, has_jaxprs=True)
"""`jaxpr` gives results and residuals, `fun` the results alone; once recorded, both take the same arguments."""


def results_and_residuals(
    forward: Callable[[Sequence[Any]], tuple[list[Any], list[Any]]], fun: Function, values: Sequence[Any], name: str
) -> tuple[list[Any], list[Any]]:
    """What a forward pass gives, of which the function itself remains where the residuals are not used.

    A residual that is an argument is used as such.
    """
    count = 0
    places: list[int | None] = []

    def flat(*xs: Any) -> list[Any]:
        nonlocal count
        outs, residuals = forward(xs)
        count = len(outs)
        places[:] = [next((i for i, x in enumerate(xs) if x is r), None) for r in residuals]
        return [*outs, *(r for r, place in zip(residuals, places) if place is None)]

    found = remat_opt_p.bind(*values, jaxpr=flat, fun=fun, name=name)
    rest = iter(found[count:])
    return found[:count], [next(rest) if place is None else values[place] for place in places]


def _staged(args: Sequence[Any], *, jaxpr: Function, fun: Function, name: str) -> tuple[Sequence[Any], dict[str, Any]]:
    if isinstance(jaxpr, ClosedJaxpr):
        return args, {"jaxpr": jaxpr, "fun": fun, "name": name}
    avals = [a.aval for a in args]
    first, consts = hoisted(stage(jaxpr, avals))
    second, others = hoisted(stage(lambda *xs: run_call(fun, xs), avals))
    n, m = len(consts), len(others)
    not_first, not_second = [Var(c.aval) for c in others], [Var(c.aval) for c in consts]
    return [*consts, *others, *args], {
        "jaxpr": _taking(first, [*first.jaxpr.invars[:n], *not_first, *first.jaxpr.invars[n:]]),
        "fun": _taking(second, [*not_second, *second.jaxpr.invars[:m], *second.jaxpr.invars[m:]]),
        "name": name,
    }


def _taking(closed: ClosedJaxpr, invars: list[Var]) -> ClosedJaxpr:
    return ClosedJaxpr(Jaxpr([], invars, closed.jaxpr.eqns, closed.jaxpr.outvars), [])


def _inlined(trace: PartialTrace, args: Sequence[Any], params: dict[str, Any]) -> list[Any]:
    return run_call(params["jaxpr"], args)


def _jvp(primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: Function, **params: Any) -> Any:
    return jvp_flat(lambda *xs: run_call(jaxpr, xs), primals, tangents)


def _batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, jaxpr: Function, fun: Function, name: str
) -> tuple[list[Any], list[int | None]]:
    first, second = OnBatch(jaxpr, axis, dims, True), OnBatch(fun, axis, dims, True)
    outs = remat_opt_p.bind(*args, jaxpr=first, fun=second, name=name)
    return outs, [0] * len(outs)


def _without_residuals(used: Sequence[bool], eqn: JaxprEqn) -> JaxprEqn:
    fun: ClosedJaxpr = eqn.params["fun"]
    n = len(fun.out_avals)
    if any(used[n:]):
        return eqn
    jaxpr, used_inputs = dce_jaxpr(fun.jaxpr, used[:n])
    invars = [v for v, u in zip(eqn.invars, used_inputs) if u]
    outvars = [v for v, u in zip(eqn.outvars, used) if u]
    params = {"jaxpr": ClosedJaxpr(jaxpr, []), "name": eqn.params["name"]}
    return JaxprEqn(invars, outvars, jit_p, params, eqn.source)


remat_opt_p.eval_rule = evaluate_call
remat_opt_p.staging_rule = _staged
remat_opt_p.partial_eval_rule = _inlined
remat_opt_p.jvp_rule = _jvp
remat_opt_p.batching_rule = _batch
remat_opt_p.dce_rule = _without_residuals
