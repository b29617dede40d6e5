"""The rules, asked for one tuple of operands after another, with nothing known of a shape.

An operand is an element of the lattice (an array of that dtype or weak type), or a Python scalar, `Python("float")`.
An answer is an element, `ERROR` for a call that is certain to fail, or None where nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from arraytyping.checker.stubgen.nodes import Nodes
from arraytyping.semantics.avals import UNKNOWN
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.rules.errors import DtypeError
from arraytyping.semantics.rules.evaluation import BindError, evaluate

__all__ = ["ERROR", "Answer", "Operand", "Python", "Rules"]

ERROR: Final = "error"
"""The answer where the rule raises."""

Answer = str | None


@dataclass(frozen=True, slots=True)
class Python:
    """A Python scalar as an operand."""

    kind: str


Operand = str | Python


@dataclass(frozen=True)
class Rules:
    """The rules as a function of elements of the lattice."""

    nodes: Nodes

    def promotion(self, operands: Sequence[Operand]) -> JaxPromotion:
        """The promotion system of a call on these operands."""
        return self.nodes.promotion(o for o in operands if isinstance(o, str))

    def value(self, operand: Operand, promotion: JaxPromotion, shape: tuple[Any, ...] | None = None) -> Any:
        """An operand as the rules take it."""
        if isinstance(operand, Python):
            return self.nodes.scalar(operand.kind)
        return self.nodes.array(operand, promotion, shape)

    def answer(self, rule: str, operands: Sequence[Operand], rest: Mapping[str, Any] | None = None) -> Answer:
        """The element on which the result stands."""
        promotion = self.promotion(operands)
        outcome = evaluate(rule, [promotion], [self.value(o, promotion) for o in operands], rest or {})
        if outcome.error is not None:
            return ERROR
        return self.nodes.node(outcome.value, promotion)

    def keeps_shape(self, rule: str, others: Sequence[Any] = (), rest: Mapping[str, Any] | None = None) -> bool:
        """Whether the result has the shape of the first operand, as far as a few shapes show.

        Those of the two dtypes that the rule refuses do not count.
        """
        promotion = self.nodes.promotion(())
        accepted = 0
        for shape in ((), (3,), (2, 5), (4, 1, 3)):
            for node in ("float32", "int32", "complex64"):
                values = [self.nodes.array(node, promotion, shape), *others]
                try:
                    outcome = evaluate(rule, [promotion], values, rest or {})
                except BindError:
                    return False
                if outcome.error is None:
                    accepted += 1
                    if getattr(outcome.value, "shape", None) != shape:
                        return False
                elif not isinstance(outcome.error, DtypeError):
                    return False
        return accepted > 0

    def reducing(self, rule: str, options: Sequence[str]) -> list[str]:
        """The options that say how far an array is reduced, if by default it is to one item; none if it is not."""
        shapes = ((), (3,), (2, 5), (4, 1, 3))
        if any(self._shape_of(rule, s) != () for s in shapes):
            return []
        return [o for o in options if any(self._shape_of(rule, s, rest={o: UNKNOWN}) != () for s in shapes)]

    def keeps_equal_shapes(self, rule: str) -> bool:
        """Whether two arrays of one shape give one of this shape, as far as a few shapes show."""
        return all(self._shape_of(rule, shape, shape) == shape for shape in ((), (3,), (2, 5), (4, 1, 3)))

    def multiplies_matrices(self, rule: str) -> bool:
        """Whether (n, k) and (k, m) give (n, m), as far as a few sizes show."""
        sizes = ((2, 3, 4), (1, 5, 1), (3, 1, 2), (1, 1, 7), (0, 2, 3))
        return all(self._shape_of(rule, (n, k), (k, m)) == (n, m) for n, k, m in sizes)

    def _shape_of(
        self, rule: str, *shapes: tuple[int, ...], rest: Mapping[str, Any] | None = None
    ) -> tuple[Any, ...] | None:
        """The shape of what arrays of these shapes give, of whichever dtype the rule takes."""
        promotion = self.nodes.promotion(())
        for node in ("float32", "int32"):
            outcome = evaluate(rule, [promotion], [self.nodes.array(node, promotion, s) for s in shapes], rest or {})
            if outcome.error is None:
                return getattr(outcome.value, "shape", None)
        return None
