"""`checkpoint` split in what is computed first and what is computed again for the backward pass.

Source: https://docs.jax.dev/en/latest/gradient-checkpointing.html; `remat_partial_eval` of
https://github.com/jax-ml/jax/blob/main/jax/_src/ad_checkpoint.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import ml_dtypes

from arraytyping.runtime.effects import IOEffect, OrderedIOEffect
from arraytyping.runtime.jaxpr.dce import dce_jaxpr
from arraytyping.runtime.jaxpr.syntax import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Var
from arraytyping.runtime.lax.reduced_precision import reduce_precision_p
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.tracing.partial_eval import PartialTrace, partial_eval_jaxpr
from arraytyping.runtime.transformations.calls import jit_p, remat_p
from arraytyping.scalars import KINDS

__all__: list[str] = []

_finfo: Final[Any] = ml_dtypes.finfo


def _partial_eval_remat(trace: PartialTrace, args: Sequence[Any], params: dict[str, Any]) -> list[Any]:
    jaxpr: ClosedJaxpr = params["jaxpr"]
    if refused := [e for e in jaxpr.effects if isinstance(e, IOEffect | OrderedIOEffect)]:
        raise NotImplementedError(
            f"Effects not supported in partial-eval of `checkpoint`/`remat`: {refused}; what is computed twice would "
            "happen twice"
        )
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
    first, _ = dce_jaxpr(_rounded(first, len(needed)), [True] * len(first.outvars), True)
    result = ClosedJaxpr(first, []), ClosedJaxpr(again, []), known_jaxpr.consts, out_unknown, len(needed)
    closed.cache[key] = result
    return result


def _rounded(jaxpr: Jaxpr, count: int) -> Jaxpr:
    """The jaxpr with its last results, the values that are kept, rounded to their dtype where it reads them itself.

    XLA may compute with more bits than a dtype has: what is computed again would be another value than what was kept
    (https://github.com/jax-ml/jax/pull/22244).
    """
    read = {v for eqn in jaxpr.eqns for v in eqn.invars}
    kept = jaxpr.outvars[len(jaxpr.outvars) - count :]
    to_round = {v for v in kept if isinstance(v, Var) and v in read and KINDS[str(v.aval.dtype)] == "f"}
    if not to_round:
        return jaxpr
    eqns: list[JaxprEqn] = []
    for eqn in jaxpr.eqns:
        found = [v for v in eqn.outvars if v in to_round]
        exact = {v: Var(v.aval) for v in found}
        if not found or eqn.primitive is reduce_precision_p:
            eqns.append(eqn)
            continue
        outvars = [exact.get(v, v) for v in eqn.outvars]
        eqns.append(JaxprEqn(eqn.invars, outvars, eqn.primitive, eqn.params, eqn.source))
        for v in found:
            bits = _finfo(np_dtype(str(v.aval.dtype)))
            params = {"exponent_bits": int(bits.nexp), "mantissa_bits": int(bits.nmant)}
            eqns.append(JaxprEqn([exact[v]], [v], reduce_precision_p, params, eqn.source))
    return Jaxpr(jaxpr.constvars, jaxpr.invars, eqns, jaxpr.outvars)


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


remat_p.partial_eval_rule = _partial_eval_remat
