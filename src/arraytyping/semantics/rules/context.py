"""What a rule knows besides its arguments: the promotion system, and where to leave a warning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import Element, JaxPromotion, PromotionError
from arraytyping.semantics.rules.errors import DtypeError
from arraytyping.semantics.rules.rule_warnings import RuleWarning

__all__ = ["Context"]


@dataclass(frozen=True)
class Context:
    """One evaluation: the promotion system in force, and the warnings met so far."""

    promotion: JaxPromotion
    warnings: list[RuleWarning] = field(default_factory=list)

    @property
    def x64(self) -> bool:
        """Whether 64-bit types are enabled."""
        return self.promotion.x64

    def join(self, operation: str, operands: Iterable[ShapedArray]) -> tuple[str | None, bool | None]:
        """The dtype and weak type that the operands are promoted to; both None if one of theirs is unknown.

        Raises:
            DtypeError: if they have no implicit promotion, naming the operands.
        """
        strong, weak = [], []  # an array of bool may be either: nearly always they are promoted to the same
        for operand in operands:
            if operand.dtype is None or (operand.weak_type is None and operand.dtype != "bool"):
                return None, None
            strong.append(Element(operand.dtype, operand.weak_type or False))
            weak.append(Element(operand.dtype, operand.weak_type is not False))
        try:
            joined = self.promotion.join(strong)
        except PromotionError as error:
            raise DtypeError(f"{operation}: {error}", ValueError) from None
        if strong != weak:
            other = self.promotion.join(weak)
            if joined != other:
                return joined.dtype if joined.dtype == other.dtype else None, None
        return joined

    def default(self, kind: str) -> str:
        """The default dtype of a kind (`int`, `float`, `complex`, or NumPy's letter)."""
        return self.promotion.default(kind)
