"""The laws of promotion: existence, commutativity, associativity and idempotence, each with all that breaks it.

A law is about expressions: where commutativity or associativity fails, `a + b + c` may have another dtype than
`c + b + a`, and where promotion is no join, `x * (y + z)` may have another one than `x * y + x * z`.

Source: JEP 9407, https://docs.jax.dev/en/latest/jep/9407-type-promotion.html, "Properties of a Type Promotion
Lattice".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations, product
from typing import Protocol

__all__ = [
    "Breach",
    "Laws",
    "Promotion",
    "associativity",
    "check_laws",
    "commutativity",
    "distributivity",
    "existence",
    "idempotence",
    "reordering",
]


class Promotion(Protocol):
    """What a law looks at: the nodes of a system, those in its table, and what two promote to (None: undefined)."""

    @property
    def name(self) -> str:
        """What the system is called."""

    @property
    def nodes(self) -> tuple[str, ...]:
        """What it knows."""

    @property
    def scalars(self) -> tuple[str, ...]:
        """The nodes that stand for Python scalars or weak types."""

    @property
    def tabled(self) -> tuple[str, ...]:
        """The nodes that its table shows."""

    def promote_or_none(self, a: str, b: str) -> str | None:
        """What two nodes promote to."""


@dataclass(frozen=True, slots=True)
class Breach:
    """Operands that break a law: expressions that should agree, and what each of them gives (None: undefined)."""

    operands: tuple[str, ...]
    results: tuple[tuple[str, str | None], ...]

    @property
    def contradicts(self) -> bool:
        """Whether all of the expressions are defined, so that what is written decides the dtype."""
        return all(result is not None for _, result in self.results)

    def __str__(self) -> str:
        return ", ".join(f"{text} {'is undefined' if r is None else f'is {r}'}" for text, r in self.results)


@dataclass(frozen=True)
class Laws:
    """All violations of the laws by one system, over the nodes of its table, or those that are no Python scalars.

    A triple is non-associative if the two ways to put the parentheses give different dtypes, or only one of them
    gives any.
    """

    name: str
    with_scalars: bool
    existence: tuple[Breach, ...]
    commutativity: tuple[Breach, ...]
    associativity: tuple[Breach, ...]
    idempotence: tuple[Breach, ...]
    reordering: tuple[Breach, ...]
    distributivity: tuple[Breach, ...]

    @property
    def is_lattice(self) -> bool:
        """Whether promotion is the join of a join-semilattice."""
        return not self.existence and self.is_partial_lattice

    @property
    def is_partial_lattice(self) -> bool:
        """Whether promotion, where it is defined, is a join."""
        return not (self.commutativity or self.associativity or self.idempotence)

    def explanation(self) -> tuple[str, ...]:
        """What the laws say about this system, one sentence for each law, then one for each kind of expression."""
        nodes = "its dtypes and scalars" if self.with_scalars else "its dtypes"
        return (
            _sentence(f"existence: every two of {nodes} promote", self.existence, "pairs do not"),
            _sentence("commutativity: a + b and b + a agree", self.commutativity, "pairs do not"),
            _sentence("associativity: (a + b) + c and a + (b + c) agree", self.associativity, "triples do not"),
            _sentence("idempotence: a + a is a", self.idempotence, "nodes are not so"),
            _sentence("a + b + c keeps its dtype in every order", self.reordering, "sets of operands do not"),
            _sentence("x * (y + z) and x * y + x * z agree", self.distributivity, "triples do not"),
        )


def _sentence(law: str, breaches: tuple[Breach, ...], but: str) -> str:
    return f"{law}, but {len(breaches)} {but}: {breaches[0]}" if breaches else law


def check_laws(system: Promotion, *, scalars: bool = True, nodes: Iterable[str] | None = None) -> Laws:
    """Every violation of every law, with the scalar nodes or without them.

    It is about the nodes in the system's table, unless others are given, such as all of `system.nodes`.
    """
    nodes = tuple(n for n in nodes or system.tabled if scalars or n not in system.scalars)
    return Laws(
        system.name,
        scalars,
        tuple(existence(system, nodes)),
        tuple(commutativity(system, nodes)),
        tuple(associativity(system, nodes)),
        tuple(idempotence(system, nodes)),
        tuple(reordering(system, nodes)),
        tuple(distributivity(system, nodes)),
    )


def _apply(system: Promotion, a: str | None, b: str | None) -> str | None:
    return None if a is None or b is None else system.promote_or_none(a, b)


def existence(system: Promotion, nodes: Iterable[str]) -> Iterator[Breach]:
    """The pairs, in this order, that have no promotion."""
    for a, b in product(tuple(nodes), repeat=2):
        if system.promote_or_none(a, b) is None:
            yield Breach((a, b), ((f"{a} + {b}", None),))


def commutativity(system: Promotion, nodes: Iterable[str]) -> Iterator[Breach]:
    """The pairs, each once, whose result depends on the order; also if there is only one in one order."""
    for a, b in combinations(nodes, 2):
        one, other = system.promote_or_none(a, b), system.promote_or_none(b, a)
        if one != other:
            yield Breach((a, b), ((f"{a} + {b}", one), (f"{b} + {a}", other)))


def associativity(system: Promotion, nodes: Iterable[str]) -> Iterator[Breach]:
    """The triples, in this order, whose result depends on the parentheses; also if only one way has one."""
    plus = partial(_apply, system)
    for a, b, c in product(tuple(nodes), repeat=3):
        left, right = plus(plus(a, b), c), plus(a, plus(b, c))
        if left != right:
            yield Breach((a, b, c), ((f"({a} + {b}) + {c}", left), (f"{a} + ({b} + {c})", right)))


def idempotence(system: Promotion, nodes: Iterable[str]) -> Iterator[Breach]:
    """The nodes that change when they are combined with themselves; one that has no result does not."""
    for a in nodes:
        result = system.promote_or_none(a, a)
        if result not in (a, None):
            yield Breach((a,), ((f"{a} + {a}", result),))


def reordering(system: Promotion, nodes: Iterable[str]) -> Iterator[Breach]:
    """The sets of three operands for which `a + b + c`, from left to right, depends on their order.

    The results are one expression for each different dtype.
    """
    plus = partial(_apply, system)
    for operands in combinations(nodes, 3):
        results: dict[str | None, str] = {}
        for a, b, c in permutations(operands):
            results.setdefault(plus(plus(a, b), c), f"{a} + {b} + {c}")
        if len(results) > 1:
            yield Breach(operands, tuple((text, result) for result, text in results.items()))


def distributivity(system: Promotion, nodes: Iterable[str]) -> Iterator[Breach]:
    """The triples for which `x * (y + z)` and `x * y + x * z` differ in dtype; both operations promote alike."""
    plus = partial(_apply, system)
    for x, y, z in product(tuple(nodes), repeat=3):
        one, other = plus(x, plus(y, z)), plus(plus(x, y), plus(x, z))
        if one != other:
            yield Breach((x, y, z), ((f"{x} * ({y} + {z})", one), (f"{x} * {y} + {x} * {z}", other)))
