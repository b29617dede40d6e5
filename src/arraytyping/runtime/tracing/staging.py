"""Stage a function: run it on tracers, and record every primitive, on constants too, in a jaxpr.

Source: https://docs.jax.dev/en/latest/autodidax.html, part 2; omnistaging,
https://github.com/jax-ml/jax/pull/3370.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from arraytyping import config
from arraytyping.runtime.core import Primitive, Trace, Tracer, TypedScalar, axes_of, current_trace, escaped, use_trace
from arraytyping.runtime.jaxpr import printer as printer  # how jaxprs print
from arraytyping.runtime.jaxpr.syntax import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Source, Var
from arraytyping.runtime.program_lines import line_of_program
from arraytyping.runtime.trace_state import STATE, manual_here
from arraytyping.runtime.varying import plain, with_axes
from arraytyping.semantics.avals import ShapedArray

__all__ = ["StagedTracer", "StagingTrace", "stage", "user_source"]


def user_source() -> Source | None:
    """The innermost line of the program that is running, outside of this package."""
    line = line_of_program(3)
    return None if line is None else Source(*line, STATE.scope)


class StagedTracer(Tracer):
    """The variable of a jaxpr that is being recorded."""

    __slots__ = ("_var",)  # `var` is a method of arrays
    _var: Var

    def __init__(self, trace: Trace, var: Var) -> None:
        self._trace = trace
        self.aval: ShapedArray = var.aval
        self._var = var


class StagingTrace(Trace):
    """Records equations; a value that is no tracer of it becomes a literal or a constant of the jaxpr."""

    __slots__ = ("constants", "eqns")
    inlines = True
    """Whether a concrete array without dimensions becomes a literal."""

    def __init__(self, parent: Trace) -> None:
        super().__init__(parent)
        self.eqns: list[JaxprEqn] = []
        self.constants: dict[int, tuple[Var, Any]] = {}  # by identity; holding the value keeps its id its own

    def made(self, tracer: Tracer) -> str:
        """The line of the equation, or that it is an argument."""
        assert isinstance(tracer, StagedTracer)
        for eqn in self.eqns:
            if tracer._var in eqn.outvars:
                return f"by {eqn.primitive}" + (f" at {eqn.source}" if eqn.source else "")
        return "as an argument"

    def new_arg(self, aval: ShapedArray) -> StagedTracer:
        """A tracer for one more input."""
        return StagedTracer(self, Var(aval))

    def atom(self, value: Any) -> Atom:
        """The variable or literal that stands for a value.

        Raises:
            UnexpectedTracerError: for a tracer of a trace that is over.
        """
        if isinstance(value, StagedTracer) and value._trace is self:
            return value._var
        if isinstance(value, TypedScalar):
            return Literal(value.value, value.aval)
        known = self.constants.get(id(value))
        if known is not None:
            return known[0]
        if isinstance(value, Tracer):
            if value._trace.is_finished:
                raise escaped(value)
        elif self.inlines and value.aval.shape == () and (literal := value._literal()) is not None:
            return Literal(literal, value.aval)
        var = Var(_constant_aval(value))
        self.constants[id(value)] = (var, value)
        return var

    def process(self, primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Any:
        """Record the equation, and give tracers for its results."""
        if primitive.staging_rule is not None:
            args, params = primitive.staging_rule(args, **params)
        invars = [arg._var if type(arg) is StagedTracer and arg._trace is self else self.atom(arg) for arg in args]
        avals = primitive.abstract_eval([v.aval for v in invars], params)
        source = user_source()
        if primitive.multiple_results:
            outvars = [Var(aval) for aval in avals]
            self.eqns.append(JaxprEqn(invars, outvars, primitive, params, source))
            return [StagedTracer(self, var) for var in outvars]
        out = Var(avals)
        self.eqns.append(JaxprEqn(invars, [out], primitive, params, source))
        return StagedTracer(self, out)

    def closed(self, invars: Sequence[Var], outs: Sequence[Any]) -> ClosedJaxpr:
        """The jaxpr of what was recorded, with these inputs and results."""
        outvars = [self.atom(out) for out in outs]
        constvars = [var for var, _ in self.constants.values()]
        return ClosedJaxpr(
            Jaxpr(constvars, invars, self.eqns, outvars), [value for _, value in self.constants.values()]
        )


def _constant_aval(value: Any) -> ShapedArray:
    """The abstract value of a constant; within a mesh also along which axes it differs."""
    manual = manual_here()
    if manual is None:
        return value.aval  # type: ignore[no-any-return]
    if not manual.check:
        return plain(value.aval)
    return with_axes(value.aval, axes_of(value))


def stage(function: Callable[..., Sequence[Any]], avals: Sequence[ShapedArray]) -> ClosedJaxpr:
    """The jaxpr of a function of flat arguments that gives a sequence of arrays.

    Raises:
        UnexpectedTracerError: if a result is a tracer of a function whose transformation is over.
        Exception: if it is checked whether tracers are kept when the function was traced, and some are.
    """
    if not config.read("check_tracer_leaks"):
        return _staged(function, avals, [])
    made: list[weakref.ref[StagingTrace]] = []
    closed = _staged(function, avals, made)
    if made[0]() is not None:
        gc.collect()
    if (trace := made[0]()) is not None:
        kept = [value for value in gc.get_referrers(trace) if isinstance(value, StagedTracer)]
        if kept:
            shown = ", ".join(f"a tracer of {value.aval} (made {trace.made(value)})" for value in kept)
            raise Exception(
                f"Leaked trace {type(trace).__name__}. Leaked tracer(s): {shown}. They are kept after the function was "
                "traced whose values they stand for, in a variable or an attribute; return the values instead"
            )
    return closed


def _staged(
    function: Callable[..., Sequence[Any]], avals: Sequence[ShapedArray], made: list[weakref.ref[StagingTrace]]
) -> ClosedJaxpr:
    trace = StagingTrace(current_trace())
    made.append(weakref.ref(trace))
    tracers = [trace.new_arg(aval) for aval in avals]
    try:
        with use_trace(trace):
            outs = function(*tracers)
        return trace.closed([t._var for t in tracers], outs)
    finally:
        trace.finish()
