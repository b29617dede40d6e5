"""JEP 9407's five criteria for a promotion system, each as a function that lists the pairs that break it.

A weak type or Python scalar is no dtype: as an operand it holds whatever its value is, so nothing is said of what it
loses, and as a result it is stored in its default dtype.  Nodes that stand for no dtype at all, such as the letters of
an example, have neither range nor precision.

Source: JEP 9407, https://docs.jax.dev/en/latest/jep/9407-type-promotion.html, "Combining Lattices".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final, Protocol

from arraytyping.scalars import KINDS
from arraytyping.semantics.promotion.laws import Breach, Promotion, associativity, commutativity, idempotence
from arraytyping.semantics.promotion.losses import Loss, conversion_loss, part_bits

__all__ = [
    "CRITERIA",
    "Finding",
    "Stored",
    "keeps_components",
    "keeps_precision",
    "keeps_range",
    "keeps_width",
    "orderless",
]

_LEVELS: Final = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


class Stored(Promotion, Protocol):
    """A system of which is known in what dtypes its nodes are stored."""

    def stored(self, node: str) -> str | None:
        """The dtype of an array on a node; None for what is no dtype."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A pair of dtypes whose promotion breaks a criterion: the result, why, and what would not break it, if anything.

    `instead` is the narrowest dtype of the system that both operands can be converted to without that break.
    """

    a: str
    b: str
    result: str
    why: str
    instead: str | None = None

    @property
    def avoidable(self) -> bool:
        """Whether the system has a dtype that would not break the criterion."""
        return self.instead is not None

    def __str__(self) -> str:
        instead = f" ({self.instead} would not)" if self.instead else ""
        return f"{self.a} + {self.b} is {self.result}: {self.why}{instead}"


def orderless(system: Promotion) -> tuple[Breach, ...]:
    """Criterion 1, a (partial) lattice: the pairs and triples whose result depends on the order of evaluation."""
    nodes = system.tabled
    return (*commutativity(system, nodes), *associativity(system, nodes), *idempotence(system, nodes))


def keeps_components(system: Stored) -> tuple[Finding, ...]:
    """Criterion 2, no component is dropped: the pairs in which a complex dtype becomes a real one."""
    return tuple(_losing(system, lambda loss: loss.component))


def keeps_range(system: Stored) -> tuple[Finding, ...]:
    """Criterion 3, no unhandled overflow: the pairs in which the result does not reach as far as an operand."""
    return tuple(_losing(system, lambda loss: loss.overflow))


def keeps_precision(system: Stored) -> tuple[Finding, ...]:
    """Criterion 4, precision is kept wherever possible: the pairs in which an operand loses some.

    It is possible where the finding is `avoidable`: no float holds an int64 together with a float, for example.
    """
    return tuple(_losing(system, lambda loss: loss.precision))


def keeps_width(system: Stored) -> tuple[Finding, ...]:
    """Criterion 5, no unnecessary widening: the pairs whose result is wider than both operands.

    It is unnecessary where the finding is `avoidable`: a narrower dtype than the result has the range of both.  A
    complex dtype counts with the width of its parts.
    """
    return tuple(_widening(system))


CRITERIA: Final[dict[str, Callable[[Stored], tuple[Finding, ...] | tuple[Breach, ...]]]] = {
    "a (partial) lattice": orderless,
    "no component dropped": keeps_components,
    "no overflow": keeps_range,
    "precision kept where possible": keeps_precision,
    "no unnecessary widening": keeps_width,
}
"""The five criteria in the JEP's order."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two nodes that promote, their result, and the dtypes in which the three are stored."""

    a: str
    b: str
    result: str
    stored: tuple[str, str, str]

    @property
    def dtypes(self) -> tuple[str, ...]:
        """Those operands that are dtypes, each once."""
        return tuple(dict.fromkeys(n for n in (self.a, self.b) if n in KINDS))

    @property
    def levels(self) -> tuple[int, int]:
        """The category of the higher operand, and that of the result."""
        a, b, result = (_LEVELS[KINDS[dtype]] for dtype in self.stored)
        return max(a, b), result


def _pairs(system: Stored) -> Iterator[_Pair]:
    """The pairs of nodes that promote, each once unless its order counts."""
    for a, b in combinations_with_replacement(system.tabled, 2):
        results = {(x, y): system.promote_or_none(x, y) for x, y in ((a, b), (b, a))}
        if len(set(results.values())) == 1:
            results = {(a, b): results[a, b]}
        for (x, y), result in results.items():
            if result is not None:
                one, other, top = (system.stored(n) for n in (x, y, result))
                if one is not None and other is not None and top is not None:
                    yield _Pair(x, y, result, (one, other, top))


def _instead(system: Stored, pair: _Pair, lost: Callable[[Loss], bool]) -> str | None:
    """The narrowest dtype, of the category of the operands or the result, in which that is not lost, nor any range."""
    dtypes = sorted((n for n in system.tabled if n in KINDS), key=lambda n: (part_bits(n), _LEVELS[KINDS[n]]))
    for dtype in dtypes:
        if _LEVELS[KINDS[dtype]] in pair.levels:
            losses = [conversion_loss(n, dtype) for n in pair.dtypes]
            if not any(x.component or x.overflow or lost(x) for x in losses):
                return dtype
    return None


def _losing(system: Stored, lost: Callable[[Loss], bool]) -> Iterator[Finding]:
    """The pairs in which the conversion of an operand to the result loses something."""
    for pair in _pairs(system):
        losses = [loss for n in pair.dtypes if lost(loss := conversion_loss(n, pair.stored[2]))]
        if losses:
            why = "; ".join(map(str, losses))
            yield Finding(pair.a, pair.b, pair.result, why, _instead(system, pair, lost))


def _widening(system: Stored) -> Iterator[Finding]:
    """The pairs of dtypes whose result is wider than both."""
    for pair in _pairs(system):
        if pair.a in KINDS and pair.b in KINDS:
            *widths, wider = map(part_bits, pair.stored)
            if wider > max(widths):
                instead = _instead(system, pair, lambda loss: False)
                enough = instead if instead is not None and part_bits(instead) < wider else None
                yield Finding(pair.a, pair.b, pair.result, f"{wider} bits from {max(widths)}", enough)
