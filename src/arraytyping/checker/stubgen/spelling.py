"""Elements of the lattice, operands and results as a stub writes them, and which operand an annotation admits.

`admits` is what a checker does with the text: the proofs of `overloads` rest on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from arraytyping.checker.stubgen.answers import Answer, Operand, Python
from arraytyping.checker.stubgen.nodes import SCALAR_KINDS, Nodes
from arraytyping.scalars import ABSTRACT, SCALARS
from arraytyping.semantics.promotion.jax import WEAK

__all__ = [
    "Joining",
    "LowerBound",
    "OneOf",
    "Pattern",
    "PythonScalar",
    "Same",
    "UpperBound",
    "annotation",
    "element",
    "in_order",
    "joined",
    "joining",
    "python_type",
    "result",
]

UNKNOWN_SHAPE: Final = "SomeShape"

FAMILIES: Final = {
    name: frozenset(n for n, scalar in SCALARS.items() if issubclass(scalar, cls))
    for name, cls in sorted(ABSTRACT.items(), key=lambda item: -len(item[1].__mro__))
    if name != "generic"
}
"""The scalar types below each abstract one, the smallest families first."""


def element(node: str) -> str:
    """The name of an element: a scalar type, or a Python type for a weak one."""
    return "bool_" if node == "bool" else node


def python_type(kind: str) -> str:
    """A Python scalar's type; `jax.numpy` has a name `bool` of its own."""
    return "builtins.bool" if kind == "bool" else kind


def result(answer: Answer, shape: str = UNKNOWN_SHAPE) -> str:
    """The type of an array with this dtype and shape."""
    return f"Array[{'Any' if answer is None else element(answer)}, {shape}]"


def is_among(members: Collection[str], node: str) -> bool:
    """Whether a checker takes an element where these are listed; `float` also admits `int`, and `complex` both."""
    return node in members or (node in WEAK and any(w in members for w in WEAK[WEAK.index(node) :]))


@dataclass(frozen=True)
class OneOf:
    """Arrays whose element is one of these."""

    members: frozenset[str]
    nodes: Nodes

    def admits(self, operand: Operand, other: Operand | None = None) -> bool:
        """Whether a checker takes the operand here."""
        return isinstance(operand, str) and is_among(self.members, operand)

    @property
    def is_weak(self) -> bool:
        """Whether all of these are weak types."""
        return self.members <= {*WEAK}

    def dtypes(self) -> str:
        """The first parameter of `Array`, the usual ones first; a class stands for all scalar types derived from it."""
        names = {n: element(n) for n in self.nodes.by_use(self.members)}
        for base, family in (FAMILIES | self.nodes.groups).items():
            shorter = names | dict.fromkeys(family, base)
            if family <= names.keys() and len({*shorter.values()}) < len({*names.values()}):
                names = shorter
        return " | ".join(dict.fromkeys(names.values()))


@dataclass(frozen=True)
class Same:
    """Arrays of which the result has the element, by a type variable: any, or one of these."""

    variable: str
    nodes: Nodes
    members: OneOf | None = None

    def admits(self, operand: Operand, other: Operand | None = None) -> bool:
        """Whether a checker takes the operand here."""
        return isinstance(operand, str) and (self.members is None or self.members.admits(operand))


@dataclass(frozen=True)
class PythonScalar:
    """A Python scalar of this kind, or of one that its type admits."""

    kind: str

    def admits(self, operand: Operand, other: Operand | None = None) -> bool:
        """Whether a checker takes the operand here."""
        return isinstance(operand, Python) and SCALAR_KINDS.index(operand.kind) <= SCALAR_KINDS.index(self.kind)


@dataclass(frozen=True)
class UpperBound:
    """Arrays whose dtype is an upper bound of the other operand's, and so the join of both."""

    variable: Same
    nodes: Nodes

    def admits(self, operand: Operand, other: Operand | None = None) -> bool:
        """Whether a checker takes the operand here."""
        if not isinstance(operand, str) or operand in WEAK or other is None:
            return False
        return self.variable.admits(operand) and (
            isinstance(other, str) and is_among(self.nodes.lower_bounds(operand), other)
        )


@dataclass(frozen=True)
class LowerBound:
    """Arrays whose dtype is a lower bound of the other operand's, or of the element `of`, which is the join of both."""

    nodes: Nodes
    of: str | None = None

    def admits(self, operand: Operand, other: Operand | None = None) -> bool:
        """Whether a checker takes the operand here."""
        if not isinstance(operand, str) or operand in WEAK or other is None:
            return False
        of = other if self.of is None else self.of
        return isinstance(of, str) and is_among(self.nodes.lattice.upper_bounds[operand], of)


@dataclass(frozen=True)
class Joining:
    """Arrays whose dtype has a join with the other operand's that is neither, listed at this place."""

    place: int
    variable: Same
    nodes: Nodes

    def join(self, operand: Operand, other: Operand | None) -> str | None:
        """The join of the two; None if a checker does not take the operand here."""
        if not isinstance(operand, str) or operand in WEAK or not isinstance(other, str):
            return None
        listed = self.nodes.joins(operand)[self.place : self.place + 1]
        return next((j for j, others in listed if is_among(others, other)), None)

    def admits(self, operand: Operand, other: Operand | None = None) -> bool:
        """Whether a checker takes the operand here."""
        join = self.join(operand, other)
        return join is not None and self.variable.admits(join)


Pattern = OneOf | Same | PythonScalar | UpperBound | LowerBound | Joining


def annotation(pattern: Pattern, shape: str = "Any", *, other: str = "_D", array: str = "Array") -> str:
    """The annotation of an operand: `other` is the dtype of the other one, to which an order relates it."""
    match pattern:
        case OneOf():
            return f"{array}[{pattern.dtypes()}, {shape}]"
        case Same():
            return f"{array}[{pattern.variable}, {shape}]"
        case PythonScalar():
            return python_type(pattern.kind)
        case UpperBound():
            return f"{array}[UpperBound[{other}, {joined(pattern)}], {shape}]"
        case LowerBound():
            return f"{array}[LowerBound[{pattern.of or other}], {shape}]"
        case Joining():
            return f"{array}[{joining(pattern.place)}[{other}, {joined(pattern)}], {shape}]"


def joined(pattern: UpperBound | Joining) -> str:
    """The type variable of the join, which the first operand's may not be."""
    return "_J" if pattern.variable.members is None else pattern.variable.variable


def joining(place: int) -> str:
    """The name of the class of the joins at this place."""
    return f"Joining{place + 1}"


def in_order(members: Iterable[str], nodes: Nodes) -> OneOf:
    """`OneOf` with its members the lowest first."""
    return OneOf(frozenset(members), nodes)
