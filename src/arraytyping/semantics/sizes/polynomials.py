"""Symbolic integers: polynomials with integer coefficients over symbols that have bounds.

An unknown size is a symbol, such as the `n` of `Float[Array, "n d"]`, and what a program computes of sizes stays
exact: `b*t`, `2*n + 1`.  What no polynomial expresses, a floor division, a maximum or a minimum, is a symbol of its
own, an `Operation`.  Two sizes whose polynomials are equal are equal; others may be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import gcd, prod
from typing import Any, Final, Literal

__all__ = ["Atom", "Functions", "Monomial", "Operation", "Size", "Symbol", "constant", "named_product", "symbol"]


@dataclass(frozen=True, slots=True)
class Symbol:
    """An unknown integer between two bounds, both included; None is no bound."""

    name: str
    low: int | None = None
    high: int | None = None


Function = Literal["floordiv", "max", "min"]

Functions = Mapping[Function, Callable[[Any, Any], Any]]


@dataclass(frozen=True, slots=True)
class Operation:
    """A function of two sizes that is no polynomial; made by `operations.py`, which simplifies first."""

    function: Function
    left: Size
    right: Size
    low: int | None = field(compare=False)
    high: int | None = field(compare=False)
    name: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if self.function == "floordiv":
            text = "//".join(_operand(side) for side in (self.left, self.right))
        else:
            text = f"{self.function}({self.left}, {self.right})"
        object.__setattr__(self, "name", text)


def _operand(size: Size) -> str:
    """A side of `//`, in parentheses unless it is one word."""
    text = str(size)
    return text if re.fullmatch(r"\w+", text) else f"({text})"


Atom = Symbol | Operation

Monomial = tuple[Atom, ...]


class Size:
    """A polynomial: the coefficient of each product of atoms; that of the empty product is the constant."""

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms: dict[Monomial, int] = dict(sorted(((m, c) for m, c in terms.items() if c), key=_place))
        self._hash: int | None = None

    @property
    def constant(self) -> int | None:
        """The number that this is, or None."""
        if not self.terms:
            return 0
        return self.terms.get(()) if len(self.terms) == 1 else None

    @property
    def rest(self) -> int:
        """The constant term."""
        return self.terms.get((), 0)

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

    def exact_division(self, other: Size, *, positive: bool = False) -> Size | None:
        """The quotient, if the division leaves no rest for any values of the symbols; by a monomial only.

        The divisor is never 0: its symbols are at least 1 each, or it is `positive`, which the caller knows.
        """
        if len(other.terms) != 1:
            return None
        ((divisor, factor),) = other.terms.items()
        if not positive and any(atom.low is None or atom.low < 1 for atom in divisor):
            return None
        terms: dict[Monomial, int] = {}
        for monomial, coefficient in self.terms.items():
            rest = list(monomial)
            for atom in divisor:
                if atom not in rest:
                    return None
                rest.remove(atom)
            if coefficient % factor:
                return None
            terms[tuple(rest)] = coefficient // factor
        return Size(terms)

    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the greatest value that this may have; None is no bound."""
        low, high = self._interval()
        operations = [m[0] for m in self.terms if len(m) == 1 and isinstance(m[0], Operation)]
        for operation in operations:
            if low is None or low < 0:
                low = max((b for b in (low, *_lows(self, operation)) if b is not None), default=None)
            if high is None or high > 0:
                high = min((b for b in (high, *(-b for b in _lows(-self, operation))) if b is not None), default=None)
        return low, high

    def _interval(self) -> tuple[int | None, int | None]:
        """The bounds that follow from those of each term by itself."""
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
    def divisor(self) -> int:
        """The greatest number that divides all coefficients but the constant; 0 if there are none."""
        return gcd(*(c for m, c in self.terms.items() if m))

    @property
    def operations(self) -> frozenset[Operation]:
        """The operations that are among the atoms."""
        return frozenset(a for monomial in self.terms for a in monomial if isinstance(a, Operation))

    @property
    def symbols(self) -> frozenset[Symbol]:
        """The symbols that this depends on."""
        found: set[Symbol] = set()
        for atom in {a for monomial in self.terms for a in monomial}:
            found |= {atom} if isinstance(atom, Symbol) else atom.left.symbols | atom.right.symbols
        return frozenset(found)

    def at(self, values: Mapping[str, Any], functions: Functions | None = None) -> Any:
        """The number that this is where the symbols have these values.

        They may be other things that know arithmetic, such as the symbolic sizes of jax, with `functions` for them.
        """
        known = _FUNCTIONS if functions is None else functions

        def value(atom: Atom) -> Any:
            if isinstance(atom, Symbol):
                return values[atom.name]
            return known[atom.function](atom.left.at(values, known), atom.right.at(values, known))

        return sum(c * prod(map(value, monomial)) for monomial, c in self.terms.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Size) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self.terms.items()))
        return self._hash

    def __str__(self) -> str:
        text = ""
        for monomial, coefficient in sorted(self.terms.items(), key=lambda t: (-len(t[0]), _place(t))):
            term = _product(monomial, abs(coefficient))
            if text:
                text += f" - {term}" if coefficient < 0 else f" + {term}"
            else:
                # Python would take a floor division's dividend only to be negative.
                text = f"-({term})" if coefficient < 0 and "//" in term else f"-{term}" if coefficient < 0 else term
        return text or "0"

    def __repr__(self) -> str:
        return f"Size({self})"


_FUNCTIONS: Final[Functions] = {"floordiv": lambda a, b: a // b, "max": max, "min": min}


def _place(term: tuple[Monomial, int]) -> list[str]:
    return [atom.name for atom in term[0]]


_PRODUCTS: Final[dict[tuple[str, ...], str]] = {}
"""The names under which products of symbols are shown."""


def _product(monomial: Monomial, coefficient: int) -> str:
    if not monomial:
        return str(coefficient)
    names = [f"({a.name})" if isinstance(a, Operation) and a.function == "floordiv" else a.name for a in monomial]
    for factors, name in _PRODUCTS.items():
        while set(factors) <= set(names):
            for factor in factors:
                names.remove(factor)
            names.insert(0, name)
    if coefficient == 1 and len(monomial) == 1:
        return monomial[0].name
    return "*".join(names if coefficient == 1 else [str(coefficient), *names])


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


def _lows(size: Size, operation: Operation) -> Iterator[int]:
    """Lower bounds from what an operation cannot be less or more than: `n - n//2` is at least half of n."""
    coefficient = size.terms[operation,]
    others = Size({m: c for m, c in size.terms.items() if m != (operation,)})
    if operation.function == "floordiv":
        divisor = operation.right.constant
        if divisor is None:
            return
        # q = left//d is from (left - d + 1)/d to left/d
        left = operation.left + constant(1 - divisor) if coefficient > 0 else operation.left
        low, _ = (others * constant(divisor) + left * constant(coefficient)).bounds()
        if low is not None:
            yield -(-low // divisor)
    elif (coefficient > 0) is (operation.function == "max"):
        for side in (operation.left, operation.right):
            low, _ = (others + side * constant(coefficient)).bounds()
            if low is not None:
                yield low


def constant(number: int) -> Size:
    """The size that is a number."""
    return Size({(): number})


def named_product(name: str, one: Size, other: Size) -> Size:
    """The product of two symbols, which is shown by a name of its own."""
    _PRODUCTS[tuple(sorted(s.name for s in one.symbols | other.symbols))] = name
    return one * other


def symbol(name: str, low: int | None = None, high: int | None = None) -> Size:
    """The size that is one symbol; a size of an array is at least 0."""
    if not re.fullmatch(r"[^\W\d]\w*", name):
        name = "_" + re.sub(r"\W", "_", name)
    return Size({(Symbol(name, low, high),): 1})
