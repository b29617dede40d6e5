"""Evaluate a rule on arguments of which each may be one of several alternatives, once for each, and join.

Every reader of the rules comes in here, so that what a union, an unknown x64 mode, or an unknown weak type means
is decided in one place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Alternatives, ShapedArray, join_shapes
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.releases import NEWEST
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.older_releases import in_older_release
from arraytyping.semantics.rules.rule_warnings import RuleWarning
from arraytyping.semantics.rules.table import RULES

__all__ = ["BindError", "Outcome", "evaluate"]

LIMIT: Final = 32
"""The most combinations of alternatives that are evaluated one by one; past it the arguments are joined."""


class BindError(TypeError):
    """The arguments of a call do not fit the operation's signature."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call gives: the abstract value of its result, or an error that is certain; and what JAX warns of."""

    value: Any
    error: RuleError | None = None
    warnings: tuple[RuleWarning, ...] = ()


def evaluate(name: str, promotions: Sequence[JaxPromotion], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Outcome:
    """Evaluate the rule `name` under each of the promotion systems that may be in force.

    An error is certain, and so reported, only if every alternative raises one.

    Raises:
        KeyError: if there is no such rule.
        BindError: if the arguments do not fit the operation's signature.
    """
    rule = RULES[name]
    if misfit := _misfit(name, len(args), tuple(kwargs)):
        raise BindError(f"{name}: {misfit}")
    values = [*args, *kwargs.values()]
    variants = [_variants(v) for v in values]
    if _count(variants) > LIMIT:
        variants = [(_joined(v),) for v in variants]
    results: list[Any] = []
    errors: list[RuleError] = []
    warned: list[frozenset[RuleWarning]] = []
    for promotion in promotions:
        for chosen in product(*variants):
            cx = Context(promotion)
            call = partial(rule.function, cx, *chosen[: len(args)], **dict(zip(kwargs, chosen[len(args) :])))
            try:
                newest = promotion.release == NEWEST
                results.append(call() if newest else in_older_release(promotion.release, name, chosen, call))
            except RuleError as error:
                errors.append(error)
            else:
                warned.append(frozenset(cx.warnings))
    if not results:
        return Outcome(UNKNOWN, errors[0])
    certain = sorted(frozenset.intersection(*warned), key=lambda w: w.message)
    return Outcome(Alternatives.of(results), None, tuple(certain))


@cache
def _misfit(name: str, positional: int, keywords: tuple[str, ...]) -> str:
    """Why so many arguments, and these named ones, do not fit an operation's signature; empty if they do."""
    try:
        RULES[name].signature.bind(*(None,) * positional, **dict.fromkeys(keywords))
    except TypeError as error:
        return str(error)
    return ""


def _count(variants: Sequence[tuple[Any, ...]]) -> int:
    n = 1
    for v in variants:
        n *= len(v)
    return n


def _variants(value: Any) -> tuple[Any, ...]:
    """The single values that a value may be: no alternatives inside, no unknown weak type beside a known dtype."""
    if isinstance(value, Alternatives):
        return tuple(v for one in value.values for v in _variants(one))
    if isinstance(value, ShapedArray) and value.dtype is not None and value.weak_type is None:
        return replace(value, weak_type=False), replace(value, weak_type=True)
    if isinstance(value, tuple | list) and value:
        items = [_variants(v) for v in value]
        n = _count(items)
        make = getattr(type(value), "_make", type(value))  # a named tuple takes its items one by one
        if n == 1:  # an item may have been joined inside
            return (make(v for (v,) in items) if any(v is not i for (v,), i in zip(items, value)) else value,)
        if n <= LIMIT:
            return tuple(make(chosen) for chosen in product(*items))
        return (make(_joined(v) for v in items),)
    return (value,)


def _joined(variants: tuple[Any, ...]) -> Any:
    """One value that describes all of these."""
    if len(variants) == 1:
        return variants[0]
    if all(isinstance(v, ShapedArray) for v in variants):
        shape = variants[0].shape
        for v in variants[1:]:
            shape = join_shapes(shape, v.shape)
        same = len({(v.dtype, v.weak_type) for v in variants}) == 1
        dtype, weak = (variants[0].dtype, variants[0].weak_type) if same else (None, None)
        return ShapedArray(shape, dtype, weak)
    return UNKNOWN
