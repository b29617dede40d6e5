"""The overloads of functions and methods of which one array decides the dtype."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from arraytyping.checker.stubgen.answers import ERROR, Answer, Operand, Python, Rules
from arraytyping.checker.stubgen.lists import LISTED, kept_of_lists, list_forms
from arraytyping.checker.stubgen.nodes import SCALAR_KINDS
from arraytyping.checker.stubgen.operands import (
    NUMPY_LIKE,
    SELF,
    Form,
    first_operand,
    said_result,
)
from arraytyping.checker.stubgen.overloads import TypeVariables, single
from arraytyping.checker.stubgen.reductions import permuted_forms, reduction_forms
from arraytyping.checker.stubgen.rule_parameters import at_defaults, options, required
from arraytyping.checker.stubgen.spelling import (
    python_type,
    result,
)
from arraytyping.checker.stubgen.surface import Signature
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, ShapedArray
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.rules.evaluation import BindError, evaluate

__all__ = ["OneOperand"]


@dataclass
class OneOperand:
    """Writes the overloads of functions and methods of which the first array decides."""

    rules: Rules
    variables: TypeVariables

    def column(self, rule: str, others: int, rest: Mapping[str, Any]) -> dict[str, Answer] | None:
        """The answer for each dtype of the first parameter; None if there is hardly one."""
        found: dict[str, Answer] = {}
        for node in self.rules.nodes.names:
            try:
                found[node] = self._first(rule, node, others, rest)
            except BindError:
                return None
        return found if sum(a not in (None, ERROR) for a in found.values()) >= 2 else None

    def keeps_dtype(self, rule: str) -> bool:
        """Whether the result has the element of the first parameter, whatever the others are."""
        others = len(required(rule)) - 1
        return all(self._first(rule, n, others, {}) == n for n in self.rules.nodes.names)

    def _first(self, rule: str, operand: Operand, others: int, rest: Mapping[str, Any]) -> Answer:
        """The answer where the first operand alone is known; the others may need x64 without its being told by it."""
        promotion = self.rules.promotion([operand])
        promotions = [promotion] if promotion.x64 or not others else [promotion, JaxPromotion("standard", x64=True)]
        found: set[Answer] = set()
        for p in promotions:
            outcome = evaluate(rule, [p], [self.rules.value(operand, p), *[UNKNOWN] * others], rest)
            found.add(ERROR if outcome.error is not None else self.rules.nodes.node(outcome.value, p))
        return found.pop() if len(found) == 1 else None

    def forms(
        self, rule: str, signature: Signature, others: int, method: bool, refusing: bool, joins_lists: bool
    ) -> list[Form] | None:
        """The overloads of an operation; None if an option that its signature lacks counts."""
        column = self.column(rule, others, {})
        assert column is not None
        fixed = self._deciding(rule, others)
        if not set(fixed) <= {p.name for p in signature.parameters}:
            return None
        free = {o: UNKNOWN for o in options(rule) if o not in fixed}
        keeps = others == 0 and self.rules.keeps_shape(rule, (), free)
        array = SELF if method else "Array"
        variable = ("S" if method else "_S") if keeps else "Any"
        shape = variable if keeps else "SomeShape"
        first = signature.parameters[0].name
        narrow = at_defaults(signature, fixed)
        rows = single(column, self.rules.nodes, self.variables)
        forms: list[Form] = []
        uniform = len(rows) == 1 and rows[0].same is None and rows[0].answer is not None
        if not uniform and rows[0].same is None:  # an unknown dtype is admitted everywhere, and stays unknown by `same`
            forms.append((narrow.annotated({first: f"{array}[NoDType, {variable}]"}), f"Array[Any, {shape}]"))
        reducing = [] if others else self.rules.reducing(rule, options(rule))
        # For other arrays more is not worth the time that each overload takes.
        usual = next((row for row in rows if row.patterns[0].admits("float32")), None)
        for row in rows:
            said = said_result(row, shape, method)
            left = partial(first_operand, self.variables, row.patterns[0], method=method, uniform=uniform)
            said_as = partial(said_result, row, method=method)
            if row is usual and reducing:
                whole = at_defaults(narrow, reducing)
                forms += reduction_forms(self.rules, rule, narrow, whole, left, said_as)
            elif row is usual and others == 0 and not keeps:
                fixed_shape = at_defaults(narrow, options(rule))
                plain = replace(fixed_shape, parameters=tuple(p for p in fixed_shape.parameters if p.kind != "*"))
                forms += permuted_forms(self.rules, rule, narrow, plain, left, said_as)
            forms.append((narrow.annotated({first: left(variable)}), said))
        if not method:
            forms += self._of_scalars(rule, narrow, first, others, keeps)
        last = "Self" if method else ("Any" if self._takes_lists(rule, others) else "ArrayLike")
        answer = (
            rows[0].answer if uniform and not fixed and self._same_for_scalars(rule, others, rows[0].answer) else None
        )
        keeps_others = not method and self._keeps_others(rule, others)
        fallback = (signature.annotated({first: last}), "Any" if keeps_others else result(answer))
        if joins_lists:  # first, since many a list fits none of the others
            any_list = (signature.annotated({first: "list[Any] | tuple[Any, ...]"}), fallback[1])
            forms = [*self.of_lists(rule, signature, others), any_list, *forms]
        if uniform and not fixed and not reducing and shape == "SomeShape" and (method or answer is not None):
            return [fallback]
        if refusing or (method and len(forms) == 1 and not fixed):
            return forms
        while forms and forms[-1][1] == fallback[1]:  # what the last one admits as well
            forms.pop()
        return [*forms, fallback]

    def _same_for_scalars(self, rule: str, others: int, answer: Answer) -> bool:
        return all(self._scalar(rule, kind, others) == answer for kind in SCALAR_KINDS)

    def _scalar(self, rule: str, kind: str, others: int) -> Answer:
        return self._first(rule, Python(kind), others, {})

    def _of_scalars(self, rule: str, narrow: Signature, first: str, others: int, keeps: bool) -> list[Form]:
        """The overloads of a Python scalar: one for the largest of each run of kinds with one result."""
        found = [(kind, self._scalar(rule, kind, others)) for kind in SCALAR_KINDS]
        shape = "tuple[()]" if keeps else "SomeShape"
        stays = isinstance(self._of(rule, NumPyArray((2, 2), "float32"), others), NumPyArray)
        forms: list[Form] = [(narrow.annotated({first: NUMPY_LIKE}), "Any" if stays else result(None))]
        for i, (kind, answer) in enumerate(found):
            if i + 1 < len(found) and found[i + 1][1] == answer:
                continue
            said = None if answer == ERROR else answer
            forms.append((narrow.annotated({first: python_type(kind)}), result(said, shape)))
        return forms

    def _deciding(self, rule: str, others: int) -> list[str]:
        """The options that change the dtype."""
        column = self.column(rule, others, {})
        return [o for o in options(rule) if self.column(rule, others, {o: UNKNOWN}) != column]

    def of_lists(self, rule: str, signature: Signature, others: int) -> list[Form]:
        """The overloads of a list of arrays that have one dtype."""
        fixed = self._deciding(rule, others)
        if not set(fixed) <= {p.name for p in signature.parameters}:
            return []
        return list_forms(at_defaults(signature, fixed), self.variables.constrained(LISTED))

    def joins_lists(self, rule: str, others: int) -> bool:
        """Whether a list of arrays is put together, as of `concatenate`; elsewhere it stands for one array."""
        return len(kept_of_lists(self.rules, rule, others)) == len(self.rules.nodes.names)

    def takes_numbers(self, rule: str, others: int) -> bool:
        """Whether a list of numbers is accepted, as of `stack`."""
        promotion = self.rules.promotion(())
        return evaluate(rule, [promotion], [[1.0], *[UNKNOWN] * others], {}).error is None

    def _takes_lists(self, rule: str, others: int) -> bool:
        """Whether some list is accepted where an array is expected."""
        promotion = self.rules.promotion(())
        arrays = [[self.rules.nodes.array("float32", promotion, shape)] * 2 for shape in ((2,), (2, 2), (2, 2, 2))]
        return any(
            evaluate(rule, [promotion], [argument, *[UNKNOWN] * others], {}).error is None
            for argument in ([1.0], *arrays, tuple(arrays[1]))
        )

    def _keeps_others(self, rule: str, others: int) -> bool:
        """Whether a NumPy array stays one, or of several arrays something else than an array comes."""
        promotion = self.rules.promotion(())
        arrays = [self.rules.nodes.array("float32", promotion, shape) for shape in ((2,), (2, 2), (2, 2, 2))]
        tried = [NumPyArray((2, 2), "float32"), *((array, array) for array in arrays)]
        return any(not isinstance(self._of(rule, one, others), ShapedArray | None) for one in tried)

    def _of(self, rule: str, operand: Any, others: int) -> Any:
        """What an operand gives; None where it is refused."""
        outcome = evaluate(rule, [self.rules.promotion(())], [operand, *[UNKNOWN] * others], {})
        return None if outcome.error else outcome.value
