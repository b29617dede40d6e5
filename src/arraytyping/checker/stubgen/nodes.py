"""The elements of the lattice as operands: what a stub can tell apart of a dtype.

A stub has one answer where JAX has two, with `jax_enable_x64` on and off.  Operands of at most 32 bits are answered
for as `x64` says (off unless the generator is told otherwise); as soon as an operand has a 64-bit dtype the answer is
that of x64 on, since without it there are no such arrays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from arraytyping.scalars import DTYPES, KINDS, bits
from arraytyping.semantics.avals import Alternatives, Scalar, ShapedArray
from arraytyping.semantics.lattice import JoinError, Lattice
from arraytyping.semantics.promotion.jax import WEAK, JaxPromotion, jax_lattice

__all__ = ["SCALAR_KINDS", "Nodes"]

SCALAR_KINDS: Final = ("bool", "int", "float", "complex")
"""Python's scalars, each admitted where a later one is asked for (PEP 484)."""

USUAL: Final = ("float32", "int32", "bool", "bfloat16", "float16", "float", "int", "complex", "complex64")
"""What most arrays are, named first where elements are listed: a checker compares with one after the other."""

_WEAK_KIND: Final = {"i": "int", "u": "int", "f": "float", "c": "complex"}


@dataclass(frozen=True)
class Nodes:
    """The lattice of a mode of x64, and its elements as abstract values."""

    x64: bool = False

    @cached_property
    def lattice(self) -> Lattice:
        """JAX's lattice."""
        return jax_lattice("standard", self.x64)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All elements, the lowest first; those that promote to nothing come last, since they are used least."""
        bounds = self.lattice.upper_bounds
        below = {n: sum(n in bounds[m] for m in bounds) for n in bounds}
        place = {n: i for i, n in enumerate((*WEAK, *DTYPES))}
        top = max(bounds, key=lambda n: below[n])
        return tuple(sorted(bounds, key=lambda n: (bounds[n] == {n} and n != top, below[n], place[n])))

    @cached_property
    def strong(self) -> tuple[str, ...]:
        """The dtypes, the lowest first."""
        return tuple(n for n in self.names if n not in WEAK)

    def by_use(self, members: Iterable[str]) -> list[str]:
        """These elements, the usual ones first."""
        chosen = frozenset(members)
        return [n for n in dict.fromkeys((*USUAL, *self.names)) if n in chosen]

    @cached_property
    def groups(self) -> dict[str, frozenset[str]]:
        """Sets of dtypes that many overloads are for, by the class that stands for each in a stub, smaller ones first.

        A checker compares with every class of a union, so one class for all of them saves time.
        """
        below = self.lower_bounds("float") - {*WEAK}
        narrow = frozenset(n for n in below if KINDS[n] in "iu" and not is_wide(n))
        return {"NarrowInteger": narrow, "BelowFloat": below}

    def lower_bounds(self, node: str) -> frozenset[str]:
        """The elements that are at most this one."""
        return self._lower_bounds[node]

    @cached_property
    def _lower_bounds(self) -> dict[str, frozenset[str]]:
        above = self.lattice.upper_bounds
        return {n: frozenset(m for m in above if n in above[m]) for n in above}

    def joins(self, node: str) -> tuple[tuple[str, frozenset[str]], ...]:
        """The joins with others that are neither of the two, the lowest first, each with those others."""
        return self._joins[node]

    @cached_property
    def places(self) -> range:
        """The places at which `joins` lists them."""
        return range(max(map(len, self._joins.values())))

    @cached_property
    def _joins(self) -> dict[str, tuple[tuple[str, frozenset[str]], ...]]:
        found: dict[str, dict[str, set[str]]] = {n: {} for n in self.names}
        for a in self.names:
            for b in self.names:
                try:
                    join = self.lattice.join(a, b)
                except JoinError:
                    continue
                if join not in (a, b):
                    found[b].setdefault(join, set()).add(a)
        return {
            n: tuple((j, frozenset(joins[j])) for j in sorted(joins, key=self.names.index))
            for n, joins in found.items()
        }

    def promotion(self, nodes: Iterable[str]) -> JaxPromotion:
        """The promotion system that operands with these dtypes are answered in."""
        return JaxPromotion("standard", x64=self.x64 or any(is_wide(n) for n in nodes))

    def array(self, node: str, promotion: JaxPromotion, shape: tuple[Any, ...] | None = None) -> ShapedArray:
        """An array whose dtype stands on this element."""
        return ShapedArray(shape, promotion.default(node), True) if node in WEAK else ShapedArray(shape, node, False)

    def scalar(self, kind: str) -> Scalar:
        """A Python scalar whose value is not known."""
        assert kind in SCALAR_KINDS
        return Scalar(kind)  # type: ignore[arg-type]

    def node(self, value: Any, promotion: JaxPromotion) -> str | None:
        """The element on which a result stands; None where nothing is known of its dtype or no name says it."""
        if isinstance(value, Alternatives):
            found = {self.node(v, promotion) for v in value.values}
            return found.pop() if len(found) == 1 else None
        if not isinstance(value, ShapedArray) or value.dtype is None or value.weak_type is None:
            return None
        if not value.weak_type or value.dtype == "bool":
            return value.dtype
        kind = _WEAK_KIND[KINDS[value.dtype]]
        return kind if value.dtype == promotion.default(kind) else None


def is_wide(node: str) -> bool:
    """Whether arrays of this dtype exist only where x64 is on."""
    return node not in WEAK and bits(node) >= (128 if KINDS[node] == "c" else 64)
