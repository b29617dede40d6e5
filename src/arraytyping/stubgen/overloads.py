"""Answers for every tuple of operands as few overloads, proved to say the same.

A checker takes the first overload whose annotations admit the operands.  `first_match` does so too, and every list made
here is compared with the answers by it: for no operands may the list say an element that is not the answer, and where
there is an answer, it must be said.  Where the rule raises, the list has no overload, or says nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from arraytyping.lattice import JoinError
from arraytyping.promotion.jax import WEAK
from arraytyping.stubgen.answers import ERROR, Answer, Operand, Python
from arraytyping.stubgen.nodes import SCALAR_KINDS, Nodes
from arraytyping.stubgen.spelling import AtMost, Pattern, PythonScalar, Same, in_order

__all__ = ["Overload", "TypeVariables", "array_pairs", "by_scalar", "single", "verified"]

Answers = Mapping[tuple[Operand, ...], Answer]


@dataclass(frozen=True)
class Overload:
    """Annotations of the operands, and the element of the result; `same` is the index of the operand that has it."""

    patterns: tuple[Pattern, ...]
    answer: Answer
    same: int | None = None

    def admits(self, operands: Sequence[Operand]) -> bool:
        """Whether the overload fits the operands."""
        return all(p.admits(o) for p, o in zip(self.patterns, operands))

    def says(self, operands: Sequence[Operand]) -> Answer:
        """The element of the result, the overload being taken."""
        operand = self.answer if self.same is None else operands[self.same]
        assert not isinstance(operand, Python)
        return operand


class TypeVariables:
    """The type variables of a stub: one without a bound, and one for each set of elements that bounds it."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.bounds: dict[frozenset[str], str] = {}

    def same(self, members: Iterable[str] | None) -> Same:
        """The pattern whose type variable has these elements."""
        if members is None or frozenset(members) == frozenset(self.nodes.names):
            return Same("_D")
        chosen = frozenset(members)
        return Same(self.bounds.setdefault(chosen, f"_D{len(self.bounds) + 1}"), chosen)

    def declarations(self) -> list[str]:
        """The lines that declare them."""
        return ['_D = TypeVar("_D")'] + [
            f'{name} = TypeVar("{name}", bound={in_order(members, self.nodes).dtypes()})'
            for members, name in self.bounds.items()
        ]


def first_match(overloads: Sequence[Overload], operands: Sequence[Operand]) -> Answer:
    """What a checker finds: `ERROR` where no overload fits."""
    for overload in overloads:
        if overload.admits(operands):
            return overload.says(operands)
    return ERROR


def agrees(said: Answer, answer: Answer) -> bool:
    """Whether what is said holds: the answer itself, or nothing where the rule raises."""
    return said == answer or (answer == ERROR and said is None)


def verified(overloads: list[Overload], answers: Answers) -> list[Overload]:
    """The overloads, after the proof.

    Raises:
        AssertionError: if they say for some operands what the rule does not.
    """
    for operands, answer in answers.items():
        said = first_match(overloads, operands)
        assert agrees(said, answer), f"{operands}: the overloads say {said}, the rule {answer}"
    return overloads


def array_pairs(answers: Answers, nodes: Nodes, *, scalars: bool = False) -> list[Overload]:
    """The overloads of two arrays (and Python scalars): one for each result, the lowest first, and the exceptions."""
    return list(_array_pairs(tuple(answers.items()), nodes, scalars))


@lru_cache  # many functions have the same answers
def _array_pairs(
    items: tuple[tuple[tuple[Operand, ...], Answer], ...], nodes: Nodes, scalars: bool
) -> tuple[Overload, ...]:
    answers = dict(items)
    by_join: dict[str, Counter[Answer]] = {}
    for (a, b), answer in answers.items():
        if isinstance(a, Python) or isinstance(b, Python):
            continue
        try:
            by_join.setdefault(nodes.lattice.join(a, b), Counter())[answer] += 1
        except JoinError:
            continue
    rows: list[Overload] = []
    for node in nodes.names:
        if node not in by_join:
            continue
        both = (AtMost(node, nodes, scalars),) * 2
        said = [answer for answer, _ in by_join[node].most_common() if answer != ERROR]
        if said:
            rows.append(Overload(both, said[0]))
        else:
            rows.append(Overload(both, None))  # dropped below unless something higher would answer
    while missed := _exceptions(rows, answers, nodes):  # `float` admits `int`: an exception may need one itself
        rows = missed + rows
    return tuple(verified(_shortest(rows, answers), answers))


def _exceptions(rows: list[Overload], answers: Answers, nodes: Nodes) -> list[Overload]:
    """Overloads for the pairs of arrays that the rows say something else of, as rectangles."""
    missed: dict[tuple[Answer, Operand], set[str]] = {}
    for (a, b), answer in answers.items():
        if not agrees(first_match(rows, (a, b)), answer):
            assert isinstance(a, str), f"no exception can be made for the scalars {a} and {b}"
            assert isinstance(b, str), f"no exception can be made for the scalars {a} and {b}"
            missed.setdefault((None if answer == ERROR else answer, a), set()).add(b)
    groups: dict[tuple[Answer, frozenset[str]], set[str]] = {}
    for (said, left), right in missed.items():
        assert isinstance(left, str)
        groups.setdefault((said, frozenset(right)), set()).add(left)
    return [
        Overload((in_order(left, nodes), in_order(right, nodes)), said)
        for (said, right), left in sorted(groups.items(), key=lambda g: _rank(g[1]) + _rank(g[0][1]))
    ]


def _shortest(rows: list[Overload], answers: Answers) -> list[Overload]:
    """Without the overloads that a later one answers for as well."""
    kept = list(rows)
    # Only what a dropped overload answered for can change.
    for overload in rows:
        rest = [o for o in kept if o is not overload]
        touched = [o for o in answers if overload.admits(o)]
        if all(agrees(first_match(rest, o), answers[o]) for o in touched):
            kept = rest
    return kept


def by_scalar(answers: Answers, nodes: Nodes, variables: TypeVariables, array: int = 0) -> list[Overload]:
    """The overloads of an array (the operand of index `array`) with a Python scalar."""
    rows: list[Overload] = []
    for kind in SCALAR_KINDS:
        column = {n: answers[_placed(n, Python(kind), array)] for n in nodes.names}
        for pattern, answer, same in _grouped(column, nodes, variables):
            patterns = (pattern, PythonScalar(kind)) if array == 0 else (PythonScalar(kind), pattern)
            rows.append(Overload(patterns, answer, array if same else None))
    relevant = {o: a for o, a in answers.items() if isinstance(o[1 - array], Python) and isinstance(o[array], str)}
    return verified(_shortest(rows, relevant), relevant)


def _placed(node: str, scalar: Python, array: int) -> tuple[Operand, ...]:
    return (node, scalar) if array == 0 else (scalar, node)


def single(
    answers: Mapping[str, Answer], nodes: Nodes, variables: TypeVariables, *, of_self: bool = False
) -> list[Overload]:
    """The overloads of one array; `of_self`: of the array that a method belongs to.

    mypy does not look at the bound of a type variable in the annotation of `self`, so there
    no bound excludes those that the rule refuses: nothing is said of them.
    """
    rows = [
        Overload((pattern,), answer, 0 if same else None)
        for pattern, answer, same in _grouped(answers, nodes, variables, bounds=not of_self)
    ]
    table: Answers = {(n,): a for n, a in answers.items()}
    return verified(_shortest(rows, table), table)


def _grouped(
    column: Mapping[str, Answer], nodes: Nodes, variables: TypeVariables, bounds: bool = True
) -> list[tuple[Pattern, Answer, bool]]:
    """The elements by result, those of weak types in the order in which they admit one another, `same` last."""
    rows = _rows(column, (), nodes, variables, bounds)
    said = [Overload((pattern,), answer, 0 if same else None) for pattern, answer, same in rows]
    if all(agrees(first_match(said, (n,)), a) for n, a in column.items()):
        return rows
    return _rows(column, WEAK, nodes, variables, bounds)


def _rows(
    column: Mapping[str, Answer], apart: Collection[str], nodes: Nodes, variables: TypeVariables, bounds: bool
) -> list[tuple[Pattern, Answer, bool]]:
    """The groups, with these elements apart before all others."""
    groups: dict[Answer, list[str]] = {}
    unchanged: list[str] = []
    for node, answer in column.items():
        if node in apart:
            continue
        if answer == node:
            unchanged.append(node)
        else:
            groups.setdefault(None if answer == ERROR else answer, []).append(node)
    known = {answer for answer in column.values() if answer not in (ERROR, None)}
    if len(known) == 1 and unchanged == list(known):
        groups.setdefault(next(iter(known)), []).extend(unchanged)  # one result for all is no type variable
        unchanged = []
    rows: list[tuple[Pattern, Answer, bool]] = [
        (in_order([w], nodes), None if column[w] == ERROR else column[w], False) for w in apart
    ]
    for answer, members in sorted(groups.items(), key=lambda g: (_rank(g[1]), nodes.names.index(g[1][0]))):
        rows.append((in_order(members, nodes), answer, False))
    if unchanged:
        errors = [n for n, a in column.items() if a == ERROR]
        rows.append((variables.same(unchanged if errors and bounds else None), None, True))
    return rows


def _rank(members: Collection[str]) -> int:
    """Those that hold `int` come before those that hold `float`, which would admit it."""
    weak = [w for w in WEAK if w in members]
    return WEAK.index(weak[0]) if weak else 0
