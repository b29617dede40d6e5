"""Options that turn an array into a tuple of arrays: `retstep`, `return_counts`, `sparse` and their kin.

The overloads that say a dtype hold where such options are left out.  Where one is given, what comes is a tuple; of
several, and where it is not known which, nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Final

from arraytyping.checker.stubgen.answers import Rules
from arraytyping.checker.stubgen.reductions import required
from arraytyping.checker.stubgen.surface import Signature
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.evaluation import BindError, evaluate
from arraytyping.semantics.rules.table import RULES

__all__ = ["structured_forms"]

SHAPES: Final = ((3,), (2,), (3, 3), (1, 2, 2, 2), (2, 2, 2, 2))
"""Shapes of arrays of which most functions of arrays accept one or the other."""

_ITEM: Final = "Array[Any, SomeShape]"

Form = tuple[Signature, str]


def structured_forms(
    rules: Rules, rule: str, signature: Signature, forms: Callable[[Signature], list[Form] | None]
) -> list[Form] | None:
    """The overloads of a function; `forms` gives those where no option turns the array into a tuple."""
    turning = _turning(rules, rule, signature)
    defaults = {p.name: p.default for p in signature.parameters}
    if not turning:
        return forms(signature)
    plain = signature.annotated({name: f"Literal[{defaults[name]}]" for name in turning})
    found = forms(plain)
    if found is None:
        return None
    last = found[-1][0].annotated(dict.fromkeys(turning, "Any"))
    for name, items in turning.items():
        asked = required(plain, {name: f"Literal[{defaults[name] != 'True'}]"})
        found = [(required(signature, {name: "Nobody"}), "Any"), *found, (asked, items)]
    return [*found, (last, "Any")]


def _turning(rules: Rules, rule: str, signature: Signature) -> dict[str, str]:
    """The options that turn an array into a tuple, and the type of that."""
    if rule not in RULES:
        return {}
    found: dict[str, str] = {}
    for option, default in ((p.name, p.default) for p in signature.parameters if p.default in ("False", "True")):
        numbers = {
            len(turned)
            for operand in product(("float32", "int32"), SHAPES)
            if isinstance(_result(rules, rule, *operand, {}), ShapedArray)
            for turned in [_result(rules, rule, *operand, {option: default != "True"})]
            if isinstance(turned, tuple)
        }
        if numbers:
            found[option] = f"tuple[{', '.join([_ITEM] * numbers.pop() if len(numbers) == 1 else [_ITEM, '...'])}]"
    return found


def _result(rules: Rules, rule: str, node: str, shape: tuple[int, ...], rest: dict[str, bool]) -> object:
    """What arrays of one dtype and shape give; None if the rule refuses them."""
    promotion = rules.nodes.promotion(())
    parameters = RULES[rule].signature.parameters.values()
    count = sum(p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    arrays = [rules.nodes.array(node, promotion, shape)] * count
    try:
        outcome = evaluate(rule, [promotion], arrays, rest)
    except BindError:
        return None
    return None if outcome.error else outcome.value
