"""The public functions of arrays: what is given is abstracted, the rule decides, then the function computes.

`@operation("numpy.add", "x", "y")` makes a function of arrays of a body that computes with primitives.  A call

1. takes the arrays out of the arguments, wherever they stand, and looks up by their abstract values and the other
   arguments what this kind of call gives;
2. the first time, evaluates the rule of that name, the same that the static tools evaluate: a mistake is raised with
   the rule's sentence, as an exception of JAX's class; otherwise the abstract value of the result is known;
3. evaluates the body as one compiled program, made once for this kind of call; under a transformation the body's
   primitives go to the trace in force.

Inside of a body every argument that is an array-like (also a Python scalar, for the parameters that are named) is an
`Array`; the others are as they were given.  `@answered` makes a function in the same way of a body that computes in the
dtype or the shape that the rule has worked out: it is given the rule's answer before its arguments.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Concatenate, Final, Literal, ParamSpec, TypeVar, cast

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.runtime.array_likes import array_from, convert_to, materialized, scalar_from
from arraytyping.runtime.call_arguments import (
    Arguments,
    OfType,
    Slot,
    abstract,
    described,
    described_type,
    filled,
    known_call,
    quick_key,
    rebuilt,
    static_int,
    structured,
)  # fmt: skip
from arraytyping.runtime.core import EVAL, TypedScalar, _state, raised
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.tracing.staging import stage
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.user_warnings import warn_user

__all__ = ["ON_KEYS", "answered", "dtype_of", "forget_calls", "operation", "type_of"]

P = ParamSpec("P")
R = TypeVar("R")
How = Literal["compile", "inline"]

_AVAL: Final = attrgetter("aval")
_BUFFER: Final = attrgetter("_buffer")
_FREQUENT: Final = frozenset((int, float))
_MEMOS: Final[list[dict[Any, Any]]] = []
"""What operations remember of the calls that there were."""


ON_KEYS: Final[dict[str, Callable[..., Any]]] = {}
"""What computes an operation on arrays of random keys; it gives `NotImplemented` if there are others among them."""


class _Plan:
    """What one kind of call gives."""

    __slots__ = ("expected", "messages", "run", "structure")

    def __init__(self, expected: Any, messages: tuple[str, ...]) -> None:
        self.expected = expected
        self.messages = messages
        self.run: Any = None
        self.structure: Any = None


def operation(
    name: str, *arrays: str, looks_at: tuple[str, ...] = (), how: How = "compile", takes_type: bool = False
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a public function of a body, by the rule `name`; `arrays` are the parameters that Python scalars may be.

    `looks_at` are those of them at whose known value the rule looks; with `how="inline"` the body is not compiled as
    one program (it is one primitive, or looks at values itself).  Where `takes_type` holds, the body asks of its first
    argument for the type alone, and anything with a shape and a dtype will do.
    """

    def decorate(body: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(body)
        function = _operation(name, frozenset(arrays), frozenset(looks_at), how, _without_answer(body), signature)
        return cast(Callable[P, R], _of_type(function) if takes_type else function)

    return decorate


def answered(
    name: str, *arrays: str, looks_at: tuple[str, ...] = (), how: How = "compile", takes_type: bool = False
) -> Callable[[Callable[Concatenate[Any, P], R]], Callable[P, R]]:
    """As `operation`, of a body that is given what the rule says of the result before its own arguments."""

    def decorate(body: Callable[Concatenate[Any, P], R]) -> Callable[P, R]:
        signature = inspect.signature(body)
        signature = signature.replace(parameters=list(signature.parameters.values())[1:])
        function = _operation(name, frozenset(arrays), frozenset(looks_at), how, body, signature)
        function.__signature__ = signature  # type: ignore[attr-defined]
        return cast(Callable[P, R], _of_type(function) if takes_type else function)

    return decorate


def _without_answer(body: Callable[P, R]) -> Callable[..., R]:
    @functools.wraps(body)
    def computed(answer: Any, *args: P.args, **kwargs: P.kwargs) -> R:
        return body(*args, **kwargs)

    return computed


def _of_type(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if args and not isinstance(args[0], Array) and (aval := described_type(args[0])) is not None:
            args = (OfType(aval), *args[1:])
        return function(*args, **kwargs)

    return call


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


def _operation(
    name: str, array_names: frozenset[str], looks_at: frozenset[str], how: How, body: Callable[..., Any],
    signature: inspect.Signature,
) -> Callable[..., Any]:  # fmt: skip
    """The function of a body that is given the rule's answer and then what the signature names."""
    names = [p.name for p in signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    variadic = next((p.name for p in signature.parameters.values() if p.kind is p.VAR_POSITIONAL), None)
    memos: dict[int, dict[Any, _Plan]] = {}
    unknown_names = array_names - set(signature.parameters)
    assert not unknown_names, f"{name}: no parameters {unknown_names}"
    positions = [(n in array_names, n in looks_at) for n in names]
    rest = (variadic in array_names, variadic in looks_at)

    programs: dict[Any, tuple[Callable[[Any], Any], Any]] = {}
    plans: dict[Any, tuple[_Plan, Any]] = {}
    mixed: dict[Any, tuple[Callable[[Any], Any], Any, Any]] = {}
    _MEMOS.extend((memos, programs, plans, mixed))
    is_compiled = how == "compile" and not looks_at and variadic is None
    quick = not looks_at and variadic is None
    of_arrays = [n in array_names for n in names]
    all_arrays = all(of_arrays)
    axis_place = names.index("axis") if "axis" in names else None

    @functools.wraps(body)
    def call(*args: Any, **kwargs: Any) -> Any:
        # Two shortcuts for what is called most, arrays and Python scalars by position.  Equal abstract values of
        # concrete arrays are one object, so that identity will do where nothing is traced.
        promotion = config.promotion()
        is_quick = quick and not kwargs and len(args) <= len(of_arrays)
        known = None
        if is_quick:
            if _state.trace is EVAL and how == "compile":
                try:
                    if all_arrays and args and type(args[-1]) in _FREQUENT:
                        args = (*args[:-1], scalar_from(args[-1], promotion))
                    program = programs.get((id(promotion), *map(id, map(_AVAL, args))))
                    buffers = None if program is None else [*map(_BUFFER, args)]
                except AttributeError:  # not concrete arrays alone
                    program = None
                if program is not None:
                    return program[0](buffers)
            elif (kind := quick_key(promotion, args, of_arrays)) is not None and kind in plans:
                given = [v if isinstance(v, Array) else array_from(v, promotion) for v in args]
                answer = plans[kind][0].expected
                return finished(body(answer, *given), answer)
        if is_compiled and _state.trace is EVAL and len(args) <= len(of_arrays):
            known = known_call(promotion, args, kwargs, of_arrays, array_names)
            if known is not None and (found := mixed.get(known[0])) is not None:
                return found[0](known[1]) if found[1] is None else rebuilt(found[1], iter(found[0](known[1])))
        try:
            return slow(promotion, is_quick, known, args, kwargs)
        except AttributeError:  # arrays of keys have no abstract value
            result = ON_KEYS[name](*args, **kwargs) if name in ON_KEYS else NotImplemented
            if result is NotImplemented:
                raise
            return result

    def slow(
        promotion: JaxPromotion, is_quick: bool, known: tuple[Any, ...] | None, args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:  # fmt: skip
        memo = memos.setdefault(id(promotion), {})
        taken = Arguments()
        if axis_place is not None and axis_place < len(args):
            args = (*args[:axis_place], static_int(args[axis_place]), *args[axis_place + 1 :])
        elif "axis" in kwargs:
            kwargs["axis"] = static_int(kwargs["axis"])
        values = [taken.take(v, *(positions[i] if i < len(positions) else rest)) for i, v in enumerate(args)]
        named = {}
        for n, v in kwargs.items():
            taken.key.append(n)
            named[n] = taken.take(v, n in array_names, n in looks_at)
        key: Any = tuple(taken.key)
        try:
            plan = memo.get(key)
        except TypeError:  # an argument without a hash
            plan = key = None
        if plan is None:
            plan = _planned(name, body, bool(looks_at), promotion, taken, values, named)
            if key is not None:
                memo[key] = plan
        if plan.messages:
            warn_user(plan.messages)
        given = [v if isinstance(v, Array) else array_from(v, promotion) for v in taken.arrays]
        if how == "inline" or _state.trace is not EVAL:
            if is_quick and not plan.messages and (kind := quick_key(promotion, args, of_arrays)) is not None:
                plans[kind] = plan, promotion
            answer = plan.expected
            out = body(answer, *filled(values, given), **{n: filled(v, given) for n, v in named.items()})
            return finished(out, answer)
        if plan.run is None:
            _compile(body, plan, given, values, named)
        assert plan.run is not None
        if not plan.messages:
            is_single = type(plan.structure) is Slot
            # promotion and abstract values are kept, so that nothing else gets their ids
            kept = promotion, [v.aval for v in given]
            if is_single and is_quick and all(isinstance(v, Array) for v in args):
                programs[(id(promotion), *map(id, kept[1]))] = plan.run.one, kept
            elif known is not None and len(known[1]) == len(given):
                mixed[known[0]] = (
                    (plan.run.one, None, kept) if is_single else (plan.run.on_buffers, plan.structure, kept)
                )
        return rebuilt(plan.structure, iter(plan.run(given)))

    call.rule_name = name  # type: ignore[attr-defined]
    call.arrays = array_names  # type: ignore[attr-defined]
    call.body = body  # type: ignore[attr-defined]
    return call


def forget_calls() -> None:
    """Let go of every compiled operation; the next call of each is traced and compiled again."""
    for memo in _MEMOS:
        memo.clear()


def dtype_of(answer: ShapedArray) -> str:
    """The dtype that the rule gives to the result of a call."""
    assert answer.dtype is not None
    return answer.dtype


def type_of(answer: ShapedArray) -> tuple[tuple[int, ...], str]:
    """The shape and the dtype that the rule gives to the result of a call, whose sizes are all known."""
    shape = cast(tuple[int, ...], answer.shape)
    return shape, dtype_of(answer)


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
