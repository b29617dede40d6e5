"""Elements of the lattice, operands and results as a stub writes them, and which operand an annotation admits.

`admits` is what a checker does with the text: the proofs of `overloads` rest on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from arraytyping.promotion.jax import WEAK
from arraytyping.stubgen.answers import Answer, Operand, Python
from arraytyping.stubgen.nodes import SCALAR_KINDS, Nodes

__all__ = ["AtMost", "OneOf", "Pattern", "PythonScalar", "Same", "element", "marker", "result"]

UNKNOWN_SHAPE: Final = "SomeShape"


def element(node: str) -> str:
    """The name of an element: a scalar type, or a Python type for a weak one."""
    return "bool_" if node == "bool" else node


def marker(node: str) -> str:
    """The name of the class of what is at most this element."""
    return f"Le_{node}"


def python_type(kind: str) -> str:
    """A Python scalar's type; `jax.numpy` has a name `bool` of its own."""
    return "builtins.bool" if kind == "bool" else kind


def result(answer: Answer, shape: str = UNKNOWN_SHAPE) -> str:
    """The type of an array with this dtype and shape."""
    return f"Array[{'Any' if answer is None else element(answer)}, {shape}]"


@dataclass(frozen=True)
class AtMost:
    """Arrays, and perhaps Python scalars, whose element is at most this one."""

    node: str
    nodes: Nodes
    scalars: bool = False

    def admits(self, operand: Operand) -> bool:
        """Whether a checker takes the operand here."""
        if isinstance(operand, Python):
            return self.scalars and SCALAR_KINDS.index(operand.kind) <= SCALAR_KINDS.index(self._kind)
        return self.node in self.nodes.lattice.upper_bounds[operand]

    @property
    def _kind(self) -> str:
        """The largest Python scalar that is at most the element."""
        return next((w for w in reversed(WEAK) if self.nodes.lattice.le(w, self.node)), "bool")

    def dtypes(self) -> str:
        """The first parameter of `Array`."""
        weak = next((w for w in reversed(WEAK) if self.nodes.lattice.le(w, self.node)), None)
        return marker(self.node) + (f" | {weak}" if weak else "")

    def text(self, shape: str | None = None) -> str:
        """The annotation."""
        array = f"Array[{self.dtypes()}{f', {shape}' if shape else ''}]"
        return f"{array} | {python_type(self._kind)}" if self.scalars else array


@dataclass(frozen=True)
class OneOf:
    """Arrays whose element is one of these; `float` also admits `int`, and `complex` both."""

    members: frozenset[str]
    order: tuple[str, ...]

    def admits(self, operand: Operand) -> bool:
        """Whether a checker takes the operand here."""
        if isinstance(operand, Python):
            return False
        if operand in WEAK:
            return any(w in self.members for w in WEAK[WEAK.index(operand) :])
        return operand in self.members

    def dtypes(self) -> str:
        """The first parameter of `Array`."""
        return " | ".join(element(n) for n in self.order if n in self.members)

    def text(self, shape: str | None = None) -> str:
        """The annotation."""
        return f"Array[{self.dtypes()}{f', {shape}' if shape else ''}]"


@dataclass(frozen=True)
class Same:
    """Arrays of which the result has the element, by a type variable: any, or one of these."""

    variable: str
    members: frozenset[str] | None = None

    def admits(self, operand: Operand) -> bool:
        """Whether a checker takes the operand here."""
        return isinstance(operand, str) and (self.members is None or OneOf(self.members, ()).admits(operand))

    def text(self, shape: str | None = None) -> str:
        """The annotation."""
        return f"Array[{self.variable}{f', {shape}' if shape else ''}]"


@dataclass(frozen=True)
class PythonScalar:
    """A Python scalar of this kind, or of one that its type admits."""

    kind: str

    def admits(self, operand: Operand) -> bool:
        """Whether a checker takes the operand here."""
        return isinstance(operand, Python) and SCALAR_KINDS.index(operand.kind) <= SCALAR_KINDS.index(self.kind)

    def text(self, shape: str | None = None) -> str:
        """The annotation."""
        return python_type(self.kind)


Pattern = AtMost | OneOf | Same | PythonScalar


def in_order(members: Iterable[str], nodes: Nodes) -> OneOf:
    """`OneOf` with its members the lowest first."""
    return OneOf(frozenset(members), nodes.names)
