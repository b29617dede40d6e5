"""Arithmetic on the dimensions of shapes: numbers, symbolic sizes, and what is not known (None), as rules need it.

What is said of a symbolic size holds for all values of its symbols, 0 and 1 included where they may be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from arraytyping.semantics.sizes.operations import floor_division, maximum, minimum
from arraytyping.semantics.sizes.polynomials import Size, Symbol, constant

__all__ = [
    "Dim", "SymbolicDim", "add_dims", "any_differ", "as_dim", "at_least", "differ", "divide_dim", "divides_never",
    "exceeds", "known_dim", "max_dim", "min_dim", "multiply_dims", "of_dim", "subtract_dims",
]  # fmt: skip

LONGEST = 160
"""The longest text of a size that is kept: longer ones tell a reader nothing, and would grow without end."""


@dataclass(frozen=True, slots=True)
class SymbolicDim:
    """A size that has a name: equal ones are equal sizes.

    `size` is what it is computed from; None is a symbol of this name, at least 0 as all sizes are.
    """

    name: str
    size: Size | None = field(default=None, repr=False)

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


Dim = int | SymbolicDim | None
"""A size: known, known by name, or unknown (None)."""


def as_dim(size: Size | None) -> Dim:
    """The size as a dimension of a shape."""
    if size is None:
        return None
    if (number := size.constant) is not None:
        return number
    name = str(size)
    if len(name) > LONGEST:
        return None
    plain = SymbolicDim(name)
    return plain if of_dim(plain) == size else SymbolicDim(name, size)


def of_dim(dim: Dim) -> Size | None:
    """The size that a dimension is; None if it is unknown."""
    if dim is None:
        return None
    if isinstance(dim, int):
        return constant(dim)
    return Size({(Symbol(dim.name, 0),): 1}) if dim.size is None else dim.size


def add_dims(dims: Iterable[Dim]) -> Dim:
    """The sum of sizes; None if it cannot be known."""
    total, others = 0, []
    for dim in dims:
        if dim is None:
            return None
        if isinstance(dim, int):
            total += dim
        else:
            others.append(dim)
    if len(others) < 2 and total == 0:
        return others[0] if others else 0
    size = constant(total)
    for dim in others:
        size += _size(dim)
    return as_dim(size)


def subtract_dims(a: Dim, b: Dim) -> Dim:
    """The difference of two sizes, which may be negative; None if it cannot be known."""
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    x, y = of_dim(a), of_dim(b)
    return None if x is None or y is None else as_dim(x - y)


def multiply_dims(dims: Iterable[Dim]) -> Dim:
    """The product of sizes; None if it cannot be known."""
    product, others, is_known = 1, [], True
    for dim in dims:
        if isinstance(dim, int):
            product *= dim
        elif dim is None:
            is_known = False
        else:
            others.append(dim)
    if product == 0:
        return 0
    if not is_known:
        return None
    if len(others) < 2 and (not others or product == 1):
        return others[0] if others else product
    size = constant(product)
    for dim in others:
        size *= _size(dim)
    return as_dim(size)


def divide_dim(dim: Dim, divisor: Dim) -> Dim:
    """The quotient, rounded down; None if it cannot be known."""
    if dim == 0 and divisor is not None and at_least(divisor, 1):
        return 0
    x, y = of_dim(dim), of_dim(divisor)
    return None if x is None or y is None else as_dim(floor_division(x, y))


def max_dim(a: Dim, b: Dim) -> Dim:
    """The greater of two sizes; None if it cannot be known."""
    x, y = of_dim(a), of_dim(b)
    return None if x is None or y is None else as_dim(maximum(x, y))


def min_dim(a: Dim, b: Dim) -> Dim:
    """The lesser of two sizes; None if it cannot be known."""
    x, y = of_dim(a), of_dim(b)
    return None if x is None or y is None else as_dim(minimum(x, y))


def at_least(dim: Dim, number: int) -> bool:
    """Whether a size is this number or more, for certain."""
    if dim is None or isinstance(dim, int):
        return dim is not None and dim >= number
    low, _ = _size(dim).bounds()
    return low is not None and low >= number


def differ(a: Dim, b: Dim) -> bool:
    """Whether two sizes differ for certain."""
    if a is None or b is None:
        return False
    if isinstance(a, int) and isinstance(b, int):
        return a != b
    if a == b or (_is_any(a) and _is_any(b)):
        return False
    between = _size(a) - _size(b)
    low, high = between.bounds()
    if (low is not None and low > 0) or (high is not None and high < 0):
        return True
    step = between.divisor  # 2*n and 2*m + 1 are never equal
    return step > 0 and between.rest % step != 0


def any_differ(dims: Iterable[Dim]) -> bool:
    """Whether not all of these sizes are equal, for certain."""
    return any(differ(a, b) for a, b in combinations(dict.fromkeys(dims), 2))


def exceeds(a: Dim, b: Dim) -> bool:
    """Whether a size is greater than another for certain."""
    if isinstance(a, int) and isinstance(b, int):
        return a > b
    if a is None or b is None or a == b:
        return False
    low, _ = (_size(a) - _size(b)).bounds()
    return low is not None and low > 0


def divides_never(divisor: Dim, dim: Dim) -> bool:
    """Whether a positive number is no divisor of a size for certain: 2 is none of `4*n + 1`."""
    if not isinstance(divisor, int) or divisor < 1 or dim is None:
        return False
    size = _size(dim)
    return size.divisor % divisor == 0 and size.rest % divisor != 0


def known_dim(dims: Iterable[Dim]) -> Dim:
    """What is known of a size that is all of these: the number rather than a name."""
    found: Dim = None
    for dim in dims:
        if isinstance(dim, int):
            return dim
        if found is None:
            found = dim
    return found


def _is_any(dim: Dim) -> bool:
    """Whether a size by itself is nothing that a symbol of its own could not be."""
    return dim >= 0 if isinstance(dim, int) else dim is not None and dim.size is None


def _size(dim: Dim) -> Size:
    size = of_dim(dim)
    assert size is not None
    return size
