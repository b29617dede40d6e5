"""Primitives that call a jaxpr: `jit`, and `checkpoint`, of which `remat` says what is computed again.

Inner jaxprs have no constants: what a function closes over is an argument of the equation.

Source: https://docs.jax.dev/en/latest/autodidax.html, parts 3 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping import config
from arraytyping.runtime.core import EVAL, Primitive
from arraytyping.runtime.jaxpr.dce import dce_closed
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, JaxprEqn
from arraytyping.runtime.lax.barriers import optimization_barrier_p
from arraytyping.runtime.tracing.batching import Axis, batch_jaxpr, move_batch_dim
from arraytyping.runtime.tracing.forward import jvp_jaxpr
from arraytyping.runtime.tracing.partial_eval import PartialTrace, partial_eval_jaxpr
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.runtime.tracing.transposing import is_linear, transpose_jaxpr
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.control_flow import check_types

__all__ = ["called", "hoisted", "jit_p", "remat_p"]


def hoisted(closed: ClosedJaxpr) -> tuple[ClosedJaxpr, list[Any]]:
    """The same jaxpr with its constants as its first arguments, and their values."""
    if not closed.consts:
        return closed, []
    jaxpr = closed.jaxpr
    return ClosedJaxpr(Jaxpr([], [*jaxpr.constvars, *jaxpr.invars], jaxpr.eqns, jaxpr.outvars), []), closed.consts


def called(cx: Any, *avals: ShapedArray, jaxpr: ClosedJaxpr, **params: Any) -> list[ShapedArray]:
    """The results of a call of a jaxpr.

    Raises:
        DtypeError, ShapeError: for operands of other types than the jaxpr takes.
    """
    check_types("the operands of the call", avals, jaxpr.in_avals)
    return jaxpr.out_avals


jit_p: Final = Primitive("jit", called, multiple_results=True, has_jaxprs=True)
remat_p: Final = Primitive("checkpoint", called, multiple_results=True, has_jaxprs=True)


def _evaluate_jit(*args: Any, jaxpr: ClosedJaxpr, name: str, donated: tuple[int, ...] = ()) -> list[Any]:
    key = "compiled", name, donated, config.read("debug_nans"), config.read("debug_infs")
    run = jaxpr.cache.get(key)
    if run is None:
        needed, _ = dce_closed(jaxpr, [True] * len(jaxpr.out_avals), True)
        run = jaxpr.cache[key] = EVAL.compile(needed, name, donated)
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


jit_p.partial_eval_rule = _partial_eval_jit
