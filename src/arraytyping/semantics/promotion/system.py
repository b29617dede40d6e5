"""One interface for all promotion systems: what two dtypes promote to, in what order, and how it could grow.

A system is a graph, whose joins are its promotions, or a table, where no graph says it all.  Its nodes are names:
dtypes (`int8`), weak types and Python scalars (`int`, `float`, `complex`), and JEP 9407's other starred types
(`uint` for `u*`, `int8*` for `i8*`).

Source: JEP 9407, https://docs.jax.dev/en/latest/jep/9407-type-promotion.html.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Final

from arraytyping.scalars import KINDS
from arraytyping.semantics.lattice import JoinError, Lattice
from arraytyping.semantics.promotion.dtype_names import parse_dtype
from arraytyping.semantics.promotion.extensions import (
    Edge,
    Extension,
    ambiguities,
    every_edge,
    every_place,
    extended,
    try_edges,
)
from arraytyping.semantics.promotion.jax import PromotionError

__all__ = ["PUBLISHED", "Edge", "GraphSystem", "PromotionError", "System"]

_STORED: Final = {"uint": "uint64", "int": "int64", "float": "float64", "complex": "complex128"}

PUBLISHED: Final = (
    "bool",
    *("uint8", "uint16", "uint32", "uint64"),
    *("int8", "int16", "int32", "int64"),
    *("bfloat16", "float16", "float32", "float64"),
    *("complex64", "complex128"),
    *("int", "float", "complex"),
)
"""The rows and columns of the tables in JEP 9407, in its order."""


class System(ABC):
    """How the dtypes of two operands decide the dtype of a result.

    `nodes` are the names that it knows and `scalars` those of them that stand for Python scalars or weak types.
    `columns` are the rows and columns of its table: some a library may not have, and it may know others besides, as
    JAX does its 4-bit integers, which promote with hardly anything.  `lattice` is the graph whose joins are the
    promotions, None where there is no such graph.  `stored` gives the dtypes of weak nodes that are not 64 bits wide.
    """

    def __init__(
        self,
        name: str,
        *,
        title: str,
        source: str,
        nodes: Iterable[str],
        scalars: Iterable[str] = (),
        columns: Iterable[str] | None = None,
        lattice: Lattice | None = None,
        stored: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.name: Final = name
        self.title: Final = title
        self.source: Final = source
        self.nodes: Final = tuple(nodes)
        self.scalars: Final = tuple(s for s in scalars if s in self.nodes)
        self.columns: Final = self.nodes if columns is None else tuple(columns)
        self.lattice: Final = lattice
        self._stored: Final = {**_STORED, **stored}
        self._results: dict[str, dict[str, str]] = {n: {} for n in self.nodes}
        self._refused: set[Edge] = set()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.title}>"

    def promote(self, a: str, b: str, *more: str) -> str:
        """The node that the operands promote to: of an expression `a + b + c`, if there are more than two.

        Raises:
            PromotionError: where the system leaves it undefined, or does not have one of the dtypes.
            UnknownDtypeError: for something that is no dtype.
        """
        if more:
            return self._promote_all((a, b, *more))
        try:
            return self._results[a][b]
        except KeyError:
            self._check(a, b)
            self._results[a][b] = result = self._promote(a, b)
            return result

    @abstractmethod
    def _promote(self, a: str, b: str) -> str:
        """The result for two nodes; raises PromotionError where there is none."""

    def _promote_all(self, operands: tuple[str, ...]) -> str:
        """The result for three and more: from left to right, as an expression is evaluated."""
        result, *others = operands
        for other in others:
            result = self.promote(result, other)
        return result

    def promote_or_none(self, a: str, b: str) -> str | None:
        """The same for two operands, None where it is undefined.

        Raises:
            UnknownDtypeError: for something that is no dtype.
        """
        if (a, b) in self._refused:
            return None
        try:
            return self.promote(a, b)
        except PromotionError:
            self._refused.add((a, b))
            return None

    def _check(self, *names: str) -> None:
        for name in names:
            if name not in self.nodes:
                full = parse_dtype(name)
                if full != name and full in self.nodes:
                    raise PromotionError(f"{self.name} knows {name!r} as {full!r}; write that", names)
                raise PromotionError(f"{self.name} has no {full}; it has {', '.join(self.nodes)}", names)

    def can_promote(self, a: str, b: str) -> bool:
        """Whether `a` may become `b` in an operation with a `b`: the order of the system.

        Raises:
            PromotionError: for a dtype that the system does not have.
            UnknownDtypeError: for something that is no dtype.
        """
        self._check(a, b)
        return a == b or (self.promote_or_none(a, b) == b and self.promote_or_none(b, a) == b)

    def stored(self, node: str) -> str | None:
        """The dtype in which an array on a node is stored; None for what is no dtype, as the letters of an example."""
        dtype = self._stored.get(node, node.removesuffix("*"))
        return dtype if dtype in KINDS else None

    @property
    def tabled(self) -> tuple[str, ...]:
        """The nodes that its table shows."""
        return tuple(c for c in self.columns if c in self.nodes)

    def is_lattice(self) -> bool:
        """Whether the promotions in its table are the joins of a join-semilattice: every two nodes have one.

        A system given as a table is one exactly if promotion is defined everywhere, idempotent, commutative and
        associative.
        """
        return self._has_joins(partial=False)

    def is_partial_lattice(self) -> bool:
        """Whether the promotions that its table defines are joins, so that no order of evaluation changes a result."""
        return self._has_joins(partial=True)

    @abstractmethod
    def _has_joins(self, *, partial: bool) -> bool: ...

    def table(self, names: Iterable[str] | None = None) -> dict[str, dict[str, str | None]]:
        """The result for every row and column, None where there is none; of `columns` where no names are given."""
        wanted = self.columns if names is None else tuple(names)
        known = frozenset(self.nodes)
        return {
            a: {b: self.promote_or_none(a, b) if a in known and b in known else None for b in wanted} for a in wanted
        }

    @cached_property
    def covers(self) -> Mapping[str, tuple[str, ...]]:
        """For each node the nodes directly above it, in the order that `can_promote` gives."""
        above = {a: [b for b in self.nodes if b != a and self.can_promote(a, b)] for a in self.nodes}
        return {a: tuple(b for b in bs if not any(b in above[c] for c in bs)) for a, bs in above.items()}

    def path(self, a: str, b: str) -> tuple[str, ...] | None:
        """A shortest way up from `a` to `b`, both ends included; None where `a` cannot become `b`.

        Raises:
            PromotionError: for a dtype that the system does not have.
            UnknownDtypeError: for something that is no dtype.
        """
        if not self.can_promote(a, b):
            return None
        ways: dict[str, tuple[str, ...]] = {a: (a,)}
        for node in (waiting := [a]):
            for above in self.covers[node]:
                if above not in ways:
                    ways[above] = (*ways[node], above)
                    waiting.append(above)
        return ways.get(b, (a, b))  # an order that is not transitive may have no way along its covers

    def with_edges(self, *edges: Edge) -> System:
        """The system with further edges, and with the nodes that they bring in.

        Raises:
            ValueError: for a system that is a table.
            CycleError: if the edges close a circle.
        """
        raise ValueError(
            f"{self.name} is a table, not a graph, so no edge or node can be added to it; graphs are jax, python, "
            "tensorflow-all and the systems whose names start with jep-"
        )

    def extensions(self, *edges: Edge, node: str | None = None) -> tuple[Extension, ...]:
        """What can be added to the graph so that its promotions stay joins, where they are defined.

        With edges: each of them alone, whether it can be added or not.  With a node: every place where it can be put
        without a change to the order of the others.  Without either: every single edge that can be added.

        Raises:
            ValueError: for a system that is a table, or for a node that it already has.
        """
        self.with_edges()
        assert self.lattice is not None, "with_edges has refused systems without a graph"
        if node in self.nodes:
            raise ValueError(f"{self.name} already has {node}; name a node that it does not have")
        if node is not None:
            return tuple(every_place(self.lattice, node))
        if edges:
            return tuple(try_edges(self.lattice, edge) for edge in edges)
        return tuple(every_edge(self.lattice))


class GraphSystem(System):
    """A system whose promotions are the joins of a graph.

    Where the graph is no lattice, two nodes with several minimal upper bounds have no promotion, as those without
    any; the error of `promote` names these bounds.
    """

    def __init__(
        self,
        name: str,
        graph: Lattice,
        *,
        title: str,
        source: str,
        scalars: Iterable[str] = (),
        columns: Iterable[str] | None = None,
        stored: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(
            name,
            title=title,
            source=source,
            nodes=graph.elements,
            scalars=scalars,
            columns=columns,
            lattice=graph,
            stored=stored,
        )
        self.graph: Final = graph

    def _promote(self, a: str, b: str) -> str:
        return self._join((a, b))

    def _promote_all(self, operands: tuple[str, ...]) -> str:
        self._check(*operands)
        return self._join(operands)

    def _join(self, operands: tuple[str, ...]) -> str:
        try:
            return self.graph.join(*operands)
        except JoinError as error:
            raise PromotionError(self._refusal(error), operands) from None

    def _refusal(self, error: JoinError) -> str:
        """What the error says about operands without a join."""
        return f"{self.name} defines no promotion: {error}"

    def can_promote(self, a: str, b: str) -> bool:
        """Whether `b` lies above `a` in the graph, or is `a`; it raises as that of `System`."""
        self._check(a, b)
        return self.graph.le(a, b)

    def _has_joins(self, *, partial: bool) -> bool:
        violations = ambiguities(self.graph) if partial else self.graph.violations()
        return not any(v.a in self.tabled and v.b in self.tabled for v in violations)

    @cached_property
    def covers(self) -> Mapping[str, tuple[str, ...]]:
        """The edges of the graph."""
        return self.graph.covers

    def path(self, a: str, b: str) -> tuple[str, ...] | None:
        """A shortest way up from `a` to `b` in the graph; it raises as that of `System`."""
        self._check(a, b)
        return self.graph.path(a, b)

    def with_edges(self, *edges: Edge) -> GraphSystem:
        """The system with further edges, and with the nodes that they bring in.

        Raises:
            CycleError: if the edges close a circle.
        """
        if not edges:
            return self
        added = ", ".join(f"{a} -> {b}" for a, b in edges)
        graph = extended(self.graph, *edges)
        return GraphSystem(
            f"{self.name} with {added}",
            graph,
            title=f"{self.title}, with {added}",
            source=self.source,
            scalars=self.scalars,
            columns=(*self.columns, *(n for n in graph.elements if n not in self.nodes)),
            stored=self._stored,
        )
