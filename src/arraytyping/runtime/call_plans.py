"""What each kind of call of an operation gives: worked out by its rule once, its body compiled as one program.

A kind is the abstract values of the arrays among the arguments, and the other arguments as they are.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.runtime.call_arguments import (
    Arguments,
    Slot,
    abstract,
    described,
    filled,
    quick_key,
    rebuilt,
    static_int,
    structured,
)  # fmt: skip
from arraytyping.runtime.call_looks import Look, Looks, NotFound
from arraytyping.runtime.core import EVAL, TypedScalar, raised
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.trace_state import STATE
from arraytyping.runtime.tracing.staging import stage
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.user_warnings import warn_user

__all__ = ["How", "Operation", "finished", "forget_calls"]

How = Literal["compile", "inline"]

_MEMOS: Final[list[dict[Any, Any]]] = []
"""What operations remember of the calls that there were."""


class _Plan:
    """What one kind of call gives."""

    __slots__ = ("expected", "messages", "run", "structure")

    def __init__(self, expected: Any, messages: tuple[str, ...]) -> None:
        self.expected: Any = expected
        self.messages: tuple[str, ...] = messages
        self.run: Any = None
        self.structure: Any = None


def _planned(
    name: str, body: Callable[..., Any], is_looked_at: bool, promotion: JaxPromotion, taken: Arguments,
    values: list[Any], named: dict[str, Any],
) -> _Plan:  # fmt: skip
    """What the rule says of a call whose arguments are of these types."""
    from arraytyping.semantics.rules.registry import RULES

    cx = Context(promotion)
    rule = RULES[name]
    seen = [abstract(v, is_looked_at) for v in taken.arrays]
    try:
        bound = rule.signature.bind(
            *described(filled(values, seen)), **{n: described(filled(v, seen)) for n, v in named.items()}
        )
    except TypeError as error:
        raise TypeError(f"{body.__name__}: {error}") from None
    try:
        expected = rule.function(cx, *bound.args, **bound.kwargs)
    except RuleError as error:
        raise raised(error) from None
    return _Plan(expected, tuple(dict.fromkeys(w.message for w in cx.warnings)))


def _compile(
    body: Callable[..., Any], plan: _Plan, given: Sequence[Any], values: list[Any], named: dict[str, Any]
) -> None:
    """Trace and compile the body, for arrays of these types."""

    def on_arrays(*arrays: Any) -> list[Any]:
        answer = plan.expected
        out = finished(
            body(answer, *filled(values, arrays), **{n: filled(v, arrays) for n, v in named.items()}), answer
        )
        leaves: list[Any] = []
        plan.structure = structured(out, leaves)
        return leaves

    closed: ClosedJaxpr = stage(on_arrays, [a.aval for a in given])
    plan.run = EVAL.compile(closed, body.__name__)


class Operation:
    """A public function: its body, what its parameters may be, and what each kind of call gives."""

    __slots__ = (
        "array_names", "axis_place", "body", "how", "looks", "looks_at", "memos", "name", "of_arrays", "plans",
        "positions", "programs", "recent", "rest", "variadic",
    )  # fmt: skip

    def __init__(
        self, name: str, array_names: frozenset[str], looks_at: frozenset[str], how: How, body: Callable[..., Any],
        signature: inspect.Signature,
    ) -> None:  # fmt: skip
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        names = [p.name for p in signature.parameters.values() if p.kind in kinds]
        unknown_names = array_names - set(signature.parameters)
        assert not unknown_names, f"{name}: no parameters {unknown_names}"
        self.name: str = name
        self.how: How = how
        self.body: Callable[..., Any] = body
        self.array_names: frozenset[str] = array_names
        self.looks_at: frozenset[str] = looks_at
        self.variadic: str | None = next(
            (p.name for p in signature.parameters.values() if p.kind is p.VAR_POSITIONAL), None
        )
        self.of_arrays: list[bool] = [n in array_names for n in names]
        self.positions: list[tuple[bool, bool]] = [(n in array_names, n in looks_at) for n in names]
        self.rest: tuple[bool, bool] = (self.variadic in array_names, self.variadic in looks_at)
        self.axis_place: int | None = names.index("axis") if "axis" in names else None
        self.memos: dict[int, dict[Any, _Plan]] = {}
        self.programs: dict[Any, tuple[Any, ...]] = {}
        self.plans: dict[Any, tuple[_Plan, Any]] = {}
        self.looks: Looks = Looks(self.of_arrays, array_names)
        self.recent: dict[tuple[Any, ...], Look | None] = {}
        _MEMOS.extend((self.memos, self.programs, self.plans, self.looks, self.recent))

    def call(
        self, promotion: JaxPromotion, is_quick: bool, missed: NotFound | None,
        args: tuple[Any, ...], kwargs: dict[str, Any],
    ) -> Any:  # fmt: skip
        """Take the arguments apart, find or make the plan for what they are, and compute."""
        if kwargs.get("out_sharding") is not None:
            wanted = kwargs.pop("out_sharding")
            own = self.name.rpartition(".")[2]
            return OPERATIONS.computed_into(
                own, lambda *a, **k: self.call(config.promotion(), False, None, a, k), args, kwargs, wanted
            )
        place = self.axis_place
        if place is not None and place < len(args):
            args = (*args[:place], static_int(args[place]), *args[place + 1 :])
        elif "axis" in kwargs:
            kwargs["axis"] = static_int(kwargs["axis"])
        taken = Arguments()
        positions, rest = self.positions, self.rest
        values = [taken.take(v, *(positions[i] if i < len(positions) else rest)) for i, v in enumerate(args)]
        named = {}
        for n, v in kwargs.items():
            taken.key.append(n)
            named[n] = taken.take(v, n in self.array_names, n in self.looks_at)
        plan = self._plan(promotion, taken, values, named)
        given = [v if isinstance(v, Array) else array_from(v, promotion) for v in taken.arrays]
        if self.how != "inline" and STATE.trace is EVAL:
            return self._compiled(promotion, plan, missed, given, values, named)
        if is_quick and not plan.messages and (kind := quick_key(promotion, args, self.of_arrays)) is not None:
            self.plans[kind] = plan, promotion
        answer = plan.expected
        out = self.body(answer, *filled(values, given), **{n: filled(v, given) for n, v in named.items()})
        return finished(out, answer)

    def again(self, plan: _Plan, promotion: JaxPromotion, args: tuple[Any, ...]) -> Any:
        """Compute by the body, for arrays and Python scalars by position that there is a plan for."""
        given = [v if isinstance(v, Array) else array_from(v, promotion) for v in args]
        answer = plan.expected
        return finished(self.body(answer, *given), answer)

    def _plan(self, promotion: JaxPromotion, taken: Arguments, values: list[Any], named: dict[str, Any]) -> _Plan:
        """What such a call gives; what the rule warns of is said each time."""
        memo = self.memos.setdefault(id(promotion), {})
        key: Any = tuple(taken.key)
        try:
            plan = memo.get(key)
        except TypeError:  # an argument without a hash
            plan = key = None
        if plan is None:
            plan = _planned(self.name, self.body, bool(self.looks_at), promotion, taken, values, named)
            if key is not None:
                memo[key] = plan
        if plan.messages:
            warn_user(plan.messages)
        return plan

    def _compiled(
        self, promotion: JaxPromotion, plan: _Plan, missed: NotFound | None, given: list[Any],
        values: list[Any], named: dict[str, Any],
    ) -> Any:  # fmt: skip
        """Compute by the body as one program, and keep that where calls of this kind are known to find it."""
        if plan.run is None:
            _compile(self.body, plan, given, values, named)
        assert plan.run is not None
        if missed is not None and not plan.messages and len(missed.buffers) == len(given):
            missed.keep(promotion, plan.run, None if type(plan.structure) is Slot else plan.structure)
        return rebuilt(plan.structure, iter(plan.run(given)))


def forget_calls() -> None:
    """Let go of every compiled operation; the next call of each is traced and compiled again."""
    for memo in _MEMOS:
        memo.clear()


def finished(out: Any, expected: Any) -> Any:
    """The result as the rule says it is: its dtype and weak type are the rule's."""
    if isinstance(out, Array) and isinstance(expected, ShapedArray):
        aval = out.aval
        if expected.dtype is None or expected.weak_type is None:
            return materialized(out)
        assert expected.shape is None or all(e is None or e == s for e, s in zip(expected.shape, aval.shape or ())), (
            f"the rule says {expected}, the function gave {aval}"
        )
        if aval.dtype != expected.dtype or aval.weak_type != expected.weak_type:
            return convert_to(out, expected.dtype, expected.weak_type)
        return materialized(out)
    if isinstance(out, tuple | list):
        if isinstance(expected, tuple | list) and len(expected) == len(out):
            items = [finished(o, e) for o, e in zip(out, expected)]
        else:
            items = [finished(o, None) for o in out]
        return type(out)(*items) if hasattr(out, "_fields") else type(out)(items)
    return materialized(out) if isinstance(out, TypedScalar) else out
