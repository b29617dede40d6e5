"""Functions and methods of which the rules determine the dtype, as overloads.

Which parameters count is asked of the rules, too: a parameter that changes the answer when nothing is known of it is
kept at its default in the overloads that say a dtype, and one more overload, for any arguments, says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from arraytyping.checker.stubgen.answers import Rules
from arraytyping.checker.stubgen.clipping import CLIPPING, clip_forms
from arraytyping.checker.stubgen.one_operand import OneOperand
from arraytyping.checker.stubgen.operands import ANY_ARRAY, NUMPY_LIKE, Form
from arraytyping.checker.stubgen.overloads import TypeVariables
from arraytyping.checker.stubgen.rule_parameters import required
from arraytyping.checker.stubgen.surface import Signature
from arraytyping.checker.stubgen.two_operands import BEHIND, TwoOperands
from arraytyping.semantics.rules.table import RULES

__all__ = ["Calls"]


@dataclass
class Calls:
    """Writes the overloads of functions and methods of one module."""

    rules: Rules
    variables: TypeVariables = field(init=False)
    one: OneOperand = field(init=False)
    two: TwoOperands = field(init=False)

    def __post_init__(self) -> None:
        self.variables = TypeVariables(self.rules.nodes)
        self.one = OneOperand(self.rules, self.variables)
        self.two = TwoOperands(self.rules, self.variables)

    def forms(
        self, rule: str, signature: Signature, *, method: bool = False, refusing: bool = False
    ) -> list[Form] | None:
        """The overloads of an operation; None if the rules do not determine its dtype.

        With `method` the first parameter is the array itself; with `refusing` no overload is for what the rule refuses.
        """
        if rule in CLIPPING and rule in RULES:
            return clip_forms(self.rules, self.variables, rule, signature, NUMPY_LIKE)
        needed = required(rule)
        if rule not in RULES or not needed or not signature.parameters:
            return None
        if rule in BEHIND:
            return self.two.behind(rule, signature)
        others = len(needed) - 1
        if self.one.column(rule, others, {}) is not None:
            joins_lists = not method and self.one.joins_lists(rule, others)
            if joins_lists and not self.one.takes_numbers(rule, others):
                return [*self.one.of_lists(rule, signature, others), (signature, ANY_ARRAY)]
            return self.one.forms(rule, signature, others, method, refusing, joins_lists)
        if len(needed) >= 2 and signature.parameters[1].kind in ("positional", "either"):
            return self.two.forms(rule, signature, method)
        return None
