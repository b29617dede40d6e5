"""What a checker finds: the first overload whose annotations admit the operands.

Source: https://typing.python.org/en/latest/spec/overload.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from arraytyping.checker.stubgen.answers import ERROR, Answer, Operand, Python
from arraytyping.checker.stubgen.spelling import Joining, OneOf, Pattern, PythonScalar, Same

__all__ = ["Answers", "Fits", "Overload", "agrees", "first_matches", "is_right", "verified"]

Answers = Mapping[tuple[Operand, ...], Answer]
"""What a rule says for each tuple of operands."""


@dataclass(frozen=True)
class Overload:
    """Annotations of the operands, and the element of the result.

    `same` is the index of the operand that has it; with `joins` it is the join of the two.
    """

    patterns: tuple[Pattern, ...]
    answer: Answer
    same: int | None = None
    joins: bool = False

    def admits(self, operands: Sequence[Operand]) -> bool:
        """Whether the overload fits the operands."""
        if len(operands) == 1:
            return self.patterns[0].admits(operands[0])
        (first, second), (a, b) = self.patterns, operands
        return first.admits(a, b) and second.admits(b, a)

    def says(self, operands: Sequence[Operand]) -> Answer:
        """The element of the result, the overload being taken."""
        if self.joins:
            joining = self.patterns[1]
            assert isinstance(joining, Joining)
            return joining.join(operands[1], operands[0])
        operand = self.answer if self.same is None else operands[self.same]
        assert not isinstance(operand, Python)
        return operand


def agrees(said: Answer, answer: Answer) -> bool:
    """Whether what is said holds: the answer itself, or nothing where the rule raises."""
    return said == answer or (answer == ERROR and said is None)


class Fits:
    """Which of many operands overloads fit, without asking each overload of each."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self._sides = [dict.fromkeys(side) for side in zip(*answers, strict=True)]

    def of(self, overload: Overload) -> Iterator[tuple[Operand, ...]]:
        """The operands that an overload fits."""
        if not all(isinstance(pattern, OneOf | Same | PythonScalar) for pattern in overload.patterns):
            yield from filter(overload.admits, self.answers)
            return
        # No operand hangs on the other: each is asked alone.
        taken = [[o for o in side if p.admits(o)] for p, side in zip(overload.patterns, self._sides)]
        yield from (operands for operands in product(*taken) if operands in self.answers)


def first_matches(overloads: Sequence[Overload], fits: Fits) -> dict[tuple[Operand, ...], Answer]:
    """What a checker finds for all operands for which there is an answer."""
    found: dict[tuple[Operand, ...], Answer] = {}
    for overload in overloads:
        for operands in fits.of(overload):
            if operands not in found:
                found[operands] = overload.says(operands)
    return {operands: found.get(operands, ERROR) for operands in fits.answers}


def is_right(overloads: Sequence[Overload], answers: Answers) -> bool:
    """Whether the overloads say what the rule does."""
    return all(agrees(said, answers[operands]) for operands, said in first_matches(overloads, Fits(answers)).items())


def verified(overloads: list[Overload], answers: Answers) -> list[Overload]:
    """The overloads, after the proof.

    Raises:
        AssertionError: if they say for some operands what the rule does not.
    """
    for operands, said in first_matches(overloads, Fits(answers)).items():
        answer = answers[operands]
        assert agrees(said, answer), f"{operands}: the overloads say {said}, the rule {answer}"
    return overloads
