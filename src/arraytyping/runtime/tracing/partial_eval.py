"""Partial evaluation: compute what is known now, and record the rest as a jaxpr.

A known value is not wrapped; a tracer of this trace is an unknown one.  What an unknown equation needs of the known
values are the constants of the recorded jaxpr, its *residuals*.

Source: https://docs.jax.dev/en/latest/autodidax.html, part 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.runtime.core import EVAL, Primitive, current_trace, use_trace
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, JaxprEqn, Var
from arraytyping.runtime.tracing.forward import jvp_flat
from arraytyping.runtime.tracing.staging import StagedTracer, StagingTrace, stage, user_source
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, is_zero, tangent_aval

__all__ = ["PartialTrace", "linearize_flat", "partial_eval_jaxpr"]


class PartialTrace(StagingTrace):
    """Hands on what has known arguments only, and records what has not."""

    __slots__ = ()
    inlines = False  # reading a value would wait for it

    def is_unknown(self, value: Any) -> bool:
        """Whether a value is known only when the recorded jaxpr runs."""
        return type(value) is StagedTracer and value._trace is self

    def process(self, primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Any:
        """The result, if all arguments are known; else a tracer."""
        if not any(type(arg) is StagedTracer and arg._trace is self for arg in args):
            parent = self.parent
            assert parent is not None
            with use_trace(parent):
                return primitive.bind(*args, **params)
        if primitive.partial_eval_rule is not None:
            return primitive.partial_eval_rule(self, args, params)
        return super().process(primitive, args, params)

    def bind_known(self, primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Any:
        """Apply a primitive to known values, on the trace around this one."""
        assert self.parent is not None
        with use_trace(self.parent):
            return primitive.bind(*args, **params)

    def record(
        self, primitive: Primitive, args: Sequence[Any], params: dict[str, Any], avals: Sequence[Any]
    ) -> list[StagedTracer]:
        """Record an equation whose results have these abstract values, whatever its arguments are."""
        outvars = [Var(aval) for aval in avals]
        self.eqns.append(JaxprEqn([self.atom(a) for a in args], outvars, primitive, params, user_source()))
        return [StagedTracer(self, var) for var in outvars]


def partial_eval_jaxpr(
    closed: ClosedJaxpr, unknown: Sequence[bool], out_unknown_at_least: Sequence[bool] | None = None
) -> tuple[ClosedJaxpr, ClosedJaxpr, list[bool], int]:
    """Split a jaxpr by which inputs are unknown.

    Returns the known jaxpr (known inputs to known results, then residuals), the unknown one (residuals, then unknown
    inputs, to unknown results), which results are unknown, and the number of residuals.
    """
    key = ("partial", tuple(unknown), None if out_unknown_at_least is None else tuple(out_unknown_at_least))
    if key in closed.cache:
        return closed.cache[key]  # type: ignore[no-any-return]
    found: list[Any] = []

    def known_part(*known: Any) -> list[Any]:
        trace = PartialTrace(current_trace())
        given = iter(known)
        args = [trace.new_arg(a) if u else next(given) for a, u in zip(closed.in_avals, unknown)]
        try:
            with use_trace(trace):
                outs = eval_jaxpr(closed.jaxpr, closed.consts, *args)
            least = out_unknown_at_least or [False] * len(outs)
            out_unknown = [trace.is_unknown(out) or u for out, u in zip(outs, least)]
            rest = trace.closed(
                [a._var for a, u in zip(args, unknown) if u], [o for o, u in zip(outs, out_unknown) if u]
            )
        finally:
            trace.finish()
        found[:] = rest.jaxpr, out_unknown
        return [*(o for o, u in zip(outs, out_unknown) if not u), *rest.consts]

    with use_trace(EVAL):
        known = stage(known_part, [a for a, u in zip(closed.in_avals, unknown) if not u])
    rest, out_unknown = found
    n_residuals = len(rest.constvars)
    unknown_jaxpr = ClosedJaxpr(Jaxpr([], [*rest.constvars, *rest.invars], rest.eqns, rest.outvars), [])
    result = known, unknown_jaxpr, out_unknown, n_residuals
    closed.cache[key] = result
    return result


def linearize_flat(
    function: Callable[..., Sequence[Any]], primals: Sequence[Any], active: Sequence[bool]
) -> tuple[list[Any], ClosedJaxpr, list[Any]]:
    """The results of a function of flat arguments, and the jaxpr of the linear map between tangents.

    `active` says which arguments get a tangent.  The third result holds, for each result of the function, None where
    its tangent is the next result of the jaxpr, and a `Zero` where it is none.
    """
    trace = PartialTrace(current_trace())
    try:
        inputs = [trace.new_arg(tangent_aval(p.aval)) for p, a in zip(primals, active) if a]
        given = iter(inputs)
        tangents = [next(given) if a else Zero(p.aval) for p, a in zip(primals, active)]
        outs, out_tangents = jvp_flat(function, primals, tangents, parent=trace)
        zeros = [t if is_zero(t) or not has_tangent(o.aval) else None for o, t in zip(outs, out_tangents)]
        linear = trace.closed([t._var for t in inputs], [t for t, z in zip(out_tangents, zeros) if z is None])
        return outs, linear, zeros
    finally:
        trace.finish()
