"""Arguments that are dtypes: scalar types, dtypes of arrays, Python types, and what is unknown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from arraytyping.checker.stubgen.answers import Answer, Rules
from arraytyping.checker.stubgen.nodes import SCALAR_KINDS
from arraytyping.checker.stubgen.operands import Form
from arraytyping.checker.stubgen.spelling import python_type, result
from arraytyping.checker.stubgen.surface import Signature
from arraytyping.scalars import SCALARS
from arraytyping.semantics.avals import UNKNOWN
from arraytyping.semantics.rules.evaluation import evaluate

__all__ = ["GIVEN", "asked_for", "astype_forms", "python_types"]


GIVEN: Final = (("HasScalarType[_T]", "_T"), ("type[AsDType[_T]]", "_T"))
"""The dtype of an array, or a scalar type, and the dtype of the result: an overload each, in this order.

The former is accepted as anything, so it comes first; it is a protocol, since pyrefly takes a class for an instance
of any class whose base is `Any`.
"""

PYTHON: Final[dict[str, type]] = {"bool": bool, "int": int, "float": float, "complex": complex}


def asked_for(rules: Rules, rule: str, args: tuple[Any, ...], keyword: str = "dtype") -> bool:
    """Whether the result of a rule has the dtype that is asked for, whichever it is."""
    for name, scalar in SCALARS.items():
        promotion = rules.nodes.promotion([name])
        outcome = evaluate(rule, [promotion], args, {keyword: scalar})
        if outcome.error is None and rules.nodes.node(outcome.value, promotion) != name:
            return False
    return True


def python_types(rules: Rules, rule: str, args: tuple[Any, ...], keyword: str = "dtype") -> list[tuple[str, Answer]]:
    """The annotation of each Python type as a dtype, and what the rule answers."""
    promotion = rules.nodes.promotion(())
    found: list[tuple[str, Answer]] = []
    for kind in SCALAR_KINDS:
        outcome = evaluate(rule, [promotion], args, {keyword: PYTHON[kind]})
        answer = None if outcome.error else rules.nodes.node(outcome.value, promotion)
        found.append((f"type[{python_type(kind)}]", answer))
    return found


def astype_forms(rules: Rules, signature: Signature) -> list[Form]:
    """`x.astype(dtype)`: the dtype that is asked for, in the array's shape."""
    assert asked_for(rules, "Array.astype", (UNKNOWN,))
    forms: list[Form] = [
        (signature.annotated({"self": "Self", "dtype": asked}), f"Array[{said}, S]") for asked, said in GIVEN
    ]
    for annotation, answer in python_types(rules, "Array.astype", (UNKNOWN,)):
        form = signature.annotated({"self": "Self", "dtype": annotation})
        forms.append((form, result(answer, "S")))
    return [*forms, (replace(signature.annotated({"self": "Self"})), "Array[Any, S]")]
