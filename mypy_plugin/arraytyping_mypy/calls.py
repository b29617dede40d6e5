"""One call of a rule from a hook: evaluate it on abstract values, report its mistake, make the result's type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from mypy.nodes import Context
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from arraytyping.scalars import NAMES
from arraytyping.semantics.avals import UNKNOWN, Alternatives, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.promotion.jax import WEAK, Element, JaxPromotion
from arraytyping.semantics.rules.errors import NotArrayLikeError, RuleError
from arraytyping.semantics.rules.evaluation import BindError
from arraytyping.semantics.rules.registry import evaluate
from arraytyping.semantics.rules.rule_warnings import RuleWarning
from arraytyping_mypy.convert import KEY, array_type
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.session import Session

__all__ = ["Answer", "answer", "report", "result_type"]


class Answer:
    """What a rule says of a call: the value under each promotion system, or a certain error; and warnings."""

    __slots__ = ("error", "type", "value", "warnings")

    def __init__(self, value: Any, error: RuleError | None, warnings: tuple[RuleWarning, ...]) -> None:
        self.value = value
        self.error = error
        self.warnings = warnings
        self.type: Type | None = None


def answer(rule: str, args: Sequence[Any], kwargs: dict[str, Any], session: Session) -> Answer | None:
    """Evaluate a rule under the promotion systems in force; None if the arguments do not fit its signature."""
    if not session.knows(rule):
        return None
    memo = session.memo
    try:
        key = (rule, *map(memo.number, args))
        if kwargs:
            key = (key, *kwargs, *map(memo.number, kwargs.values()))
    except TypeError:  # something unhashable that the memo does not know
        return _answer(rule, args, kwargs, session.promotions)
    try:
        return memo.answers[key]  # type: ignore[no-any-return]
    except KeyError:
        made = memo.answers[key] = _answer(rule, args, kwargs, session.promotions)
        return made


def _answer(
    rule: str, args: Sequence[Any], kwargs: dict[str, Any], promotions: tuple[JaxPromotion, ...]
) -> Answer | None:
    values: list[Any] = []
    errors: list[RuleError] = []
    warnings: list[frozenset[RuleWarning]] = []
    kinds = set() if rule.startswith("random.") else {k for a in (*args, *kwargs.values()) for k in _kinds_of_keys(a)}
    if kinds:  # the other rules know no keys, which take part in what moves items alone
        args, kwargs = [_without_keys(a) for a in args], {k: _without_keys(v) for k, v in kwargs.items()}
    for promotion in promotions:
        try:
            outcome = evaluate(
                rule,
                (promotion,),
                [_widened(a, promotion) for a in args],
                {k: _widened(v, promotion) for k, v in kwargs.items()},
            )
        except BindError:
            return None
        if outcome.error is None:
            named = _named(outcome.value, promotion)
            values.append(_of_keys(named, kinds) if rule in _MOVING and len(kinds) == 1 else named)
            warnings.append(frozenset(outcome.warnings))
        else:
            errors.append(outcome.error)
    if not values:
        return Answer(UNKNOWN, errors[0], ())
    certain = tuple(sorted(frozenset.intersection(*warnings), key=lambda w: w.message)) if not errors else ()
    if not rule.startswith(("numpy.", "lax.", "Array.")):
        certain = ()  # of others flow tells where 64 bits are asked for, by a code of its own that is off by default
    return Answer(Alternatives.of(values), None, certain)


_MOVING: Final = frozenset({
    "Array.__getitem__", "Array.__iter__", "Array.reshape", "Array.ravel", "Array.flatten", "Array.squeeze", "Array.T",
    "numpy.reshape", "numpy.ravel", "numpy.squeeze", "numpy.expand_dims", "numpy.stack", "numpy.concatenate",
})  # fmt: skip
"""The rules of what moves items and leaves them as they are, so that it takes keys too."""


def _kinds_of_keys(value: Any) -> set[str]:
    """The dtypes of typed keys in an argument."""
    if isinstance(value, ShapedArray):
        return {value.dtype} if value.dtype is not None and value.dtype.startswith(KEY) else set()
    parts = value.values if isinstance(value, Alternatives) else value if isinstance(value, tuple | list) else ()
    return {kind for part in parts for kind in _kinds_of_keys(part)}


def _without_keys(value: Any) -> Any:
    """The value with an unknown dtype in the place of that of keys."""
    if isinstance(value, ShapedArray):
        return ShapedArray(value.shape, None) if _kinds_of_keys(value) else value
    if isinstance(value, Alternatives):
        return Alternatives.of(map(_without_keys, value.values))
    return type(value)(map(_without_keys, value)) if isinstance(value, tuple | list) else value


def _of_keys(value: Any, kinds: set[str]) -> Any:
    """The value with the dtype of keys in the place of an unknown one."""
    if isinstance(value, ShapedArray):
        return ShapedArray(value.shape, next(iter(kinds))) if value.dtype is None else value
    return type(value)(_of_keys(v, kinds) for v in value) if isinstance(value, tuple | list) else value


def _widened(value: Any, promotion: JaxPromotion) -> Any:
    """Weak arrays named by their Python type get the dtype that the type has in this mode."""
    if isinstance(value, ShapedArray):
        if value.dtype in WEAK:
            return ShapedArray(value.shape, promotion.default(value.dtype), True, value.value)
        return value
    if isinstance(value, Alternatives):
        return Alternatives(tuple(_widened(v, promotion) for v in value.values))
    if isinstance(value, tuple | list):
        return type(value)(_widened(v, promotion) for v in value)
    return value


def _named(value: Any, promotion: JaxPromotion) -> Any:
    """The reverse of `_widened`."""
    if isinstance(value, ShapedArray):
        if value.weak_type is None and value.dtype is not None and value.dtype != "bool":
            either = [replace(value, weak_type=weak) for weak in (False, True)]
            return Alternatives.of(_named(v, promotion) for v in either)
        if value.weak_type and value.dtype is not None and value.dtype != "bool":
            node = promotion.node(Element(value.dtype, True))
            if promotion.default(node) == value.dtype:
                return ShapedArray(value.shape, node, True, value.value)
        return value
    if isinstance(value, Alternatives):
        return Alternatives.of(_named(v, promotion) for v in value.values)
    if isinstance(value, tuple | list):
        return type(value)(_named(v, promotion) for v in value)
    return value


def report(made: Answer, context: Context, session: Session) -> bool:
    """Report the answer's error, or else what JAX warns of, at the expression, where mypy does not do so itself.

    Whether an error is told there, by us or by flow, is what is returned.
    """
    told = False
    if made.error is not None and not isinstance(made.error, NotArrayLikeError):
        told = session.fail(made.error.message, context, made.error.code, made.error.exception)
    for warning in made.warnings:
        session.fail(warning.message, context, warning.code, UserWarning)
    return told


def result_type(made: Answer, default: Type, session: Session) -> Type:
    """The type of the answer's value; `default`, mypy's own, where nothing is known."""
    if made.value is UNKNOWN:
        return default
    if made.type is None:
        made.type = _type(made.value, default, session)
    return made.type


def _type(value: Any, default: Type, session: Session) -> Type:
    if value is UNKNOWN:
        return default
    if isinstance(value, ShapedArray):
        return array_type((value,), session)
    if isinstance(value, Alternatives):
        if all(isinstance(v, ShapedArray) for v in value.values):
            return array_type(value.values, session)
        types = [_type(v, default, session) for v in value.values]
        return default if any(t is default for t in types) else UnionType.make_union(types)
    named = session.api.named_generic_type
    if isinstance(value, SymbolicDim):
        return named("builtins.int", [])
    if isinstance(value, bool | int):
        plain = named("builtins.bool" if isinstance(value, bool) else "builtins.int", [])
        return plain.copy_modified(last_known_value=LiteralType(value, plain))
    if isinstance(value, Scalar):
        return named(f"builtins.{value.kind}", [])
    if isinstance(value, tuple | list):
        p = _tuple_among(get_finite_type(default), len(value))
        any_type = AnyType(TypeOfAny.special_form)
        if isinstance(p, Instance) and p.type.fullname == "builtins.list":
            items = [_type(v, p.args[0], session) for v in value]
            arrays = [a for v in value for a in (v.values if isinstance(v, Alternatives) else (v,))]
            if arrays and all(isinstance(a, ShapedArray) for a in arrays):
                return named("builtins.list", [array_type(arrays, session)])
            return default if not items else named("builtins.list", [UnionType.make_union(items)])
        inner = p.items if isinstance(p, TupleType) and len(p.items) == len(value) else [any_type] * len(value)
        made = [_type(v, d, session) for v, d in zip(value, inner)]
        if isinstance(p, TupleType) and inner is p.items:  # perhaps a named tuple
            return p.copy_modified(items=made)
        return TupleType(made, named("builtins.tuple", [any_type]))
    if isinstance(value, type) and value in NAMES:
        scalar = session.numpy_scalar(NAMES[value])
        p = get_finite_type(default)
        if scalar is not None and isinstance(p, Instance) and p.type.fullname == "numpy.dtype":
            return p.copy_modified(args=[scalar])
    return default


def _tuple_among(default: ProperType, count: int) -> ProperType:
    """The one tuple of so many items that a union declares, as `Array | SVDResult`; any other type as it is."""
    if not isinstance(default, UnionType):
        return default
    members = [get_proper_type(t) for t in default.items]
    fitting = [t for t in members if isinstance(t, TupleType) and len(t.items) == count]
    return fitting[0] if len(fitting) == 1 else default
