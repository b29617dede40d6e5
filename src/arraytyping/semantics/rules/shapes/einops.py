"""The patterns of einops, and the shape that they make of an array.

Source: https://einops.rocks, `einops/parsing.py` and `einops/einops.py`, whose sentences these are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from arraytyping.semantics.avals import Dim, Shape, dim_str
from arraytyping.semantics.rules.errors import ShapeError
from arraytyping.semantics.sizes.dims import at_least, differ, divide_dim, divides_never, multiply_dims

__all__ = ["REDUCTIONS", "Arranged", "arranged"]

REDUCTIONS: Final = ("min", "max", "sum", "mean", "prod", "any", "all")
"""The reductions that einops knows by name."""

_ELLIPSIS: Final = "…"
_REST: Final = -1
"""What an ellipsis stands for where the rank is not known: one axis, of unknown size."""

Axis = str | int
"""An axis by its name, an anonymous one by its place in the pattern, one of the ellipsis by its number from -1 down."""

Group = tuple[Axis, ...]


@dataclass(frozen=True)
class Arranged:
    """What becomes of an array: the axes that it is divided into, those of them that are reduced, the result."""

    elementary: Shape | None
    reduced: tuple[int, ...] | None
    """None where the rank is not known."""
    is_reduced: bool | None
    result: Shape | None


@dataclass(frozen=True)
class _Side:
    """One side of a pattern: its groups, None for an ellipsis that stands free, and the sizes of anonymous axes."""

    groups: tuple[Group | None, ...]
    anonymous: Mapping[Axis, int]

    @property
    def axes(self) -> frozenset[Axis]:
        return frozenset(chain.from_iterable((_ELLIPSIS,) if g is None else g for g in self.groups))

    def with_rest(self, rest: Sequence[Axis]) -> Iterator[Group]:
        """The groups with these axes in the place of the ellipsis."""
        for group in self.groups:
            if group is None:
                yield from ((axis,) for axis in rest)
            else:
                yield tuple(chain.from_iterable(rest if a == _ELLIPSIS else (a,) for a in group))


class _Pattern:
    """A pattern for an operation and the names of the sizes that are given."""

    def __init__(self, operation: str, pattern: str) -> None:
        self.operation = operation
        self.pattern = pattern
        self._number = 0

    def wrong(self, why: str, exception: type[Exception] = RuntimeError) -> ShapeError:
        return ShapeError(f"{self.operation}: {self.pattern!r}: {why}", exception)

    def side(self, text: str) -> tuple[_Side, bool]:
        """One side, and whether its ellipsis is in parentheses.

        Raises:
            ShapeError: if it is malformed.
        """
        if "." in text:
            if "..." not in text:
                raise self.wrong("Expression may contain dots only inside ellipsis (...)")
            if text.count("...") != 1 or text.count(".") != 3:
                raise self.wrong("Expression may contain dots only inside ellipsis (...); only one ellipsis for tensor")
            text = text.replace("...", _ELLIPSIS)
        groups: list[Group | None] = []
        met: set[Axis] = set()
        anonymous: dict[Axis, int] = {}
        inner: list[Axis] | None = None
        is_inside = False
        for token in self._tokens(text):
            if token == "(":
                if inner is not None:
                    raise self.wrong("Axis composition is one-level (brackets inside brackets not allowed)")
                inner = []
            elif token == ")":
                if inner is None:
                    raise self.wrong("Brackets are not balanced")
                groups.append(tuple(inner))
                inner = None
            else:
                axis = self._axis(token, anonymous)
                if axis in met:
                    raise self.wrong(f'Indexing expression contains duplicate dimension "{token}"')
                parts = [] if axis is None else [axis]
                met.update(parts)
                if inner is not None:
                    inner += parts
                    is_inside = is_inside or axis == _ELLIPSIS
                else:
                    groups.append(None if axis == _ELLIPSIS else tuple(parts))
        if inner is not None:
            raise self.wrong(f'Imbalanced parentheses in expression: "{text}"')
        return _Side(tuple(groups), anonymous), is_inside

    def _tokens(self, text: str) -> Iterator[str]:
        word = ""
        for char in text:
            if char in "() ":
                if word:
                    yield word
                word = ""
                if char != " ":
                    yield char
            elif char.isalnum() or char in ("_", _ELLIPSIS):
                word += char
            else:
                raise self.wrong(f"Unknown character '{char}'")
        if word:
            yield word

    def _axis(self, token: str, anonymous: dict[Axis, int]) -> Axis | None:
        """An axis; None for one of size 1, which is none."""
        if token == _ELLIPSIS:
            return token
        if token.isdecimal():
            size = int(token)
            if size == 0:
                raise self.wrong("Anonymous axis should have positive length, not 0")
            if size == 1:
                return None
            self._number += 1
            anonymous[self._number] = size
            return self._number
        self.check_name(token)
        return token

    def check_name(self, name: str) -> None:
        """Refuse what is no name of an axis.

        Raises:
            ShapeError: if so.
        """
        if not name.isidentifier():
            raise self.wrong(f"Invalid axis identifier: {name}, not a valid python identifier")
        if name[0] == "_" or name[-1] == "_":
            raise self.wrong(
                f"Invalid axis identifier: {name}, axis name should should not start or end with underscore"
            )

    def check_sides(self, left: _Side, right: _Side, given: Mapping[str, Dim]) -> None:
        """Refuse axes that are on one side only where they may not.

        Raises:
            ShapeError: if so.
        """
        if self.operation == "rearrange":
            if left.anonymous or right.anonymous:
                raise self.wrong("Non-unitary anonymous axes are not supported in rearrange (exception is length 1)")
            if apart := left.axes ^ right.axes:
                raise self.wrong(f"Identifiers only on one side of expression (should be on both): {_set(apart)}")
        elif self.operation == "repeat":
            if apart := left.axes - right.axes:
                raise self.wrong(f"Unexpected identifiers on the left side of repeat: {_set(apart)}")
            if new := right.axes - left.axes - right.anonymous.keys() - given.keys():
                raise self.wrong(f"Specify sizes for new axes in repeat: {_set(new)}")
        elif apart := right.axes - left.axes:
            raise self.wrong(f"Unexpected identifiers on the right side of reduce: {_set(apart)}")


def _set(axes: frozenset[Axis]) -> str:
    return f"{{{', '.join(sorted('...' if a == _ELLIPSIS else str(a) for a in axes))}}}"


def arranged(operation: str, pattern: str, shape: Shape | None, given: Mapping[str, Dim]) -> Arranged:
    """What `rearrange`, `repeat` or `reduce` makes of an array of this shape, by the sizes that are given.

    Raises:
        ShapeError: if the pattern is malformed, or does not fit the shape.
    """
    made = _Pattern(operation, pattern)
    sides = pattern.split("->")
    if len(sides) != 2:
        raise made.wrong("there has to be one '->'", ValueError)
    left, is_inside = made.side(sides[0])
    right, _ = made.side(sides[1])
    if _ELLIPSIS in right.axes and _ELLIPSIS not in left.axes:
        raise made.wrong("Ellipsis found in right side, but not left side of a pattern")
    if is_inside:
        raise made.wrong("Ellipsis inside parenthesis in the left side is not allowed")
    made.check_sides(left, right, given)
    has_rest = _ELLIPSIS in left.axes
    named = len(left.groups) - has_rest
    rest: tuple[Axis, ...] = ()
    if shape is not None:
        if has_rest and len(shape) < named:
            raise made.wrong(f"Wrong shape: expected >={named} dims. Received {len(shape)}-dim tensor")
        if not has_rest and len(shape) != named:
            raise made.wrong(f"Wrong shape: expected {named} dims. Received {len(shape)}-dim tensor")
        rest = tuple(range(_REST, _REST - (len(shape) - named), -1)) if has_rest else ()
    elif has_rest:
        rest = (_REST,)
    groups = list(left.with_rest(rest))
    for name in given:
        made.check_name(name)
        if name not in left.axes | right.axes:
            raise made.wrong(f"Axis {name} is not used in transform")
    sizes: dict[Axis, Dim] = {**left.anonymous, **right.anonymous, **dict(given.items())}
    dims = shape if shape is not None else (None,) * len(groups)
    for group in groups:
        if len(unknown := frozenset(group) - sizes.keys()) > 1:
            raise made.wrong(f"Could not infer sizes for {_set(unknown)}")
    for dim, group in zip(dims, groups):
        _divide(made, dim, group, sizes)
    result = list(right.with_rest(rest))
    kept = right.axes | (frozenset(rest) if _ELLIPSIS in right.axes else frozenset())
    elementary = [axis for group in groups for axis in group]
    reduced = tuple(i for i, axis in enumerate(elementary) if axis not in kept)
    is_open = shape is None and has_rest
    is_free = None in right.groups
    may_reduce = is_open and [elementary[i] for i in reduced] == [_REST]
    return Arranged(
        None if is_open else tuple(sizes[axis] for axis in elementary),
        None if is_open else reduced,
        None if may_reduce else bool(reduced),
        None if is_open and is_free else tuple(multiply_dims(sizes[a] for a in g) for g in result),
    )


def _divide(made: _Pattern, dim: Dim, group: Group, sizes: dict[Axis, Dim]) -> None:
    """Note the sizes of the axes into which one of the array is divided.

    Raises:
        ShapeError: if it cannot be divided so.
    """
    unknown = [axis for axis in group if axis not in sizes]
    known = multiply_dims(sizes[axis] for axis in group if axis in sizes)
    if not unknown:
        if differ(dim, known):
            raise made.wrong(f"Shape mismatch, {dim_str(dim)} != {dim_str(known)}")
        if len(group) == 1 and sizes[group[0]] is None:
            sizes[group[0]] = dim
        return
    if len(group) == 1:
        sizes[unknown[0]] = dim
        return
    if divides_never(known, dim):
        raise made.wrong(f"Shape mismatch, can't divide axis of length {dim_str(dim)} in chunks of {dim_str(known)}")
    sizes[unknown[0]] = divide_dim(dim, known) if at_least(known, 1) else None
