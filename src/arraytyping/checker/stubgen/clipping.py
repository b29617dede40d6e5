"""`clip` between Python scalars: the array's dtype and shape, where that is so of each of the two bounds alone, too."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.stubgen.answers import Rules
from arraytyping.checker.stubgen.overloads import TypeVariables
from arraytyping.checker.stubgen.reductions import required
from arraytyping.checker.stubgen.spelling import annotation, in_order
from arraytyping.checker.stubgen.surface import Signature
from arraytyping.semantics.rules.evaluation import evaluate

__all__ = ["CLIPPING", "clip_forms"]

CLIPPING: Final = ("numpy.clip", "Array.clip")
"""The operations that this module writes."""

UNKNOWN_ARRAY: Final = "Array[Any, SomeShape]"
KINDS: Final = ("int", "float")
"""The kinds of bounds of which something is said."""


def clip_forms(
    rules: Rules, variables: TypeVariables, rule: str, signature: Signature, numpy_like: str
) -> list[tuple[Signature, str]]:
    """The overloads of `clip`: `np.float64(0)` is a `float`, but no weak one, so such bounds come first."""
    array, low, high = (p.name for p in signature.parameters[:3])
    is_method = array == "self"
    given = signature.annotated({array: "Self" if is_method else "Any"}, {} if is_method else {array: None})
    forms = [
        (given.annotated({low: numpy_like}, {low: None}), UNKNOWN_ARRAY),
        (given.annotated({high: numpy_like}, {low: None, high: None}), UNKNOWN_ARRAY),
        (required(given, {high: numpy_like}), UNKNOWN_ARRAY),
    ]
    for kind in KINDS:
        asked = {low: f"{kind} | None", high: f"{kind} | None"}
        kept = _kept(rules, rule, kind)
        if is_method:  # of a type variable of the method mypy lets the bound pass
            array_type, said = annotation(in_order(kept, rules.nodes), "S", array="_ArrayOf"), "Array[D, S]"
        else:
            array_type = annotation(variables.same(kept), "_S")
            said = array_type
        forms.append((given.annotated({array: array_type, **asked}), said))
    return [*forms, (signature.annotated({"self": "Self"}), UNKNOWN_ARRAY)]


def _kept(rules: Rules, rule: str, kind: str) -> list[str]:
    """The dtypes that stay, whichever of the two bounds are given; the shape stays with them."""
    kept: list[str] = []
    scalar = rules.nodes.scalar(kind)
    for node in rules.nodes.strong:
        promotion = rules.promotion([node])
        values = [
            evaluate(rule, [promotion], [rules.nodes.array(node, promotion, shape), *bounds], {}).value
            for bounds in ((scalar, scalar), (scalar, None), (None, scalar), (None, None))
            for shape in ((), (2, 3))
        ]
        shapes = [getattr(value, "shape", None) for value in values]
        if {rules.nodes.node(value, promotion) for value in values} == {node} and shapes == [(), (2, 3)] * 4:
            kept.append(node)
    return kept
