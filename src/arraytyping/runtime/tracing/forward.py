"""Forward differentiation: each value carries its tangent.

Source: https://docs.jax.dev/en/latest/autodidax.html, part 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.runtime.core import EVAL, Primitive, Trace, Tracer, aval_of, current_trace, escaped, use_trace
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, instantiate, is_zero, tangent_aval
from arraytyping.semantics.avals import ShapedArray

__all__ = ["JVPTrace", "JVPTracer", "jvp_flat", "jvp_jaxpr"]


class JVPTracer(Tracer):
    """A value and its tangent."""

    __slots__ = ("primal", "tangent")

    def __init__(self, trace: Trace, primal: Any, tangent: Any) -> None:
        self._trace = trace
        self.aval: ShapedArray = primal.aval
        self.primal: Any = primal
        self.tangent: Any = tangent


class JVPTrace(Trace):
    """Computes every primitive, and its tangent by the primitive's rule."""

    __slots__ = ()

    def pair(self, value: Any) -> tuple[Any, Any]:
        """The primal and the tangent of a value; a constant's is zero."""
        if type(value) is JVPTracer and value._trace is self:
            return value.primal, value.tangent
        if isinstance(value, Tracer) and value._trace.is_finished:
            raise escaped(value)
        return value, Zero(value.aval)

    def process(self, primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Any:
        """The result and its tangent.

        Raises:
            NotImplementedError: if the primitive has no rule and an argument has a tangent.
        """
        pairs = [self.pair(arg) for arg in args]
        primals = [primal for primal, _ in pairs]
        parent = self.parent
        assert parent is not None
        with use_trace(parent):
            if all(type(tangent) is Zero for _, tangent in pairs):
                return primitive.bind(*primals, **params)
            if primitive.jvp_rule is None:
                raise NotImplementedError(f"Differentiation rule for '{primitive}' not implemented")
            out, tangent = primitive.jvp_rule(primals, [tangent for _, tangent in pairs], **params)
        if primitive.multiple_results:
            return [self.tracer(o, t) for o, t in zip(out, tangent)]
        return self.tracer(out, tangent)

    def tracer(self, primal: Any, tangent: Any) -> Any:
        """A value with this tangent; the value itself where that is zero."""
        return primal if type(tangent) is Zero else JVPTracer(self, primal, tangent)


def jvp_flat(
    function: Callable[..., Sequence[Any]], primals: Sequence[Any], tangents: Sequence[Any], parent: Trace | None = None
) -> tuple[list[Any], list[Any]]:
    """The results of a function of flat arguments, and their tangents (some of them `Zero`)."""
    trace = JVPTrace(current_trace() if parent is None else parent)
    try:
        args = [p if is_zero(t) else JVPTracer(trace, p, t) for p, t in zip(primals, tangents)]
        with use_trace(trace):
            outs = function(*args)
        pairs = [trace.pair(out) for out in outs]
        return [primal for primal, _ in pairs], [tangent for _, tangent in pairs]
    finally:
        trace.finish()


def jvp_jaxpr(
    closed: ClosedJaxpr, nonzero: Sequence[bool], instantiated: bool | Sequence[bool] = False
) -> tuple[ClosedJaxpr, list[bool]]:
    """A jaxpr that takes the inputs and the tangents of some of them, and gives the results and tangents of some.

    `nonzero` says which inputs have a tangent; the second result says which results do.  `instantiated` says which
    results are to have one even where it is zero.
    """
    n = len(closed.in_avals)
    key = ("jvp", tuple(nonzero), instantiated if isinstance(instantiated, bool) else tuple(instantiated))
    if key in closed.cache:
        return closed.cache[key]  # type: ignore[no-any-return]
    out_nonzero: list[bool] = []

    def with_tangents(*args: Any) -> list[Any]:
        primals, given = args[:n], iter(args[n:])
        tangents = [next(given) if nz else Zero(p.aval) for p, nz in zip(primals, nonzero)]
        outs, out_tangents = jvp_flat(lambda *xs: eval_jaxpr(closed.jaxpr, closed.consts, *xs), primals, tangents)
        wanted = [instantiated] * len(outs) if isinstance(instantiated, bool) else instantiated
        out_nonzero[:] = [
            not is_zero(t) or (w and has_tangent(aval_of(o))) for o, t, w in zip(outs, out_tangents, wanted)
        ]
        return [*outs, *(instantiate(t) for t, nz in zip(out_tangents, out_nonzero) if nz)]

    avals = [*closed.in_avals, *(tangent_aval(a) for a, nz in zip(closed.in_avals, nonzero) if nz)]
    with use_trace(EVAL):  # an own program: nothing of the values around it is in it
        result = stage(with_tangents, avals), out_nonzero
    closed.cache[key] = result
    return result
