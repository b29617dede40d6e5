"""Answers for every tuple of operands as few overloads, proved to say the same.

A checker takes the first overload whose annotations admit the operands, as `first_matches` does, and every list made
here is compared with the answers by it: for no operands may the list say an element that is not the answer, and where
there is an answer, it must be said.  Where the rule raises, the list has no overload, or says nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from arraytyping.checker.stubgen.answers import ERROR, Answer, Operand, Python
from arraytyping.checker.stubgen.matching import (
    Answers,
    Fits,
    Overload,
    agrees,
    first_matches,
    is_right,
    verified,
)
from arraytyping.checker.stubgen.nodes import SCALAR_KINDS, Nodes
from arraytyping.checker.stubgen.shortening import exceptions_last, shortest
from arraytyping.checker.stubgen.spelling import (
    Joining,
    LowerBound,
    Pattern,
    PythonScalar,
    Same,
    UpperBound,
    element,
    in_order,
)
from arraytyping.semantics.promotion.jax import WEAK

__all__ = ["TypeVariables", "array_pairs", "by_scalar", "single"]

BOUND: Final = "bound=generic | int | float | complex"
"""Of a call as an argument mypy takes the dtype to be the class of the parameter if the bound lets it."""


class TypeVariables:
    """The type variables of a stub: one without a bound, and for each set of elements one that is bounded by it."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.bounds: dict[frozenset[str], str] = {}
        self.constraints: dict[tuple[str, ...], str] = {}
        self._second: set[str] = set()

    def same(self, members: Iterable[str] | None) -> Same:
        """The pattern whose type variable has these elements."""
        if members is None or frozenset(members) == frozenset(self.nodes.names):
            return Same("_D", self.nodes)
        chosen = frozenset(members)
        return Same(
            self.bounds.setdefault(chosen, f"_D{len(self.bounds) + 1}"), self.nodes, in_order(chosen, self.nodes)
        )

    def bounded(self, members: Iterable[str], *, second: bool = False) -> str:
        """The type variable of these elements; `second`: another one, for a second parameter.

        mypy would take a call that is passed where `Array[int8]` stands to have that type, but for a type variable.
        """
        name = self.same(members).variable
        if second:
            self._second.add(name)
        return _of_second(name) if second else name

    def constrained(self, members: Iterable[str]) -> str:
        """The type variable that is one of these elements, and no union of them."""
        return self.constraints.setdefault(tuple(members), f"_C{len(self.constraints) + 1}")

    def declarations(self) -> list[str]:
        """The lines that declare them."""
        first = {"_D": BOUND, "_J": BOUND} | {
            name: f"bound={in_order(members, self.nodes).dtypes()}" for members, name in self.bounds.items()
        }
        return [
            f'{name} = TypeVar("{name}", {bound})'
            for one, bound in first.items()
            for name in (one, *([_of_second(one)] if one in self._second else []))
        ] + [
            f'{name} = TypeVar("{name}", {", ".join(map(element, members))})'
            for members, name in self.constraints.items()
        ]


def _of_second(variable: str) -> str:
    return variable.replace("_D", "_E")


def array_pairs(answers: Answers, nodes: Nodes, variables: TypeVariables, *, of_self: bool = False) -> list[Overload]:
    """The overloads of two arrays: the exceptions, what the order decides, the joins that are neither, weak operands.

    With `of_self` the first is the array that a method belongs to.
    """
    made = _array_pairs(tuple(answers.items()), nodes, of_self)
    return [replace(o, patterns=tuple(_declared(p, variables) for p in o.patterns)) for o in made]


@lru_cache  # many functions have the same answers
def _array_pairs(
    items: tuple[tuple[tuple[Operand, ...], Answer], ...], nodes: Nodes, of_self: bool
) -> tuple[Overload, ...]:
    answers = dict(items)
    variables = TypeVariables(nodes)
    kept = [n for n in nodes.names if answers.get((n, n)) == n]
    common = Counter(a for o, a in answers.items() if o[0] == o[1] and a not in (None, ERROR)).most_common(1)
    every = in_order(nodes.names, nodes)
    ways = [_weak_operands(answers, nodes, variables), [Overload((every, every), None)]]
    if kept:
        ways.append(_by_order(kept, None, nodes, variables, of_self) + ways[0])
    if common and (fixed := [n for n in nodes.names if answers.get((n, n)) == common[0][0]]):
        ways.append(_by_order(fixed, common[0][0], nodes, variables, of_self) + ways[0])
    fits = Fits(answers)
    found: list[list[Overload]] = []
    for way in ways:
        rows = way
        # `float` admits `int`: an exception may need one itself.
        while missed := _exceptions(rows, answers, fits, nodes):
            rows = missed + rows
        found.append(exceptions_last(shortest(rows, answers), answers))
    return tuple(verified(min(found, key=len), answers))


def _by_order(
    kept: Sequence[str], fixed: Answer, nodes: Nodes, variables: TypeVariables, of_self: bool
) -> list[Overload]:
    """The larger of two dtypes, or their join that is neither; or with `fixed` that one, wherever there is a join."""
    every, result = variables.same(None), variables.same(kept)

    def decided(first: Pattern, second: Pattern, index: int) -> Overload:
        return Overload((first, second), fixed, None if fixed else index)

    rows = [decided(every, UpperBound(result, nodes), 1)]
    if result == every:
        rows.append(decided(result, LowerBound(nodes), 0))
    else:
        if of_self:
            rows.append(decided(variables.same([n for n in kept if n not in WEAK]), LowerBound(nodes), 0))
        else:  # zuban wants all that may stand for a type variable to be within its bound
            rows.append(decided(UpperBound(result, nodes), every, 0))
        for weak in (w for w in WEAK if w in kept):
            rows.append(Overload((in_order([weak], nodes), LowerBound(nodes, weak)), fixed or weak))
    for place in nodes.places:
        rows.append(Overload((every, Joining(place, result, nodes)), fixed, joins=fixed is None))
    return rows


def _weak_operands(answers: Answers, nodes: Nodes, variables: TypeVariables) -> list[Overload]:
    """The overloads of a second operand that is weak."""
    rows: list[Overload] = []
    for weak in WEAK:
        column = {n: answers[n, weak] for n in nodes.names}
        for pattern, answer, same in _grouped(column, nodes, variables):
            rows.append(Overload((pattern, in_order([weak], nodes)), answer, 0 if same else None))
    return rows


def _declared(pattern: Pattern, variables: TypeVariables) -> Pattern:
    """The pattern with the type variables of this stub."""
    if isinstance(pattern, Same):
        return variables.same(None if pattern.members is None else pattern.members.members)
    if isinstance(pattern, UpperBound | Joining):
        variable = _declared(pattern.variable, variables)
        assert isinstance(variable, Same)
        return replace(pattern, variable=variable)
    return pattern


def _exceptions(rows: list[Overload], answers: Answers, fits: Fits, nodes: Nodes) -> list[Overload]:
    """Overloads for the pairs of arrays that the rows say something else of, as rectangles."""
    missed: dict[tuple[Answer, Operand], set[str]] = {}
    for (a, b), said in first_matches(rows, fits).items():
        answer = answers[a, b]
        if not agrees(said, answer):
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


def by_scalar(answers: Answers, nodes: Nodes, variables: TypeVariables, array: int = 0) -> list[Overload]:
    """The overloads of an array (the operand of index `array`) with a Python scalar."""
    rows: list[Overload] = []
    for kind in SCALAR_KINDS:
        column = {n: answers[_placed(n, Python(kind), array)] for n in nodes.names}
        for pattern, answer, same in _grouped(column, nodes, variables):
            patterns = (pattern, PythonScalar(kind)) if array == 0 else (PythonScalar(kind), pattern)
            rows.append(Overload(patterns, answer, array if same else None))
    relevant = {o: a for o, a in answers.items() if isinstance(o[1 - array], Python) and isinstance(o[array], str)}
    return verified(shortest(rows, relevant), relevant)


def _placed(node: str, scalar: Python, array: int) -> tuple[Operand, ...]:
    return (node, scalar) if array == 0 else (scalar, node)


def single(answers: Mapping[str, Answer], nodes: Nodes, variables: TypeVariables) -> list[Overload]:
    """The overloads of one array."""
    rows = [
        Overload((pattern,), answer, 0 if same else None)
        for pattern, answer, same in _grouped(answers, nodes, variables)
    ]
    table: Answers = {(n,): a for n, a in answers.items()}
    rows = shortest(rows, table)
    if kept := [n for n in answers if answers[n] == n and n not in WEAK]:
        # What keeps the dtype is asked for most, and a bound of strong types alone admits no weak one.
        same = Overload((variables.same(kept),), None, 0)
        first = shortest([same, *_weak_alone(answers, nodes), *(o for o in rows if o.same is None)], table)
        if first[0] is same and len(first) <= len(rows) + 1 and is_right(first, table):
            rows = first
    return verified(rows, table)


def _weak_alone(column: Mapping[str, Answer], nodes: Nodes) -> list[Overload]:
    """The overloads of weak types alone."""
    return [Overload((in_order([w], nodes),), None if column[w] == ERROR else column[w]) for w in WEAK]


def _grouped(
    column: Mapping[str, Answer], nodes: Nodes, variables: TypeVariables
) -> list[tuple[Pattern, Answer, bool]]:
    """The elements by result, those of weak types in the order in which they admit one another, `same` last."""
    rows = _rows(column, (), nodes, variables)
    said = [Overload((pattern,), answer, 0 if same else None) for pattern, answer, same in rows]
    if is_right(said, {(n,): a for n, a in column.items()}):
        return rows
    return _rows(column, WEAK, nodes, variables)


def _rows(
    column: Mapping[str, Answer], apart: Collection[str], nodes: Nodes, variables: TypeVariables
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
            groups.setdefault(answer, []).append(node)
    known = {answer for answer in column.values() if answer not in (ERROR, None)}
    if len(known) == 1 and unchanged == list(known):
        groups.setdefault(next(iter(known)), []).extend(unchanged)  # one result for all is no type variable
        unchanged = []
    rows: list[tuple[Pattern, Answer, bool]] = [
        (in_order([w], nodes), None if column[w] == ERROR else column[w], False) for w in apart
    ]
    for answer, members in sorted(groups.items(), key=lambda g: (_rank(g[1]), nodes.names.index(g[1][0]))):
        rows.append((in_order(members, nodes), None if answer == ERROR else answer, False))
    if unchanged:
        errors = [n for n, a in column.items() if a == ERROR]
        rows.append((variables.same(unchanged if errors else None), None, True))
    return rows


def _rank(members: Collection[str]) -> int:
    """Those that hold `int` come before those that hold `float`, which would admit it."""
    weak = [w for w in WEAK if w in members]
    return WEAK.index(weak[0]) if weak else 0
