"""Functions of `jax.random` that draw: of the dtype that is asked for, in the shape that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from arraytyping.checker.stubgen.answers import ERROR, Answer, Rules
from arraytyping.checker.stubgen.dtype_arguments import GIVEN, asked_for, python_types
from arraytyping.checker.stubgen.reductions import required
from arraytyping.checker.stubgen.spelling import result
from arraytyping.checker.stubgen.surface import Signature
from arraytyping.semantics.avals import UNKNOWN
from arraytyping.semantics.rules.evaluation import evaluate
from arraytyping.semantics.rules.table import RULES

__all__ = ["sampling_forms"]

SHAPES: Final = ((), (3,), (2, 3), (0, 4, 1))

Form = tuple[Signature, str]


def sampling_forms(rules: Rules, rule: str, signature: Signature) -> list[Form] | None:
    """The overloads of one of them; None of what does not draw in a shape, or in no dtype that is known."""
    names = [p.name for p in signature.parameters]
    if rule not in RULES or "shape" not in names:
        return None
    operands = tuple(UNKNOWN for _ in signature.required)
    answer = _drawn(rules, rule, signature, {})[0]
    if answer in (None, ERROR) or ("dtype" in names and not asked_for(rules, rule, operands)):
        return None
    in_shape = list(_in_shape(rules, rule, signature, answer))
    if "dtype" not in names:
        return [(s, result(answer, shape)) for s, shape in in_shape] + [(signature, result(answer))]
    forms: list[Form] = []
    for given, shape in in_shape:
        forms += [(_with_dtype(given, asked), f"Array[{said}, {shape}]") for asked, said in GIVEN]
        forms.append((given.annotated({"dtype": "None"}), result(answer, shape)))
    forms += [(_with_dtype(signature, asked), f"Array[{said}, SomeShape]") for asked, said in GIVEN]
    forms.append((signature.annotated({"dtype": "None"}), result(answer)))
    for asked, found in python_types(rules, rule, operands):
        if found != ERROR:
            forms.append((_with_dtype(signature, asked), result(found)))
    return [*forms, (signature, "Array[Any, SomeShape]")]


def _in_shape(rules: Rules, rule: str, signature: Signature, answer: Answer) -> Iterator[tuple[Signature, str]]:
    """The calls in a shape that is given, by position and by keyword, or in none; and the shape of the result."""
    if any(_drawn(rules, rule, signature, {"shape": shape}) != (answer, shape) for shape in SHAPES):
        return
    before = signature.parameters[: [p.name for p in signature.parameters].index("shape")]
    given = {"shape": "_Shape"}
    defaults: dict[str, str | None] = dict.fromkeys((*(p.name for p in before), "shape"))
    yield signature.annotated(given, defaults), "_Shape"
    if any(p.default is not None for p in before):
        yield required(signature, given), "_Shape"


def _with_dtype(signature: Signature, dtype: str) -> Signature:
    return required(signature, {"dtype": dtype})


def _drawn(rules: Rules, rule: str, signature: Signature, rest: dict[str, Any]) -> tuple[Answer, Any]:
    """The dtype and the shape of what is drawn where nothing but `rest` is known, and no dtype is asked for."""
    promotion = rules.nodes.promotion(())
    unknown = {p.name: UNKNOWN for p in signature.parameters if p.name != "dtype"}
    outcome = evaluate(rule, [promotion], [], {**unknown, **rest})
    if outcome.error is not None:
        return ERROR, None
    return rules.nodes.node(outcome.value, promotion), getattr(outcome.value, "shape", None)
