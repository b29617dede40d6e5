"""Overloads made fewer, and put in the order that is asked fastest, with all that they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arraytyping.checker.stubgen.answers import ERROR, Answer, Operand
from arraytyping.checker.stubgen.matching import Answers, Fits, Overload, agrees
from arraytyping.checker.stubgen.spelling import OneOf, Pattern, PythonScalar, Same

__all__ = ["exceptions_last", "shortest"]


def shortest(rows: list[Overload], answers: Answers) -> list[Overload]:
    """Without the overloads that a later one answers for as well; one that is gone may have kept others from it."""
    fits = Fits(answers)
    fitting: dict[tuple[Operand, ...], list[Overload]] = {operands: [] for operands in answers}
    for overload in rows:
        for operands in fits.of(overload):
            fitting[operands].append(overload)
    while (kept := _shorter(rows, answers, fitting)) != rows:
        rows = kept
    return rows


def _shorter(
    rows: list[Overload], answers: Answers, fitting: dict[tuple[Operand, ...], list[Overload]]
) -> list[Overload]:
    """One pass over the overloads; `fitting` has those that admit the operands, in their order, and is kept so."""
    kept = list(rows)
    touched: dict[int, list[tuple[Operand, ...]]] = {}
    for operands, those in fitting.items():
        for one in those:
            touched.setdefault(id(one), []).append(operands)
    # Only what a dropped overload answered for can change.
    for overload in rows:
        answered = touched.get(id(overload), [])
        wrong = [o for o in answered if not agrees(_said_without(overload, fitting[o], o), answers[o])]
        narrow = _narrowed(overload, wrong) if wrong else None
        if wrong and narrow is None:
            continue
        instead = [] if narrow is None else [narrow]
        kept = [o for one in kept for o in (instead if one is overload else [one])]
        for operands in answered:
            now = [o for o in instead if o.admits(operands)]
            fitting[operands] = [o for one in fitting[operands] for o in (now if one is overload else [one])]
    return kept


def _said_without(overload: Overload, fitting: Sequence[Overload], operands: Sequence[Operand]) -> Answer:
    """What a checker finds where one of those that admit the operands is gone."""
    other = next((o for o in fitting if o is not overload), None)
    return ERROR if other is None else other.says(operands)


def _narrowed(overload: Overload, needed: Sequence[tuple[Operand, ...]]) -> Overload | None:
    """The overload for those arrays alone that need it, next to a scalar or a weak one: others are not bound to it."""
    for i, pattern in enumerate(overload.patterns):
        nodes = frozenset(node for o in needed if isinstance(node := o[i], str))
        others = [p for p in overload.patterns if p is not pattern]
        if not nodes or not all(isinstance(p, PythonScalar | OneOf) and not _is_wide(p) for p in others) or not others:
            continue
        patterns = list(overload.patterns)
        if isinstance(pattern, OneOf) and nodes < pattern.members:
            patterns[i] = OneOf(nodes, pattern.nodes)
            return replace(overload, patterns=tuple(patterns))
        if isinstance(pattern, Same) and overload.same == i and len(nodes) == 1:
            patterns[i] = OneOf(nodes, pattern.nodes)
            return Overload(tuple(patterns), next(iter(nodes)))
    return None


def _is_wide(pattern: Pattern) -> bool:
    return isinstance(pattern, OneOf) and len(pattern.members) > 1


def exceptions_last(rows: list[Overload], answers: Answers) -> list[Overload]:
    """With each exception as late as it may come: what the order decides is asked for more often."""
    fits = Fits(answers)
    for overload in rows:
        first, second = overload.patterns
        if not (isinstance(first, OneOf) and isinstance(second, OneOf)) or second.is_weak:
            continue
        rest = [o for o in rows if o is not overload]
        # Only what the moved overload answered for can change: what fits first of the others, and what each then says.
        before: list[tuple[int, bool, bool]] = []
        for operands in fits.of(overload):
            index = next((i for i, o in enumerate(rest) if o.admits(operands)), len(rest))
            others_are_right = index < len(rest) and agrees(rest[index].says(operands), answers[operands])
            before.append((index, others_are_right, agrees(overload.says(operands), answers[operands])))
        for place in range(len(rest), rows.index(overload), -1):
            if all(others if index < place else own for index, others, own in before):
                rows = [*rest[:place], overload, *rest[place:]]
                break
    return rows
