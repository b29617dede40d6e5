"""Symbolic integers: polynomials with integer coefficients over symbols that have bounds.

An unknown size is a symbol, such as the `n` of `Float[Array, "n d"]`, and what a program computes of sizes stays
exact: `b * t`, `2 * n + 1`.  Two sizes are equal for certain exactly if their polynomials are.

Source: shape polymorphism as in https://docs.jax.dev/en/latest/export/shape_poly.html, of which this is a small part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Final

from arraytyping.avals import Dim, SymbolicDim

__all__ = ["Size", "Symbol", "as_dim", "of_dim", "symbol"]


@dataclass(frozen=True, slots=True)
class Symbol:
    """An unknown integer between two bounds, both included; None is no bound."""

    name: str
    low: int | None = None
    high: int | None = None


Monomial = tuple[Symbol, ...]


class Size:
    """A polynomial: the coefficient of each product of symbols; that of the empty product is the constant."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms: dict[Monomial, int] = dict(
            sorted(((m, c) for m, c in terms.items() if c), key=lambda t: [s.name for s in t[0]])
        )

    @property
    def constant(self) -> int | None:
        """The number that this is, or None."""
        if not self.terms:
            return 0
        return self.terms.get(()) if len(self.terms) == 1 else None

    def __add__(self, other: Size) -> Size:
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + coefficient
        return Size(terms)

    def __neg__(self) -> Size:
        return Size({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Size) -> Size:
        return self + -other

    def __mul__(self, other: Size) -> Size:
        terms: dict[Monomial, int] = {}
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                product = tuple(sorted((*m, *n), key=lambda s: s.name))
                terms[product] = terms.get(product, 0) + c * d
        return Size(terms)

    def exact_division(self, other: Size) -> Size | None:
        """The quotient, if the division leaves no rest for any values of the symbols; by a monomial only."""
        if len(other.terms) != 1:
            return None
        ((divisor, factor),) = other.terms.items()
        if any(symbol.low is None or symbol.low < 1 for symbol in divisor):
            return None
        terms: dict[Monomial, int] = {}
        for monomial, coefficient in self.terms.items():
            rest = list(monomial)
            for symbol in divisor:
                if symbol not in rest:
                    return None
                rest.remove(symbol)
            if coefficient % factor:
                return None
            terms[tuple(rest)] = coefficient // factor
        return Size(terms)

    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the greatest value that this may have; None is no bound."""
        low: int | None = 0
        high: int | None = 0
        for monomial, coefficient in self.terms.items():
            least, greatest = _product_bounds(monomial)
            if coefficient < 0:
                least, greatest = greatest, least
            low = None if low is None or least is None else low + coefficient * least
            high = None if high is None or greatest is None else high + coefficient * greatest
        return low, high

    @property
    def symbols(self) -> frozenset[Symbol]:
        """The symbols that this depends on."""
        return frozenset(s for monomial in self.terms for s in monomial)

    def at(self, numbers: Mapping[str, int]) -> int:
        """The number that this is where the symbols have these values."""
        return sum(c * prod(numbers[s.name] for s in monomial) for monomial, c in self.terms.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Size) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(tuple(self.terms.items()))

    def __str__(self) -> str:
        parts: list[str] = []
        for monomial, coefficient in sorted(self.terms.items(), key=lambda t: (-len(t[0]), [s.name for s in t[0]])):
            names = "*".join(s.name for s in monomial)
            magnitude = abs(coefficient)
            text = str(magnitude) if not names else names if magnitude == 1 else f"{magnitude}*{names}"
            parts.append(("-" if coefficient < 0 else "+" if parts else "") + text)
        return "".join(parts) or "0"

    def __repr__(self) -> str:
        return f"Size({self})"


def _product_bounds(monomial: Monomial) -> tuple[int | None, int | None]:
    least: int | None = 1
    greatest: int | None = 1
    for s in monomial:
        if s.low is None or s.low < 0:
            if len(monomial) == 1:
                return s.low, s.high
            return None, None
        assert least is not None
        least *= s.low
        greatest = None if greatest is None or s.high is None else greatest * s.high
    return least, greatest


_BY_NAME: Final[dict[str, Size]] = {}
"""What a dimension's name stands for: a dimension of a shape carries the name only."""


def symbol(name: str, low: int | None = None, high: int | None = None) -> Size:
    """The size that is one symbol; a size of an array is at least 0."""
    if not re.fullmatch(r"[^\W\d]\w*", name):
        name = "_" + re.sub(r"\W", "_", name)
    return Size({(Symbol(name, low, high),): 1})


def as_dim(size: Size) -> Dim:
    """The size as a dimension of a shape."""
    if (number := size.constant) is not None:
        return number
    name = str(size)
    known = _BY_NAME.setdefault(name, size)
    # Equal names must be equal sizes: the same name with other bounds is somebody else's.
    return SymbolicDim(name) if known == size else None


def of_dim(dim: Dim) -> Size | None:
    """The size that a dimension is; None if it is unknown."""
    if isinstance(dim, int):
        return Size({(): dim})
    if isinstance(dim, SymbolicDim):
        return _BY_NAME.get(dim.name)
    return None
