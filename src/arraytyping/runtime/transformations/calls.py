"""Primitives that call a jaxpr: `jit`, and `checkpoint`, whose equations are computed again for the backward pass.

Inner jaxprs have no constants: what a function closes over is an argument of the equation.

Source: https://docs.jax.dev/en/latest/autodidax.html, parts 3 and 4;
https://docs.jax.dev/en/latest/_autosummary/jax.checkpoint.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.runtime.core import EVAL, Primitive
from arraytyping.runtime.jaxpr.dce import dce_closed, dce_jaxpr
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Var
from arraytyping.runtime.lax.barriers import optimization_barrier_p
from arraytyping.runtime.tracing.batching import Axis, batch_jaxpr, move_batch_dim
from arraytyping.runtime.tracing.forward import jvp_jaxpr
from arraytyping.runtime.tracing.partial_eval import PartialTrace, partial_eval_jaxpr
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.runtime.tracing.transposing import is_linear, transpose_jaxpr

__all__ = ["hoisted", "jit_p", "remat_p"]


def hoisted(closed: ClosedJaxpr) -> tuple[ClosedJaxpr, list[Any]]:
    """The same jaxpr with its constants as its first arguments, and their values."""
    if not closed.consts:
        return closed, []
    jaxpr = closed.jaxpr
    return ClosedJaxpr(Jaxpr([], [*jaxpr.constvars, *jaxpr.invars], jaxpr.eqns, jaxpr.outvars), []), closed.consts


def _rule(cx: Any, *avals: Any, jaxpr: ClosedJaxpr, **params: Any) -> list[Any]:
    return jaxpr.out_avals


jit_p: Final = Primitive("jit", _rule, multiple_results=True, has_jaxprs=True)
remat_p: Final = Primitive("checkpoint", _rule, multiple_results=True, has_jaxprs=True)


def _evaluate_jit(*args: Any, jaxpr: ClosedJaxpr, name: str, donated: tuple[int, ...] = ()) -> list[Any]:
    run = jaxpr.cache.get(("compiled", name, donated))
    if run is None:
        needed, _ = dce_closed(jaxpr, [True] * len(jaxpr.out_avals), True)
        run = jaxpr.cache["compiled", name, donated] = EVAL.compile(needed, name, donated)
    return run(args)  # type: ignore[no-any-return]


def _evaluate_remat(*args: Any, jaxpr: ClosedJaxpr, **params: Any) -> list[Any]:
    return eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, *args)


jit_p.eval_rule = _evaluate_jit
remat_p.eval_rule = _evaluate_remat


def _without_donation(params: dict[str, Any]) -> dict[str, Any]:
    """The parameters for a derived jaxpr: its arguments are others, so none is given away."""
    return {k: () if k == "donated" else v for k, v in params.items() if k != "jaxpr"}


def _unused_left_out(used: Sequence[bool], eqn: JaxprEqn) -> JaxprEqn:
    inner: ClosedJaxpr = eqn.params["jaxpr"]
    closed, used_inputs = dce_closed(inner, used)
    if closed is inner:
        return eqn
    invars = [v for v, u in zip(eqn.invars, used_inputs) if u]
    outvars = [v for v, u in zip(eqn.outvars, used) if u]
    params = {"jaxpr": closed, **_without_donation(eqn.params)}
    return JaxprEqn(invars, outvars, eqn.primitive, params, eqn.source)


jit_p.dce_rule = _unused_left_out
remat_p.dce_rule = _unused_left_out


def _install(primitive: Primitive) -> None:
    def jvp(primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: ClosedJaxpr, **params: Any) -> Any:
        nonzero = [not is_zero(t) for t in tangents]
        derived, out_nonzero = jvp_jaxpr(jaxpr, nonzero)
        outs = primitive.bind(
            *primals, *(t for t in tangents if not is_zero(t)), jaxpr=derived, **_without_donation(params)
        )
        n = len(jaxpr.out_avals)
        given = iter(outs[n:])
        return outs[:n], [next(given) if nz else Zero(o.aval) for o, nz in zip(outs[:n], out_nonzero)]

    def batch(axis: Axis, args: Sequence[Any], dims: Sequence[Any], *, jaxpr: ClosedJaxpr, **params: Any) -> Any:
        moved = [a if d is None else move_batch_dim(axis, a, d, 0) for a, d in zip(args, dims)]
        derived, out_batched = batch_jaxpr(jaxpr, axis, [d is not None for d in dims])
        outs = primitive.bind(*moved, jaxpr=derived, **_without_donation(params))
        return outs, [0 if b else None for b in out_batched]

    def transpose(cts: Sequence[Any], *args: Any, jaxpr: ClosedJaxpr, **params: Any) -> list[Any]:
        linear = [is_linear(a) for a in args]
        nonzero = [not is_zero(ct) for ct in cts]
        derived = transpose_jaxpr(jaxpr, linear, nonzero)
        given = [a for a, lin in zip(args, linear) if not lin]
        if params.get("prevent_cse") and given:
            given = optimization_barrier_p.bind(*given)  # else the compiler finds the first computation in the second
        outs = iter(
            jit_p.bind(
                *given, *(ct for ct in cts if not is_zero(ct)), jaxpr=derived, name=params.get("name", "checkpoint")
            )
        )
        return [next(outs) if lin else None for lin in linear]

    primitive.jvp_rule = jvp
    primitive.batching_rule = batch
    primitive.transpose_rule = transpose


_install(jit_p)
_install(remat_p)


def _partial_eval_jit(trace: PartialTrace, args: Sequence[Any], params: dict[str, Any]) -> list[Any]:
    jaxpr: ClosedJaxpr = params["jaxpr"]
    rest = _without_donation(params)
    unknown = [trace.is_unknown(a) for a in args]
    known_jaxpr, unknown_jaxpr, out_unknown, n_residuals = partial_eval_jaxpr(jaxpr, unknown)
    known_jaxpr, consts = hoisted(known_jaxpr)
    given = [*consts, *(a for a, u in zip(args, unknown) if not u)]
    known = trace.bind_known(jit_p, given, {"jaxpr": known_jaxpr, **rest})
    known, residuals = known[: len(known) - n_residuals], known[len(known) - n_residuals :]
    outs = trace.record(
        jit_p,
        [*residuals, *(a for a, u in zip(args, unknown) if u)],
        {"jaxpr": unknown_jaxpr, **rest},
        unknown_jaxpr.out_avals,
    )
    of_known, of_unknown = iter(known), iter(outs)
    return [next(of_unknown) if u else next(of_known) for u in out_unknown]


def _partial_eval_remat(trace: PartialTrace, args: Sequence[Any], params: dict[str, Any]) -> list[Any]:
    jaxpr: ClosedJaxpr = params["jaxpr"]
    rest = {k: v for k, v in params.items() if k != "jaxpr"}
    unknown = [trace.is_unknown(a) for a in args]
    first, again, consts, out_unknown, n_saved = _split_remat(jaxpr, unknown, params.get("policy"))
    given = [*consts, *(a for a, u in zip(args, unknown) if not u)]
    known = trace.bind_known(remat_p, given, {"jaxpr": first, **rest})
    known, saved = known[: len(known) - n_saved], known[len(known) - n_saved :]
    outs = trace.record(remat_p, [*consts, *saved, *args], {"jaxpr": again, **rest}, again.out_avals)
    of_known, of_unknown = iter(known), iter(outs)
    return [next(of_unknown) if u else next(of_known) for u in out_unknown]


def _split_remat(
    closed: ClosedJaxpr, unknown: Sequence[bool], policy: Callable[..., bool] | None
) -> tuple[ClosedJaxpr, ClosedJaxpr, list[Any], list[bool], int]:
    """The jaxpr of what is known, with what the policy keeps as last results, and that of all else.

    The second takes what is kept before the inputs, and computes again what else it needs; both take the constants
    first, the third result.  The fourth says which results are unknown, the fifth how many values are kept.
    """
    key = ("checkpoint", tuple(unknown), policy)
    if key in closed.cache:
        return closed.cache[key]  # type: ignore[no-any-return]
    known_jaxpr, unknown_jaxpr, out_unknown, n_residuals = partial_eval_jaxpr(closed, unknown)
    known = known_jaxpr.jaxpr if policy is None else _inlined(known_jaxpr.jaxpr)
    kept: dict[Atom, Var] = {}
    if policy is not None:
        for eqn in known.eqns:
            if policy(eqn.primitive, *[v.aval for v in eqn.invars], **eqn.params):
                kept.update((v, Var(v.aval)) for v in eqn.outvars)
    n_known = len(known.outvars) - n_residuals
    residuals = zip(unknown_jaxpr.jaxpr.invars, known.outvars[n_known:])
    renamed: dict[Atom, Atom] = {**kept, **{r: kept.get(v, v) for r, v in residuals}}
    eqns = [
        JaxprEqn([renamed.get(v, v) for v in eqn.invars], eqn.outvars, eqn.primitive, eqn.params, eqn.source)
        for eqn in (*known.eqns, *unknown_jaxpr.eqns)
        if kept.keys().isdisjoint(eqn.outvars)
    ]
    of_known, of_unknown = iter(known.invars), iter(unknown_jaxpr.jaxpr.invars[n_residuals:])
    invars = [next(of_unknown) if u else next(of_known) for u in unknown]
    outvars = [renamed.get(v, v) for v in unknown_jaxpr.jaxpr.outvars]
    n_consts, saved = len(known.constvars), list(kept.values())
    again, used = dce_jaxpr(
        Jaxpr([], [*known.constvars, *saved, *invars], eqns, outvars), [True] * len(outvars),
        [True] * n_consts + [False] * len(saved) + [True] * len(invars),
    )  # fmt: skip
    needed = [v for v, u in zip(kept, used[n_consts:]) if u]
    first = Jaxpr([], [*known.constvars, *known.invars], known.eqns, [*known.outvars[:n_known], *needed])
    first, _ = dce_jaxpr(first, [True] * len(first.outvars), True)
    result = ClosedJaxpr(first, []), ClosedJaxpr(again, []), known_jaxpr.consts, out_unknown, len(needed)
    closed.cache[key] = result
    return result


def _inlined(jaxpr: Jaxpr) -> Jaxpr:
    """The jaxpr with the equations of the jitted functions that it calls in their place: a policy is asked of each."""
    renamed: dict[Atom, Atom] = {}
    eqns: list[JaxprEqn] = []

    def enter(inner: Jaxpr) -> None:
        for eqn in inner.eqns:
            invars = [renamed.get(v, v) for v in eqn.invars]
            if eqn.primitive is jit_p:
                called = eqn.params["jaxpr"].jaxpr
                outer = dict(renamed)
                renamed.update(zip(called.invars, invars))
                enter(called)
                results = [renamed.get(v, v) for v in called.outvars]
                renamed.clear()
                renamed.update(outer)
                renamed.update(zip(eqn.outvars, results))
                continue
            outvars = [Var(v.aval) for v in eqn.outvars]  # a function may be called twice
            renamed.update(zip(eqn.outvars, outvars))
            eqns.append(JaxprEqn(invars, outvars, eqn.primitive, eqn.params, eqn.source))

    enter(jaxpr)
    return Jaxpr(jaxpr.constvars, jaxpr.invars, eqns, [renamed.get(v, v) for v in jaxpr.outvars])


jit_p.partial_eval_rule = _partial_eval_jit
remat_p.partial_eval_rule = _partial_eval_remat
