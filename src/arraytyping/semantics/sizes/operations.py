"""Floor division, maximum and minimum of symbolic sizes, simplified so that equal sizes are mostly equal polynomials.

`(2*n + 3)//2` is `n + 1`, and the `x[1:]` of an `x[1:]` of n elements has `max(n - 2, 0)`.
"""

from __future__ import annotations

from math import gcd

from arraytyping.semantics.sizes.polynomials import Monomial, Operation, Size, constant

__all__ = ["floor_division", "maximum", "minimum"]


def floor_division(dividend: Size, divisor: Size, *, positive: bool = False) -> Size | None:
    """The quotient, rounded down; None if the divisor may be less than 1 and is not known to be `positive`."""
    number = divisor.constant
    if number is None:
        exact = dividend.exact_division(divisor, positive=positive)
        return _by_symbols(dividend, divisor, positive) if exact is None else exact
    if number < 1:
        return None
    whole = Size({m: c // number for m, c in dividend.terms.items()})
    return whole + _proper(Size({m: c % number for m, c in dividend.terms.items()}), number)


def _by_symbols(dividend: Size, divisor: Size, positive: bool) -> Size | None:
    (low, high), (least, _) = dividend.bounds(), divisor.bounds()
    if not positive and (least is None or least < 1):
        return None
    dividend, divisor = _reduced(dividend, divisor)
    if divisor.constant is not None:
        return floor_division(dividend, divisor)
    (low, high), (least, _) = dividend.bounds(), divisor.bounds()
    least = max(least or 1, 1)
    if low is not None and low >= 0:
        if high is not None and high < least:
            return constant(0)
        return _of(Operation("floordiv", dividend, divisor, 0, None if high is None else high // least))
    return _of(Operation("floordiv", dividend, divisor, None if low is None else low // least, None))


def _reduced(dividend: Size, divisor: Size) -> tuple[Size, Size]:
    """Two sizes without the factors that all their terms have in common, each of which is at least 1."""
    terms = [*dividend.terms, *divisor.terms]
    common = gcd(*dividend.terms.values(), *divisor.terms.values())
    shared = [a for a in terms[0] if a.low is not None and a.low >= 1] if dividend.terms else []
    for monomial in terms[1:]:
        left = list(monomial)
        kept = []
        for atom in shared:
            if atom in left:
                left.remove(atom)
                kept.append(atom)
        shared = kept
    factor = Size({tuple(shared): common})
    one, other = dividend.exact_division(factor), divisor.exact_division(factor)
    return (dividend, divisor) if one is None or other is None else (one, other)


def _proper(dividend: Size, divisor: int) -> Size:
    """The quotient where each coefficient is at least 0 and less than the divisor."""
    low, high = dividend.bounds()
    if low is not None and high is not None and low // divisor == high // divisor:
        return constant(low // divisor)
    common = gcd(dividend.divisor, divisor)
    if common > 1:  # the constant's rest makes no difference: it is less than the step between two values
        return _proper(Size({m: c // common for m, c in dividend.terms.items()}), divisor // common)
    inner = _alone(dividend)
    if inner is not None and inner.function == "floordiv" and (number := inner.right.constant) is not None:
        # (x//a + c)//b is (x + a*c)//(a*b), whatever x is
        found = floor_division(inner.left + constant(dividend.rest * number), constant(number * divisor))
        assert found is not None
        return found
    bounds = (None if b is None else b // divisor for b in (low, high))
    return _of(Operation("floordiv", dividend, constant(divisor), *bounds))


def maximum(a: Size, b: Size) -> Size:
    """The greater of two sizes."""
    low, high = (a - b).bounds()
    if low is not None and low >= 0:
        return a
    if high is not None and high <= 0:
        return b
    for one, other in ((a, b), (b, a)):
        # max(max(x, y) + c, z) is max(x + c, z) if y + c is never more than z
        inner = _alone(one)
        if inner is not None and inner.function == "max":
            shift = constant(one.rest)
            for left, right in ((inner.left, inner.right), (inner.right, inner.left)):
                _, most = (right + shift - other).bounds()
                if most is not None and most <= 0:
                    return maximum(left + shift, other)
    a, b = _ordered(a, b)
    (low_a, high_a), (low_b, high_b) = a.bounds(), b.bounds()
    lows = [low for low in (low_a, low_b) if low is not None]
    high = None if high_a is None or high_b is None else max(high_a, high_b)
    return _of(Operation("max", a, b, max(lows, default=None), high))


def minimum(a: Size, b: Size) -> Size:
    """The lesser of two sizes."""
    low, high = (a - b).bounds()
    if low is not None and low >= 0:
        return b
    if high is not None and high <= 0:
        return a
    a, b = _ordered(a, b)
    (low_a, high_a), (low_b, high_b) = a.bounds(), b.bounds()
    highs = [high for high in (high_a, high_b) if high is not None]
    least = None if low_a is None or low_b is None else min(low_a, low_b)
    return _of(Operation("min", a, b, least, min(highs, default=None)))


def _ordered(a: Size, b: Size) -> tuple[Size, Size]:
    """Two sizes in the order in which they are shown: numbers last."""
    return (b, a) if (a.constant is not None, str(a)) > (b.constant is not None, str(b)) else (a, b)


def _alone(size: Size) -> Operation | None:
    """The one operation that a size is, but for the constant."""
    terms: list[tuple[Monomial, int]] = [(m, c) for m, c in size.terms.items() if m]
    if len(terms) != 1:
        return None
    ((monomial, coefficient),) = terms
    (*others, atom) = monomial
    return atom if isinstance(atom, Operation) and coefficient == 1 and not others else None


def _of(operation: Operation) -> Size:
    return Size({(operation,): 1})
