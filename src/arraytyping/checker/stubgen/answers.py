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

_PRODUCTS: Final = (("nk", "km", "nm"), ("nk", "k", "n"), ("k", "km", "m"), ("k", "k", ""), ("bnk", "km", "bnm"))
"""The sizes of two arrays and of their product, the usual one first."""
_SIZES: Final = tuple(
    dict(zip("nkmb", sizes)) for sizes in ((2, 3, 4, 5), (1, 5, 1, 2), (3, 1, 2, 1), (1, 1, 7, 3), (0, 2, 3, 4))
)

_DIFFERENT: Final = (2, 3, 5)
"""Sizes that can be told from one another in a result."""


def _of(letters: str, sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(sizes[letter] for letter in letters)


def _named(letters: str, product: str) -> str:
    """A shape as a stub writes it: the sizes that the product has are named."""
    names = [f"_N{product.index(letter) + 1}" if letter in product else "int" for letter in letters]
    return f"tuple[{', '.join(names) or '()'}]"


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

    def sizes_kept(self, rule: str, rank: int, rest: Mapping[str, Any]) -> tuple[int | None, ...] | None:
        """Which of an array's sizes the result has, None in the place of one item; None if that cannot be said."""
        made = self._shape_of(rule, _DIFFERENT[:rank], rest=rest)
        if made is None or not {*made} <= {1, *_DIFFERENT[:rank]}:
            return None
        found = tuple(None if n == 1 else _DIFFERENT.index(n) for n in made)
        for sizes in ((7, 4, 6), (3, 2, 1), (1, 4, 2), (2, 1, 3), (1, 1, 1)):
            if self._shape_of(rule, sizes[:rank], rest=rest) != tuple(1 if i is None else sizes[i] for i in found):
                return None
        return found

    def keeps_equal_shapes(self, rule: str) -> bool:
        """Whether two arrays of one shape give one of this shape, as far as a few shapes show."""
        return all(self._shape_of(rule, shape, shape) == shape for shape in ((), (3,), (2, 5), (4, 1, 3)))

    def products(self, rule: str) -> list[tuple[str, str, str]]:
        """The shapes of two arrays and of their product, of few dimensions, as far as a few sizes show.

        Nothing is said of sizes that have to agree: it is the rule that refuses them.
        """
        found: list[tuple[str, str, str]] = []
        for first, second, product in _PRODUCTS:
            made = [
                (self._shape_of(rule, _of(first, sizes), _of(second, sizes)), _of(product, sizes)) for sizes in _SIZES
            ]
            if all(said == expected for said, expected in made):
                found.append((_named(first, product), _named(second, product), _named(product, product)))
        return found

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
