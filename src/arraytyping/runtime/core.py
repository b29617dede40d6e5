"""Primitives, and the traces that give them a meaning.

A *primitive* is an operation; what it does depends on the trace in force: evaluate it, record it in a jaxpr, compute
its tangent too, or compute it on a whole batch.  `bind` hands the operation to the current trace; each trace handles
its own tracers, and hands on what it does not know to the trace around it, its parent.

`core` owns the empty slots of a primitive's rules (abstract evaluation, jvp, transpose, batching, partial
evaluation, lowering); `lax` and `xla` fill them.

Source: https://docs.jax.dev/en/latest/autodidax.html; the current trace as in JAX since 0.4.36 ("stackless").
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.basearray import Array
from arraytyping.config import _inside
from arraytyping.errors import UnexpectedTracerError
from arraytyping.runtime.cut_evaluation import CutRule, cut_by_rule
from arraytyping.runtime.cut_types import CutArray
from arraytyping.runtime.effects import Effects
from arraytyping.runtime.program_lines import line_of_program, line_text
from arraytyping.runtime.trace_state import STATE, Manual, State
from arraytyping.runtime.varying import Axes, VaryingRule, axes_by_rule, plain, varying_axes, with_axes
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError

__all__ = [
    "EvalTrace",
    "PRIMITIVES",
    "Primitive",
    "Trace",
    "Tracer",
    "TypedScalar",
    "aval_of",
    "current_trace",
    "is_eager",
    "raised",
    "use_trace",
]

_CX: Final = Context(JaxPromotion("standard", x64=True))
"""In which primitives are evaluated: what an argument's dtype is has been decided before, so nothing is narrowed."""


def raised(error: RuleError) -> Exception:
    """The exception that a mistake of a rule is at run time, with the same sentence."""
    return error.exception(error.message)


PRIMITIVES: Final[dict[str, Primitive]] = {}
"""All primitives by name, as a jaxpr that is read names them."""


class Primitive:
    """An operation with its rules, each a slot that is filled by who knows it.

    `rule(cx, *avals, **params)` is the abstract evaluation; `jvp_rule(primals, tangents, **params)` returns the
    primal and the tangent; `transpose_rule(cotangent, *args, **params)` a cotangent or None for each argument;
    `batching_rule(axis, args, dims, **params)` the result and where its batch dimension is; `partial_eval_rule`
    splits what is known from what is not; `lowering(cx, avals_in, avals_out, *operands, **params)` builds StableHLO.
    `staging_rule(args, **params)` gives the arguments and parameters of the equation that is recorded for a call, where
    they are not those of the call (functions among the parameters become jaxprs).  `dce_rule(used, eqn)` gives an
    equation of the results that are used alone.  `effects_rule(params)` says what it does besides giving results.
    `check_rule(avals, params)` is asked by the type checker of jaxprs, after `rule`: whether it could judge functions
    among the parameters, which it refuses where they do not fit.  `varying_rule` says along which axes of a mesh, over
    which a function is mapped, the operands have to differ and the results do; without it all are alike.
    `cut_rule(avals, outs, mesh, params)` says for each result along which explicit axes of a mesh it is cut, where
    operands are; without one there may be none that are.
    Where `multiple_results` holds, results are lists.  What the rule said is kept, unless parameters are functions of
    the program (`has_functions`).  One that is not registered has a rule alone, and no program here names it.
    """

    __slots__ = (
        "_memo",
        "batching_rule",
        "check_rule",
        "cut_rule",
        "dce_rule",
        "effects_rule",
        "eval_rule",
        "has_functions",
        "has_jaxprs",
        "is_collective",
        "is_elementwise",
        "jvp_rule",
        "lowering",
        "module",
        "multiple_results",
        "name",
        "partial_eval_rule",
        "rule",
        "staging_rule",
        "transpose_rule",
        "varying_rule",
    )  # fmt: skip

    def __init__(
        self, name: str, rule: Callable[..., Any] | None = None, *, multiple_results: bool = False,
        has_jaxprs: bool = False, has_functions: bool = False, is_collective: bool = False, is_registered: bool = True,
    ) -> None:  # fmt: skip
        self.name: Final = name
        self.rule: Callable[..., Any] | None = rule
        self.multiple_results: Final = multiple_results
        self.has_jaxprs: Final = has_jaxprs
        self.has_functions: Final = has_functions
        self.is_collective: Final = is_collective
        self.is_elementwise: bool = False
        self.jvp_rule: Callable[..., Any] | None = None
        self.transpose_rule: Callable[..., Any] | None = None
        self.batching_rule: Callable[..., Any] | None = None
        self.partial_eval_rule: Callable[..., Any] | None = None
        self.lowering: Callable[..., Any] | None = None
        self.eval_rule: Callable[..., Any] | None = None
        self.dce_rule: Callable[[Sequence[bool], Any], Any] | None = None
        self.effects_rule: Callable[[dict[str, Any]], Effects] | None = None
        self.check_rule: Callable[[Sequence[ShapedArray], dict[str, Any]], bool] | None = None
        self.staging_rule: Callable[..., tuple[Sequence[Any], dict[str, Any]]] | None = None
        self.varying_rule: VaryingRule | None = None
        self.cut_rule: CutRule | None = None
        self._memo: dict[Any, Any] = {}
        self.module: Final[str] = sys._getframe(1).f_globals.get("__name__", "")
        if not is_registered:
            return
        before = PRIMITIVES.get(name)
        if before is None or not _is_own(before):
            PRIMITIVES[name] = self  # one of a program's own may be made again: a notebook cell that is run twice
        else:
            assert not _is_own(self), f"there are two primitives {name}"

    def __repr__(self) -> str:
        return self.name

    def bind(self, *args: Any, **params: Any) -> Any:
        """Apply the operation to values under the current trace."""
        state = STATE
        if state.manual is not None and state.manual.check:
            args = tuple(promoted(self, args, params))
        return state.trace.process(self, args, params)

    def abstract_eval(self, avals: Sequence[ShapedArray], params: dict[str, Any]) -> Any:
        """The abstract value(s) of the result: a list where `multiple_results` holds.

        Raises:
            TypeError, ValueError...: what the rule says, as an exception of JAX's class.
        """
        if (manual := STATE.manual) is not None and manual.check:
            made = self._abstract_eval([plain(a) for a in avals], params)
            _, outs = axes_by_rule(self, [varying_axes(a) or frozenset() for a in avals], params)
            if self.multiple_results:
                return [with_axes(plain(a), axes) for a, axes in zip(made, outs)]
            return with_axes(made, outs[0])
        for aval in avals:
            if type(aval) is CutArray:
                return cut_by_rule(self, avals, params)
        return self._abstract_eval(avals, params)

    def _abstract_eval(self, avals: Sequence[ShapedArray], params: dict[str, Any]) -> Any:
        key = (*avals, *params.items())
        try:
            return self._memo[key]
        except KeyError:
            # a jaxpr lives, with its programs, as long as what it was made of
            memoize = not self.has_jaxprs and not self.has_functions
        except TypeError:  # a parameter without a hash
            memoize = False
        assert self.rule is not None, f"{self.name} has no rule"
        try:
            result = self.rule(_CX, *avals, **params)
        except RuleError as error:
            raise raised(error) from None
        if self.multiple_results:
            result = list(result)
        if memoize:
            if len(self._memo) > 4096:
                self._memo.clear()
            self._memo[key] = result
        return result


def promoted(primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Sequence[Any]:
    """The operands, those made to differ along an axis that do not, and have to: each is a copy on every device.

    Raises:
        NotImplementedError: where it is not known along which axes a value differs.
    """
    given = [axes_of(a) for a in args]
    wanted, _ = axes_by_rule(primitive, given, params)
    if callable(params.get("jaxpr")):
        return list(map(within_mesh, args))
    return [a if axes == w else vary(a, w - axes) for a, axes, w in zip(args, given, wanted)]


def axes_of(value: Any) -> Axes:
    """The axes of the mesh, over which the function here is mapped, along which a value differs.

    Raises:
        NotImplementedError: where that is not known.
    """
    here = STATE.manual
    if not isinstance(value, Tracer) or here is None or not here.is_within(made := value._trace.manual):
        return frozenset()  # from outside: the same on every device
    if made is not None and not made.check:
        return frozenset()  # from a function around this one, along whose axes nothing is followed
    axes = varying_axes(value.aval)
    if axes is None:
        raise NotImplementedError(
            f"shard_map with check_vma=True does not know along which axes a value of {value.aval} differs; use "
            "check_vma=False, and sum gradients over the mesh with psum where they have to be"
        )
    return axes


def vary(value: Any, axes: Axes) -> Any:
    """The value, as one that differs along these axes too."""
    if not axes:
        return value
    return PRIMITIVES["pvary"].bind(value, axes=axes)


def within_mesh(value: Any) -> Any:
    """A value, as one of which it is known along which axes of the mesh here it differs: from outside along none."""
    if isinstance(value, Tracer) and value._trace.manual is STATE.manual:
        return value
    return PRIMITIVES["pvary"].bind(value, axes=frozenset())


def _is_own(primitive: Primitive) -> bool:
    """Whether a primitive is this package's: what a program calls by the same name does not take its place."""
    return primitive.module.startswith("arraytyping.")


class Trace:
    """One interpretation of primitives; `parent` is the one around it, None only for evaluation.

    `started` is the line at which a program transformed the function.
    """

    __slots__ = ("__weakref__", "calls", "is_finished", "manual", "parent", "started")

    def __init__(self, parent: Trace | None) -> None:
        self.calls: dict[Any, Any] = {}  # what jitted functions that close over tracers were traced to
        self.parent: Trace | None = parent
        self.manual: Manual | None = None if parent is None else STATE.manual
        self.is_finished: bool = False
        self.started: tuple[str, int, str] | None = None if parent is None else line_of_program(3)

    def made(self, tracer: Tracer) -> str:
        """Where a tracer of this trace was made, as far as that is known; part of a sentence."""
        return ""

    def process(self, primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Any:
        """The result of a primitive on values, each a tracer of this trace or a constant to it."""
        raise NotImplementedError

    def finish(self) -> None:
        """Mark the trace as over: whoever uses one of its tracers from now on has let it escape."""
        self.is_finished = True
        self.calls = {}


class Tracer(Array):
    """A value of which, while a function is transformed, more or less than its abstract value is known."""

    __slots__ = ("_trace", "aval")
    _trace: Trace
    aval: ShapedArray

    def __init__(self, trace: Trace, aval: ShapedArray) -> None:
        self._trace = trace
        self.aval = aval


class TypedScalar(Array):
    """A constant without dimensions whose dtype is decided, before it is an operand: a literal of a jaxpr.

    `value` is the Python scalar, already of the dtype's kind; `_buffer` is set when a program has taken it.
    """

    __slots__ = ("_buffer", "aval", "value")
    value: bool | int | float | complex
    aval: ShapedArray
    _buffer: Any

    def __init__(self, value: bool | int | float | complex, aval: ShapedArray) -> None:
        self.value = value
        self.aval = aval


class EvalTrace(Trace):
    """Evaluate at once; what a primitive computes, the floor above says (`Primitive.eval_rule` or `evaluate`)."""

    __slots__ = ("argument_memory", "array_class", "array_of", "buffer_from", "buffer_of", "compile", "devices",
                 "evaluate", "flatten", "hlo_of", "hlo_text", "lower", "lying")  # fmt: skip
    argument_memory: Callable[[ShapedArray], tuple[Any, Any] | None]
    array_class: type
    buffer_from: Callable[[Any, JaxPromotion], Any]
    flatten: Callable[[Any], tuple[list[Any], Any]]
    array_of: Callable[..., Any]
    buffer_of: Callable[[Any], Any]
    evaluate: Callable[[Primitive, Sequence[Any], dict[str, Any]], Any]
    compile: Callable[..., Any]
    devices: Callable[[Any], list[Any]]
    lower: Callable[..., Any]
    lying: Callable[..., tuple[Sequence[Any], Sequence[Any]]]
    hlo_of: Callable[[Any], Any]
    hlo_text: Callable[[Any, bool], str]

    def process(self, primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Any:
        """The result on concrete arrays.

        Raises:
            UnexpectedTracerError: if an argument is a tracer, which has then left the function that it belongs to.
        """
        for arg in args:
            if isinstance(arg, Tracer):
                raise escaped(arg)
        if primitive.eval_rule is not None:
            return primitive.eval_rule(*args, **params)
        return self.evaluate(primitive, args, params)


EVAL: Final = EvalTrace(None)


State.trace = EVAL


def current_trace() -> Trace:
    """The trace that primitives go to here."""
    trace: Trace = STATE.trace
    return trace


def is_eager() -> bool:
    """Whether primitives are evaluated at once here."""
    return STATE.trace is EVAL


class use_trace:
    """A context in which primitives go to this trace (a class, since every step of a transformation enters one)."""

    __slots__ = ("before", "trace")
    before: Trace

    def __init__(self, trace: Trace) -> None:
        self.trace: Trace = trace

    def __enter__(self) -> None:
        self.before = STATE.trace
        _inside.append(None)
        STATE.trace = self.trace

    def __exit__(self, *exception: object) -> None:
        STATE.trace = self.before
        _inside.pop()


def escaped(tracer: Tracer) -> UnexpectedTracerError:
    """The exception for a tracer that is used outside of the function that it belongs to."""
    trace = tracer._trace
    made = trace.made(tracer)
    if trace.started is not None:
        made += f"{', ' if made else ''}in a transformation that began at {line_text(trace.started)}"
    return UnexpectedTracerError(
        f"Encountered an unexpected tracer: one of {tracer.aval} is used after the function that it stands for was "
        "transformed: it has escaped through global state, such as a variable or an attribute; return the value from "
        f"the transformed function instead{f' (it was made {made})' if made else ''}"
    )


def aval_of(value: Any) -> ShapedArray:
    """The abstract value of an operand of a primitive."""
    return value.aval  # type: ignore[no-any-return]
